package io.tidemark.operator.worker;

import io.tidemark.ingest.log.CrashPoint;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A real process, halted at each of the places in {@link #PLACES} in turn, on the same data directory, with new events
 * before each: in the end logs and state are those of a pipeline that was never interrupted. {@code
 * -Dtidemark.crash.rounds=N} goes through all places N times, at other hits and with other events.
 */
class CrashPointTest
{
    private static final int ROUNDS = Integer.getInteger("tidemark.crash.rounds", 1);
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final int EVENTS = 120;
    private static final int CHECKPOINT_EVERY = 20;
    private static final long PATIENCE_S = 120;

    private static final List<String> PLACES = List.of(
        "order.before-append", "order.after-append", "worker.before-batch", "worker.after-event",
        "changes.before-append", "recovery.repeating", "changes.after-append",
        "late.before-append", "late.after-append",
        "rejects.before-append", "rejects.after-append",
        "checkpoint.before-capture", "checkpoint.after-capture", "snapshot.before-pages", "snapshot.mid-page",
        "snapshot.mid-pages", "snapshot.after-pages", "checkpoint.after-sync", "manifest.before-write",
        "manifest.mid-write", "manifest.before-rename", "manifest.after-rename",
        "prune.before", "prune.mid", "prune.after",
        "fold.before", "fold.mid", "fold.before-manifest", "fold.after-manifest",
        "recovery.before-load", "recovery.mid-load", "recovery.loaded", "recovery.caught-up");

    @TempDir
    Path directory;

    @Test
    void shouldComeToTheSameBytesAndStateWhereverItsProcessIsHalted() throws IOException, InterruptedException
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ROUNDS; seed++)
        {
            goThroughAllPlaces(seed);
        }
    }

    private void goThroughAllPlaces(final long seed) throws IOException, InterruptedException
    {
        final Random random = new Random(seed);
        final RandomPipeline pipeline = new RandomPipeline(directory.resolve("crashed-" + seed), seed);
        final RandomPipeline undisturbed = new RandomPipeline(directory.resolve("undisturbed-" + seed), seed);
        pipeline.append(600);
        undisturbed.append(600);
        final Set<String> reached = new LinkedHashSet<>();
        for (final String place : PLACES)
        {
            pipeline.append(EVENTS);
            undisturbed.append(EVENTS);
            if (run(pipeline.directory(), place + ":" + (1 + random.nextInt(mostHits(place)))) == CrashPoint.EXIT_CODE)
            {
                reached.add(place);
            }
        }
        pipeline.runToTheEnd();
        undisturbed.runToTheEnd();
        assertEquals(undisturbed.outcome(), pipeline.outcome(), "seed " + seed);
        final Set<String> missed = new LinkedHashSet<>(PLACES);
        missed.removeAll(reached);
        assertTrue(missed.isEmpty(), () -> "seed " + seed + ": never came to " + missed);
    }

    /** How often a run comes to a place at least. */
    private static int mostHits(final String place)
    {
        return place.startsWith("changes") || place.startsWith("worker.after") || place.equals("recovery.mid-load") ?
            20 : place.startsWith("snapshot") || place.startsWith("manifest") || place.startsWith("checkpoint") ? 2 : 1;
    }

    private static int run(final Path data, final String crashAt) throws IOException, InterruptedException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-XX:TieredStopAtLevel=1",
            "-Xshare:auto", "-Dtidemark.crash.at=" + crashAt));
        for (final String argument : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (argument.startsWith("--"))
            {
                command.add(argument);
            }
        }
        command.addAll(List.of("-cp",
            System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
            CrashRun.class.getName(), data.toString(), Integer.toString(CHECKPOINT_EVERY), "true"));
        final Process process = new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(
            data.resolveSibling("child.log").toFile()).start();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new AssertionError(crashAt + ": hangs");
        }
        final int exitCode = process.exitValue();
        assertTrue(exitCode == 0 || exitCode == CrashPoint.EXIT_CODE, () -> crashAt + ": exit code " + exitCode +
            ", see child.log");
        return exitCode;
    }
}
