package io.tidemark.operator.worker;

import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayMismatchException;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Replays beside a pipeline: from where, up to where, and what they notice. */
class ReplayTest
{
    @TempDir
    Path directory;

    private RandomPipeline pipeline;
    private List<Long> positions;

    @BeforeEach
    void run()
    {
        pipeline = new RandomPipeline(directory.resolve("data"), 5).checkpoints(250, 100).append(1_000);
        pipeline.runToTheEnd();
        positions = new CheckpointDirectory(pipeline.directory()).positions();
    }

    @Test
    void shouldFindTheSameRecordsAndStatesFromAnywhere()
    {
        assertEquals(List.of(1_000L, 750L, 500L, 250L), positions);
        for (final long from : new long[]{0, 250, 500, 1_000})
        {
            try (Replay replay = new Replay(context(), from))
            {
                final ReplayReport report = replay.run();
                assertEquals(1_000, report.to());
                assertEquals(4 - (int)(from / 250), report.checkpoints());
                assertEquals(0, report.beyond());
            }
        }
    }

    @Test
    void shouldRunBesideThePipelineAndCountWhatThatHasNotWrittenYet()
    {
        pipeline.append(200);
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntil(() -> runtime.position() >= 1_100);
            final long position = runtime.position();
            try (Replay replay = new Replay(context(), 500))
            {
                final ReplayReport report = replay.run();
                assertTrue(report.to() >= position);
                assertEquals(report.to() > position, report.beyond() > 0);
            }
            runtime.runUntilCaughtUp();
        }
    }

    @Test
    void shouldShowTheFirstRecordThatDiffersWithBothSides()
    {
        final RuntimeContext other = context().operatorFactory((changes, outcomes) ->
            new EchoOperator(PipelineFixture.in(directory).spec(), changes, outcomes));
        try (Replay replay = new Replay(other, 0))
        {
            final ReplayMismatchException mismatch = assertThrows(ReplayMismatchException.class, replay::run);
            assertEquals(0, mismatch.number());
            assertTrue(mismatch.recorded().length > 0 && mismatch.replayed().length > 0);
        }
    }

    @Test
    void shouldNoticeAStateThatDiffersThoughNoRecordDoes()
    {
        final PagedOperatorFactory joins = new PagedOperatorFactory(
            directory.resolve("scratch"), PipelineFixture.in(directory).spec(), 10_000);
        final RuntimeContext other = pipeline.context().operatorFactory((changes, outcomes) ->
        {
            final Operator operator = joins.create(changes, outcomes);
            operator.tally().onConflict();
            return operator;
        });
        try (joins; Replay replay = new Replay(other, 0))
        {
            final StateMismatchException mismatch = assertThrows(StateMismatchException.class, replay::run);
            assertTrue(mismatch.getMessage().contains("checkpoint 250"), mismatch.getMessage());
            assertTrue(mismatch.getMessage().contains("recorded: ") && mismatch.getMessage().contains("replayed: "));
        }
    }

    private RuntimeContext context()
    {
        return pipeline.context().operatorFactory(new PagedOperatorFactory(
            directory.resolve("scratch"), PipelineFixture.in(directory).spec(), 10_000));
    }
}
