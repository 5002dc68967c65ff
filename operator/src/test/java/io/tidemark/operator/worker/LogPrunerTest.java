package io.tidemark.operator.worker;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which queue files are taken away, and when (FAULTS.md 51). */
class LogPrunerTest
{
    private static final long DAY_MS = 86_400_000L;
    private static final long DAY_NS = DAY_MS * 1_000_000;

    @TempDir
    Path directory;

    private long day;

    @Test
    void shouldTakeAwayDaysThatNeitherCheckpointNorRepairNeedsInAllLogsTogether() throws IOException
    {
        for (day = 0; day < 6; day++)
        {
            appendAndRun(2 * DAY_NS, 1);
        }
        assertDays(3, 4, 5);
        assertEquals(12, run(2 * DAY_NS, 1));
        try (Stream<Path> files = Files.list(new CheckpointDirectory(directory).path()))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
        }
        assertThrows(LogException.class, () -> run(2 * DAY_NS, 1));
    }

    @Test
    void shouldKeepWhatACheckpointThatIsKeptStandsOn()
    {
        for (day = 0; day < 6; day++)
        {
            appendAndRun(DAY_NS / 2, 5);
        }
        assertDays(1, 2, 3, 4, 5);
    }

    @Test
    void shouldKeepEverythingWhileSomebodyReads()
    {
        final RetentionHold hold = RetentionHold.acquire(directory);
        for (day = 0; day < 4; day++)
        {
            appendAndRun(DAY_NS / 2, 1);
        }
        assertTrue(RetentionHold.isHeld(directory));
        assertDays(0, 1, 2, 3);
        hold.close();
        day = 4;
        appendAndRun(DAY_NS / 2, 1);
        assertDays(4);
    }

    @Test
    void shouldFinishWhatAProcessThatDiedHadBegun() throws IOException
    {
        for (day = 0; day < 4; day++)
        {
            appendAndRun(Long.MAX_VALUE, 1);
        }
        Files.writeString(new CheckpointDirectory(directory).path().resolve("pruned"), "2\n");
        try (Log order = Log.open(directory.resolve(PipelineRuntime.ORDER), () -> 4 * DAY_MS))
        {
            order.deleteBefore(1);
        }
        run(Long.MAX_VALUE, 1);
        assertDays(2, 3);
    }

    private void appendAndRun(final long horizonNs, final int keep)
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        try (SourceLogs sources =
            SourceLogs.open(directory, pipeline.spec().topology(), () -> day * DAY_MS, () -> day * DAY_NS))
        {
            sources.appender(PipelineFixture.PAYMENTS_0).upsert(day * DAY_NS).key("k").id("p" + day).append();
            sources.appender(PipelineFixture.SIGNALS).upsert(day * DAY_NS).key("k").id("s" + day).append();
        }
        run(horizonNs, keep);
    }

    private long run(final long horizonNs, final int keep)
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context()
            .epochClock(() -> day * DAY_MS)
            .repairHorizonNs(horizonNs)
            .checkpoints(new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, keep, false, false, ""))
            .operatorFactory(new PagedOperatorFactory(directory, pipeline.spec(), 10_000))))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
            return runtime.position();
        }
    }

    private void assertDays(final int... days)
    {
        for (final String name : List.of("sources/payments-0", "sources/signals-0", PipelineRuntime.ORDER))
        {
            try (Log log = Log.openReadOnly(directory.resolve(name)))
            {
                assertArrayEquals(days, log.cycles(), name);
            }
        }
    }
}
