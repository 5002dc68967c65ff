package io.tidemark.operator.worker;

import io.tidemark.ingest.log.LogFullException;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.SnapshotException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Disks that are full, as small file systems of their own; only where one may be mounted (FAULTS.md 52). */
class DiskFullTest
{
    private static final int EVENTS = 600;
    private static final long SEED = 9;

    @TempDir
    Path directory;

    private final List<Path> mounted = new ArrayList<>();

    @AfterEach
    void unmount() throws IOException, InterruptedException
    {
        for (final Path each : mounted)
        {
            run("umount", "-l", each.toString());
        }
    }

    @Test
    void shouldStopBeforeTheDiskIsFullAndGoOnWhenThereIsRoom() throws IOException, InterruptedException
    {
        final List<String> expected = undisturbed();
        final Path disk = mount("disk", "96m");
        final RandomPipeline pipeline = new RandomPipeline(disk.resolve("data"), SEED).append(EVENTS);
        pipeline.runUntil(200);
        final Path ballast = disk.resolve("ballast");
        final long usable = Files.getFileStore(disk).getUsableSpace();
        Files.write(ballast, new byte[(int)(usable - (16 << 20))]);
        final LogFullException full = assertThrows(LogFullException.class, () ->
        {
            try (PipelineRuntime runtime = pipeline.open())
            {
                runtime.runUntilCaughtUp();
            }
        });
        assertTrue(full.getMessage().contains(disk.toString()), full.getMessage());
        Files.delete(ballast);
        pipeline.runToTheEnd();
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldStopWhenACheckpointFindsNoRoomAndLoseNothing() throws IOException, InterruptedException
    {
        final List<String> expected = undisturbed();
        final RandomPipeline pipeline =
            new RandomPipeline(directory.resolve("data"), SEED).checkpoints(100, 2).append(EVENTS);
        final Path small = mount("data/" + CheckpointDirectory.NAME, "32k");
        final SnapshotException full = assertThrows(SnapshotException.class, pipeline::runToTheEnd);
        assertTrue(full.getMessage().contains("make room"), full.getMessage());
        run("umount", "-l", small.toString());
        mounted.remove(small);
        pipeline.runToTheEnd();
        assertEquals(expected, pipeline.outcome());
    }

    private List<String> undisturbed()
    {
        final RandomPipeline pipeline = new RandomPipeline(directory.resolve("undisturbed"), SEED).append(EVENTS);
        pipeline.runToTheEnd();
        return pipeline.outcome();
    }

    private Path mount(final String name, final String size) throws IOException, InterruptedException
    {
        final Path disk = Files.createDirectories(directory.resolve(name));
        assumeTrue(run("mount", "-t", "tmpfs", "-o", "size=" + size, "tmpfs", disk.toString()) == 0,
            "needs the right to mount");
        mounted.add(disk);
        return disk;
    }

    private static int run(final String... command) throws IOException, InterruptedException
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD).start();
            return process.waitFor(60, TimeUnit.SECONDS) ? process.exitValue() : -1;
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }
}
