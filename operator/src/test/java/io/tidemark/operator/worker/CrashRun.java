package io.tidemark.operator.worker;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.fixture.CrashVictims;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.WatermarkSpec;

import java.nio.file.Path;
import java.util.List;

/** The process that is halted: runs pipelines to the end of their logs, where each takes a checkpoint. */
final class CrashRun
{
    /** Pipelines of other kinds, each with random events of its own. */
    enum Kind
    {
        /** A join, whose one thread writes its checkpoints too. */
        JOIN,
        /** Sessions, likewise. */
        SESSIONS,
        /** A join whose checkpoints are written by another thread while it goes on. */
        JOIN_BESIDE_CHECKPOINTS,
        /** Sessions, likewise. */
        SESSIONS_BESIDE_CHECKPOINTS;

        RandomPipeline in(final Path directory, final long seed)
        {
            final boolean isOfSessions = this == SESSIONS || this == SESSIONS_BESIDE_CHECKPOINTS;
            final RandomPipeline pipeline = isOfSessions ?
                new RandomPipeline(directory, seed, sessions()) : new RandomPipeline(directory, seed);
            return pipeline.checkpoints(new CheckpointSettings(
                Long.MAX_VALUE, CHECKPOINT_EVERY, 2, true, isBesideCheckpoints(), "test"));
        }

        boolean isBesideCheckpoints()
        {
            return this == JOIN_BESIDE_CHECKPOINTS || this == SESSIONS_BESIDE_CHECKPOINTS;
        }

        private static PipelineSpec sessions()
        {
            return new PipelineSpec(
                Topology.of(List.of(new StreamSpec("activity", 3))), 0,
                new SessionRule(1, 60, true, false, 100, false, 100),
                new WatermarkSpec(false, 0, WatermarkSpec.NEVER, WatermarkSpec.OFF, 0), 16, 1_000_000);
        }
    }

    private static final int CHECKPOINT_EVERY = 20;

    private CrashRun()
    {
    }

    /**
     * Runs.
     *
     * @param args of each pipeline in turn its kind, its data directory and its place.
     */
    public static void main(final String[] args)
    {
        final CrashVictims victims = new CrashVictims();
        for (int i = 0; i < args.length; i += 3)
        {
            final RandomPipeline pipeline = Kind.valueOf(args[i]).in(Path.of(args[i + 1]), 0);
            victims.add(args[i + 2], pipeline::runToTheEnd);
        }
        victims.runAndHalt();
    }
}
