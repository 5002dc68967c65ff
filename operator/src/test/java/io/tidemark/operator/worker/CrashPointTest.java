package io.tidemark.operator.worker;

import io.tidemark.ingest.fixture.CrashProcess;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Real processes, halted while their pipelines are at each of the {@link #PLACES} in turn, on the same data
 * directories, with new events before each: in the end logs and state are those of pipelines that were never
 * interrupted, and no file that is half written counts (FAULTS.md 32, 33 and 40). Each of the {@link CrashRun.Kind}s
 * has random events, and is halted at hits, of its own. {@code -Dtidemark.crash.rounds=N} goes through all places N
 * times, with other events and at other hits.
 */
class CrashPointTest
{
    private static final int ROUNDS = Integer.getInteger("tidemark.crash.rounds", 1);
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final int FIRST_EVENTS = 600;
    private static final int EVENTS = 120;

    /** Each place, and how often a run comes to it at least. */
    private static final Map<String, Integer> PLACES = new LinkedHashMap<>();

    static
    {
        places(10, "order.before-append", "order.after-append");
        places(6, "worker.before-batch");
        places(100, "worker.after-event");
        places(60, "changes.before-append");
        places(1, "recovery.repeating");
        places(60, "changes.after-append");
        places(2, "late.before-append", "late.after-append", "rejects.before-append", "rejects.after-append");
        places(5, "checkpoint.before-capture", "checkpoint.after-capture", "snapshot.before-pages",
            "snapshot.mid-page", "snapshot.mid-pages", "snapshot.after-pages", "checkpoint.after-sync",
            "manifest.before-write", "manifest.mid-write", "manifest.before-rename", "manifest.after-rename",
            "prune.before", "prune.mid", "prune.after");
        places(1, "fold.before", "fold.mid", "fold.before-manifest", "fold.after-manifest");
        places(1, "recovery.before-load");
        places(20, "recovery.mid-load");
        places(1, "recovery.loaded", "recovery.caught-up");
    }

    @TempDir
    Path directory;

    private static void places(final int hits, final String... names)
    {
        for (final String name : names)
        {
            PLACES.put(name, hits);
        }
    }

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
        final List<Victim> victims = new ArrayList<>();
        for (final CrashRun.Kind kind : CrashRun.Kind.values())
        {
            victims.add(new Victim(kind, seed * CrashRun.Kind.values().length + victims.size()));
        }
        victims.forEach(victim -> victim.append(FIRST_EVENTS));
        final Map<String, Integer> halts = new LinkedHashMap<>();
        for (final Map.Entry<String, Integer> place : PLACES.entrySet())
        {
            final List<String> arguments = new ArrayList<>();
            for (final Victim victim : victims)
            {
                victim.append(EVENTS);
                arguments.addAll(victim.arguments(place.getKey(), place.getValue()));
            }
            final List<Boolean> halted =
                CrashProcess.run(directory.resolve("child.log"), CrashRun.class, arguments);
            halts.put(place.getKey(), (int)halted.stream().filter(each -> each).count());
        }
        victims.forEach(Victim::compare);
        System.out.println("crash points, seed " + seed + ": " + halts.values().stream().mapToInt(each -> each).sum() +
            " halts at " + halts.size() + " places: " + halts);
        assertTrue(halts.values().stream().allMatch(each -> each >= 2), () -> "seed " + seed + ": " + halts);
    }

    /** A pipeline that is halted again and again, and its undisturbed twin. */
    private final class Victim
    {
        private final CrashRun.Kind kind;
        private final long seed;
        private final RandomPipeline halted;
        private final RandomPipeline undisturbed;
        private final Random random;

        Victim(final CrashRun.Kind kind, final long seed)
        {
            this.kind = kind;
            this.seed = seed;
            halted = kind.in(directory.resolve("halted-" + seed), seed);
            undisturbed = kind.in(directory.resolve("undisturbed-" + seed), seed)
                .checkpoints(Long.MAX_VALUE, 2);
            random = new Random(seed);
        }

        void append(final int events)
        {
            halted.append(events);
            undisturbed.append(events);
        }

        List<String> arguments(final String place, final int hits)
        {
            // What another thread writes comes later than the next barrier, so there are fewer.
            final int mostHits = kind.isBesideCheckpoints() ? Math.min(hits, 2) : hits;
            return List.of(
                kind.name(), halted.directory().toString(), place + ":" + (1 + random.nextInt(mostHits)));
        }

        void compare()
        {
            halted.runToTheEnd();
            undisturbed.runToTheEnd();
            assertEquals(undisturbed.outcome(), halted.outcome(), kind + ", seed " + seed);
        }
    }
}
