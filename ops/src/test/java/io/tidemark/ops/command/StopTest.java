package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A process that is asked to stop in the middle of its work ends in order. Whatever the JVM does beside when it is
 * asked (libraries unmap what they have mapped) must not touch what is being worked on.
 */
class StopTest
{
    private static final int STOPS = 4;
    private static final int EVENTS = 60_000;
    private static final long PATIENCE_S = 120;

    @TempDir
    private Path directory;

    @Test
    void shouldEndInOrderWhereverItIsAskedToStop() throws IOException, InterruptedException
    {
        final CommandFixture pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", SoakFeed.configuration());
        pipeline.done("ingest", new SoakFeed(3, EVENTS).next(directory, 0).toString());
        final Random random = new Random(3);
        long before = 0;
        for (int i = 0; i < STOPS; i++)
        {
            final Process process = SoakCommand.start(directory, "run", "--until-caught-up");
            while (process.isAlive() && position() <= before)
            {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
            LockSupport.parkNanos(random.nextLong(TimeUnit.MILLISECONDS.toNanos(40)));
            process.destroy();
            assertTrue(process.waitFor(PATIENCE_S, TimeUnit.SECONDS), "does not stop");
            final String said = Files.readString(directory.resolve("last-process.log"));
            assertEquals(0, process.exitValue(), said);
            before = position();
            assertTrue(said.contains("up to position "), said);
            assertEquals(before, new CheckpointDirectory(directory.resolve("data")).positions().get(0), said);
        }
        pipeline.done("run", "--until-caught-up");
        pipeline.done("verify");
    }

    /** As the counters say, or 0 while a new process has none yet. */
    private long position()
    {
        final Path data = directory.resolve("data");
        if (!Files.exists(data.resolve(CountersFile.NAME)))
        {
            return 0;
        }
        try (CountersFile counters = CountersFile.openReadOnly(data))
        {
            return counters.value(PipelineCounters.POSITION, 0, 0);
        }
    }
}
