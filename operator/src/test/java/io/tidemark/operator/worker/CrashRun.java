package io.tidemark.operator.worker;

import java.nio.file.Path;

/** The process that is halted: runs a pipeline to the end of its logs and takes a checkpoint there. */
final class CrashRun
{
    private CrashRun()
    {
    }

    /**
     * Runs.
     *
     * @param args data directory, positions between checkpoints, whether checkpoints are synced.
     */
    public static void main(final String[] args)
    {
        final RandomPipeline pipeline = new RandomPipeline(Path.of(args[0]), 0).checkpoints(new CheckpointSettings(
            Long.MAX_VALUE, Long.parseLong(args[1]), 2, Boolean.parseBoolean(args[2]), false, "test"));
        pipeline.runToTheEnd();
    }
}
