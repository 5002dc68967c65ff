package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.spec.Times;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_0;
import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_1;
import static io.tidemark.operator.worker.PipelineFixture.SIGNALS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What tools see from outside, of a pipeline that runs and of one that has ended. */
class CountersFileTest
{
    @TempDir
    Path directory;

    @Test
    void shouldShowTheCountersOfAPipelineThatRuns()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 20, 1_000);
        pipeline.append(PAYMENTS_0, 20, 2, 0);
        pipeline.append(PAYMENTS_1, 22, 1, 900);
        pipeline.appendWatermark(SIGNALS, 77);
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntilCaughtUp();
            try (CountersFile counters = CountersFile.openReadOnly(directory))
            {
                assertEquals(ProcessHandle.current().pid(), counters.pid());
                assertEquals(0, counters.endedMs());
                assertEquals(24, value(counters, PipelineCounters.ORDERED_POSITION, 0));
                assertEquals(24, value(counters, PipelineCounters.POSITION, 0));
                assertEquals(24, value(counters, PipelineCounters.EVENTS, 0));
                assertEquals(23, value(counters, PipelineCounters.ACCEPTED, 0));
                assertEquals(0, value(counters, PipelineCounters.LATE, 0));
                assertEquals(23, value(counters, PipelineCounters.CHANGE_SETS, 0));
                assertEquals(0, value(counters, PipelineCounters.REPLAYING, 0));
                assertEquals(900, value(counters, PipelineCounters.WATERMARK, 0));
                assertEquals(77, value(counters, PipelineCounters.WATERMARK, 1));
                assertEquals(77, value(counters, PipelineCounters.ACCEPTANCE_CLOCK, 1));
                assertEquals(1_019, value(counters, PipelineCounters.PARTITION_CLOCK, PAYMENTS_0));
                assertEquals(900, value(counters, PipelineCounters.PARTITION_CLOCK, PAYMENTS_1));
                assertEquals(22, value(counters, PipelineCounters.PARTITION_RECORDS, PAYMENTS_0));
                assertEquals(1, value(counters, PipelineCounters.PARTITION_ACTIVE, SIGNALS));
                assertEquals(24, value(counters, PipelineCounters.PARTITION_LAST_ARRIVAL, SIGNALS));
                assertEquals(-5, counters.value(999, 0, -5));
            }
        }
    }

    @Test
    void shouldStillShowThemWhenThePipelineHasEnded()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 20);
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().epochClock(() -> 123_000)))
        {
            runtime.runUntilCaughtUp();
        }
        try (CountersFile counters = CountersFile.openReadOnly(directory))
        {
            assertEquals(123_000, counters.startedMs());
            assertEquals(123_000, counters.endedMs());
            assertEquals(123_000, counters.aliveMs());
            assertEquals(20, value(counters, PipelineCounters.POSITION, 0));
            assertEquals(Times.MINUS_INFINITY, value(counters, PipelineCounters.WATERMARK, 0));
        }
    }

    @Test
    void shouldShowThatNothingNewCanBeExpectedYetBeforeTheFirstDutyCycle()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 20);
        pipeline.runUntilCaughtUp();
        final PipelineRuntime runtime = pipeline.open();
        try (CountersFile counters = CountersFile.openReadOnly(directory))
        {
            assertEquals(1, value(counters, PipelineCounters.REPLAYING, 0));
            assertEquals(20, value(counters, PipelineCounters.ORDERED_POSITION, 0));
            assertEquals(0, value(counters, PipelineCounters.POSITION, 0));
            assertEquals(Times.MINUS_INFINITY, value(counters, PipelineCounters.WATERMARK, 0));
            runtime.runUntilCaughtUp();
            assertEquals(0, value(counters, PipelineCounters.REPLAYING, 0));
            assertEquals(20, value(counters, PipelineCounters.POSITION, 0));
        }
        finally
        {
            runtime.close();
        }
    }

    @Test
    void shouldShowThatAnEmptyPipelineReplaysNothing()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntilCaughtUp();
            runtime.runUntilCaughtUp();
            try (CountersFile counters = CountersFile.openReadOnly(directory))
            {
                assertEquals(0, value(counters, PipelineCounters.REPLAYING, 0));
            }
        }
    }

    @Test
    void shouldNoticeACounterThatWasChangedAfterItsProcessHadEnded() throws IOException
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(SIGNALS, 0, 3);
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().epochClock(() -> 5)))
        {
            runtime.runUntilCaughtUp();
        }
        CountersFile.openReadOnly(directory).close();
        final Path file = directory.resolve(CountersFile.NAME);
        final byte[] bytes = Files.readAllBytes(file);
        for (int at = 128; at < bytes.length; at += 61)
        {
            bytes[at] ^= 1;
            Files.write(file, bytes);
            final String message =
                assertThrows(CountersException.class, () -> CountersFile.openReadOnly(directory)).getMessage();
            assertTrue(message.contains("is damaged"), message);
            bytes[at] ^= 1;
        }
    }

    @Test
    void shouldNameEveryCounter()
    {
        PipelineFixture.in(directory).runUntilCaughtUp();
        final List<String> labels = new ArrayList<>();
        try (CountersFile counters = CountersFile.openReadOnly(directory))
        {
            counters.reader().forEach((id, label) -> labels.add(label));
        }
        assertTrue(labels.contains("watermark of signals"), labels::toString);
        assertTrue(labels.contains("clock of payments-1"), labels::toString);
        assertEquals(13 + 2 * 2 + 4 * 3 + CheckpointCounters.COUNT, labels.size());
    }

    @Test
    void shouldNotDisturbWhoStillLooksAtAnEarlierProcess()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 20);
        pipeline.runUntilCaughtUp();
        try (CountersFile earlier = CountersFile.openReadOnly(directory))
        {
            pipeline.append(PAYMENTS_0, 20, 20);
            pipeline.runUntilCaughtUp();
            assertEquals(20, value(earlier, PipelineCounters.POSITION, 0));
        }
        try (CountersFile counters = CountersFile.openReadOnly(directory))
        {
            assertEquals(40, value(counters, PipelineCounters.POSITION, 0));
        }
    }

    @Test
    void shouldSayWhenThereIsNothingToShow() throws IOException
    {
        assertThrows(IllegalStateException.class, () -> CountersFile.openReadOnly(directory));
        for (final int length : new int[]{0, 20, 500})
        {
            Files.write(directory.resolve(CountersFile.NAME), new byte[length]);
            assertThrows(CountersException.class, () -> CountersFile.openReadOnly(directory));
        }
    }

    @Test
    void shouldRememberTheErrorThatStoppedThePipelineAndKeepItForOneMoreRun()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 20);
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
            (changes, outcomes) -> new EchoOperator(pipeline.spec(), changes, outcomes)
            {
                @Override
                public void onEvent(final long position, final int source, final long index, final EventView event)
                {
                    throw new IllegalStateException("state is full");
                }
            })))
        {
            assertThrows(IllegalStateException.class, runtime::runUntilCaughtUp);
        }
        assertTrue(errors(ErrorsFile.NAME).get(0).contains("state is full"));
        pipeline.runUntilCaughtUp();
        assertEquals(List.of(), errors(ErrorsFile.NAME));
        assertTrue(errors(ErrorsFile.PREVIOUS_NAME).get(0).contains("state is full"));
        pipeline.runUntilCaughtUp();
        assertFalse(errors(ErrorsFile.PREVIOUS_NAME).isEmpty());
    }

    private List<String> errors(final String name)
    {
        final List<String> errors = new ArrayList<>();
        ErrorsFile.read(directory.resolve(name), (count, first, last, error) -> errors.add(error));
        return errors;
    }

    private static long value(final CountersFile counters, final int typeId, final int key)
    {
        return counters.value(typeId, key, Long.MIN_VALUE + 42);
    }
}
