package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.log.LogException;
import io.tidemark.operator.change.ReplayMismatchException;
import io.tidemark.operator.spec.Times;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

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

/** Sequencer, worker and logs together, across stops, crashes and restarts. */
class PipelineRuntimeTest
{
    private static final int EVENTS = 700;

    @TempDir
    Path directory;

    @Test
    void shouldProcessEveryEventOnceInTheOrder()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_1, 0, EVENTS);
        pipeline.append(SIGNALS, EVENTS, EVENTS);
        pipeline.append(PAYMENTS_0, 2 * EVENTS, EVENTS);
        assertEquals(3 * EVENTS, pipeline.runUntilCaughtUp());
        final List<String> changes = pipeline.changes();
        assertEquals(3 * EVENTS, changes.size());
        for (int i = 0; i < changes.size(); i++)
        {
            assertTrue(changes.get(i).startsWith("e" + i + " "), changes.get(i));
        }
    }

    @Test
    void shouldCompareAndGoOnWhenStartedAgain()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, EVENTS);
        pipeline.append(PAYMENTS_1, EVENTS, 10);
        pipeline.runUntilCaughtUp();
        final List<String> first = pipeline.changes();
        pipeline.append(PAYMENTS_1, EVENTS + 10, 5);
        assertEquals(EVENTS + 15, pipeline.runUntilCaughtUp());
        final List<String> second = pipeline.changes();
        assertEquals(first, second.subList(0, first.size()));
        assertEquals(EVENTS + 15, second.size());
        assertEquals(EVENTS + 15, pipeline.runUntilCaughtUp());
        assertEquals(second, pipeline.changes());
    }

    @Test
    void shouldRememberLateAndRejectedEventsOnceAcrossRestarts()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(SIGNALS, 0, 1, 1_000);
        pipeline.append(SIGNALS, 1, 3, 0);
        pipeline.append(SIGNALS, 4, 1, 900);
        pipeline.runUntilCaughtUp();
        pipeline.runUntilCaughtUp();
        assertEquals(3, pipeline.records(PipelineRuntime.LATE));
        assertEquals(0, pipeline.records(PipelineRuntime.REJECTS));
        assertEquals(List.of("e0 0", "e4 1000"), pipeline.changes());
    }

    @Test
    void shouldGoOnAfterAFailureInTheMiddleAsIfNothingHadHappened(@TempDir final Path undisturbedDirectory)
    {
        final PipelineFixture undisturbed = PipelineFixture.in(undisturbedDirectory);
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        for (final PipelineFixture each : List.of(undisturbed, pipeline))
        {
            each.append(PAYMENTS_0, 0, EVENTS);
            each.append(PAYMENTS_1, EVENTS, EVENTS);
            each.append(SIGNALS, 2 * EVENTS, EVENTS);
        }
        undisturbed.runUntilCaughtUp();
        for (final long failing : new long[]{1, 2, 256, 257, 1_000, 3 * EVENTS})
        {
            final List<EchoOperator> operators = new ArrayList<>();
            try (PipelineRuntime runtime = PipelineRuntime.open(failingAt(pipeline, failing, operators)))
            {
                final IllegalStateException failure =
                    assertThrows(IllegalStateException.class, runtime::runUntilCaughtUp);
                assertEquals("disk full", failure.getMessage());
                assertEquals(failing - 1, runtime.position());
                assertThrows(IllegalStateException.class, runtime::runUntilCaughtUp);
                assertEquals(failing - 1, runtime.position());
            }
            assertTrue(operators.get(0).isClosed());
            assertEquals(failing - 1, pipeline.changes().size());
        }
        assertEquals(3 * EVENTS, pipeline.runUntilCaughtUp());
        assertEquals(undisturbed.changes(), pipeline.changes());
    }

    @Test
    void shouldStopWhenAReplayDiffers()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(SIGNALS, 0, 300);
        pipeline.runUntilCaughtUp();
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
            (changes, outcomes) -> new EchoOperator(pipeline.spec(), changes, outcomes)
            {
                @Override
                public void onEvent(final long position, final int source, final long index, final EventView event)
                {
                    super.onEvent(position, source, position == 200 ? index + 1 : index, event);
                }
            })))
        {
            final ReplayMismatchException mismatch =
                assertThrows(ReplayMismatchException.class, runtime::runUntilCaughtUp);
            assertEquals(199, mismatch.number());
            assertEquals(directory.resolve("changes"), mismatch.directory());
            assertEquals(199, runtime.position());
        }
        assertEquals(300, pipeline.changes().size());
    }

    @Test
    void shouldStopWhenAReplayMakesLessThanTheLogHolds()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(SIGNALS, 0, 10);
        pipeline.runUntilCaughtUp();
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
            (changes, outcomes) -> new EchoOperator(pipeline.spec(), changes, outcomes)
            {
                @Override
                public void onEvent(final long position, final int source, final long index, final EventView event)
                {
                    if (position < 10)
                    {
                        super.onEvent(position, source, index, event);
                    }
                }
            })))
        {
            assertEquals(9, assertThrows(ReplayMismatchException.class, runtime::runUntilCaughtUp).number());
        }
    }

    @Test
    void shouldFinishWhatItProcessesWhenItIsStopped()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 3 * EVENTS);
        final long stopped;
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntil(() -> runtime.position() > EVENTS);
            stopped = runtime.position();
        }
        assertTrue(stopped > EVENTS && stopped < 3 * EVENTS, "stopped at " + stopped);
        assertEquals(stopped, pipeline.changes().size());
        pipeline.runUntilCaughtUp();
        assertEquals(3 * EVENTS, pipeline.changes().size());
    }

    @Test
    void shouldEndTheInputOfEveryPartition()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 3);
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntilCaughtUp();
            assertEquals(Times.MINUS_INFINITY, runtime.operator().clocks().watermark(0));
            runtime.endOfInput();
            runtime.runUntilCaughtUp();
            assertEquals(6, runtime.position());
            assertEquals(Times.PLUS_INFINITY, runtime.operator().clocks().watermark(0));
            assertEquals(Times.PLUS_INFINITY, runtime.operator().clocks().watermark(1));
        }
    }

    @Test
    void shouldNoticeSilenceByTicksAndReplayThemWhereTheyStood()
    {
        final long idleAfterNs = 1_000;
        final PipelineFixture pipeline = new PipelineFixture(directory, idleAfterNs);
        pipeline.append(PAYMENTS_0, 0, 5);
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().live(true)))
        {
            runtime.runUntilCaughtUp();
            assertTrue(runtime.operator().clocks().isActive(PAYMENTS_1));
            pipeline.clock(50_000);
            runtime.runUntilCaughtUp();
            assertEquals(6, runtime.position());
            assertFalse(runtime.operator().clocks().isActive(PAYMENTS_1));
            assertEquals(5, runtime.operator().clocks().watermark(0));
            pipeline.append(PAYMENTS_1, 5, 1);
            runtime.runUntilCaughtUp();
        }
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntilCaughtUp();
            assertEquals(7, runtime.position());
            assertEquals(50_000, runtime.operator().clocks().arrivalNow());
        }
        assertEquals(6, pipeline.changes().size());
    }

    @Test
    void shouldRefuseASecondRuntimeOnTheSameData()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        final PipelineRuntime first = pipeline.open();
        assertThrows(LogException.class, pipeline::open);
        first.runUntilCaughtUp();
        first.close();
        first.close();
        assertEquals(0, pipeline.runUntilCaughtUp());
    }

    @Test
    void shouldCloseWhatItOpenedWhenItCannotBeComposed()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        assertThrows(IllegalStateException.class, () -> PipelineRuntime.open(pipeline.context().operatorFactory(
            (changes, outcomes) ->
            {
                throw new IllegalStateException("no room for state");
            })));
        assertEquals(0, pipeline.runUntilCaughtUp());
    }

    @Test
    void shouldTakeACompleteContextOnce()
    {
        assertThrows(IllegalArgumentException.class, () -> PipelineRuntime.open(new RuntimeContext()));
        final RuntimeContext context = PipelineFixture.in(directory).context();
        PipelineRuntime.open(context).close();
        assertThrows(IllegalStateException.class, () -> PipelineRuntime.open(context));
    }

    private static RuntimeContext failingAt(
        final PipelineFixture pipeline, final long failing, final List<EchoOperator> operators)
    {
        return pipeline.context().operatorFactory((changes, outcomes) ->
        {
            operators.add(new EchoOperator(pipeline.spec(), changes, outcomes)
            {
                @Override
                public void onEvent(final long position, final int source, final long index, final EventView event)
                {
                    if (position == failing)
                    {
                        throw new IllegalStateException("disk full");
                    }
                    super.onEvent(position, source, index, event);
                }
            });
            return operators.get(0);
        });
    }
}
