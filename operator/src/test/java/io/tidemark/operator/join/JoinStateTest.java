package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.duration;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.SplittableRandom;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.page.StateFullException;

/** How much the engine holds: what SEMANTICS.md section 5 implies, whatever comes, and none of it on the heap. */
class JoinStateTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;

    /** A row's last partner closes this long after it, and clean-up may be put off by a third of a row's life. */
    private static final long LAST_LEAVE = (47 + 8 + 3) * MINUTE;
    private static final long PUT_OFF = (47 + 8 + 3 + 3) * MINUTE * 87 / 256;

    @TempDir
    private Path directory;

    private static Settings rule()
    {
        return Settings.intervalJoin().reach(duration("47m"), duration("8m")).lateness(3 * MINUTE)
            .maxMove(3 * MINUTE).partitions(1, 1).unmatched(Unmatched.FINAL, true, true)
            .maxAhead(Settings.OFF).build();
    }

    @Test
    void shouldHoldAsManyRowsAfterAMillionEventsAsAfterTenThousand()
    {
        final Census few = runAtOneRate(10_000);
        final Census many = runAtOneRate(1_000_000);

        assertEquals(few, many);
        assertTrue(few.open() > 3_000, few::toString);
    }

    /** One event a second and side on a hundred keys: the window holds some 3,500 of each. */
    private Census runAtOneRate(final int events)
    {
        try (Drive drive = new Drive(directory, rule()))
        {
            for (int i = 0; i < events; i++)
            {
                drive.upsert(i % 2, i / 2 % 100, i, (i / 2) * SECOND);
            }
            final long bound = 2 * (LAST_LEAVE + PUT_OFF + SECOND) / SECOND;
            assertTrue(drive.engine.rows() <= bound, () -> drive.engine.rows() + " rows, at most " + bound);
            return drive.engine.census();
        }
    }

    /**
     * Decreasing times: only what is within the lateness is accepted. All late, all duplicates: nothing is held for
     * them. One side stalled: the other's rows stay matchable and nothing can bound them but the stalled side, which
     * section 5 demands; when it goes on, all of them leave.
     */
    @Test
    void shouldStayWithinTheBoundWhateverComes()
    {
        try (Drive drive = new Drive(directory, rule()))
        {
            final SplittableRandom random = new SplittableRandom(17);
            drive.upsert(0, 1, 1, 1_000 * MINUTE);
            drive.upsert(1, 1, 2, 1_000 * MINUTE);
            for (int i = 0; i < 100_000; i++)
            {
                drive.upsert(i % 2, i % 7, 10 + i, 1_000 * MINUTE - i * SECOND / 10);
            }
            assertEquals(2 + 1_801, drive.engine.rows(), "decreasing times, three minutes' worth");
            for (int i = 0; i < 100_000; i++)
            {
                drive.upsert(i % 2, random.nextInt(1_000), 200_000 + i, random.nextLong(997 * MINUTE));
            }
            assertEquals(2 + 1_801, drive.engine.rows(), "late events leave no trace");
            for (int i = 0; i < 100_000; i++)
            {
                final int again = i % 1_801;
                drive.upsert(again % 2, again % 7, 10 + again, 1_000 * MINUTE - again * SECOND / 10);
            }
            assertEquals(2 + 1_801, drive.engine.rows(), "duplicates are held once");
            assertEquals(100_000, drive.engine.tally().duplicates());
            for (int i = 0; i < 100_000; i++)
            {
                drive.upsert(0, i % 7, 400_000 + i, 1_000 * MINUTE + i * SECOND);
            }
            assertEquals(2 + 1_801 + 100_000, drive.engine.census().records(), "one side stands still");
            drive.event(1, EventKind.WATERMARK, 0, 0, 0, 1_000 * MINUTE + 200_000 * SECOND, 0);
            drive.event(0, EventKind.WATERMARK, 0, 0, 0, 1_000 * MINUTE + 200_000 * SECOND, 0);
            assertEquals(new Census(0, 0, 0, 0, 0), drive.engine.census());
            drive.event(0, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, 0);
            drive.event(1, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, 0);
            assertEquals(0, drive.engine.rows());
            assertEquals(0, drive.engine.keyCount());
        }
    }

    /** A flood of retractions that never find a row, while the other side stands still. */
    @Test
    void shouldForgetTombstonesByTheirOwnClock()
    {
        try (Drive drive = new Drive(directory, rule()))
        {
            drive.upsert(1, 1, 1, 0);
            for (int i = 0; i < 200_000; i++)
            {
                drive.upsert(0, 1, 2L * i, i * SECOND);
                drive.event(0, EventKind.RETRACT, i % 5, 2L * i + 1, 3, i * SECOND, i);
            }
            final long known = 6 * 60 + 1;
            assertEquals(known, drive.engine.census().tombstones());
            final long bound = 200_000 + 1 + (known + PUT_OFF / SECOND) * 9 / 8 + 64 * 5;
            assertTrue(drive.engine.rows() <= bound, () -> drive.engine.rows() + " rows, at most " + bound);
        }
    }

    @Test
    void shouldHoldAMillionRowsOfOneKeyAndAMillionKeysInMemoryProportionalToRows()
    {
        final double hot = bytesARow(1_000_000, 1, "one key");
        final double sparse = bytesARow(1_000_000, 1_000_000, "a million keys");

        assertTrue(hot < 180, "one key: " + hot + " bytes a row");
        assertTrue(sparse < 300, "a million keys: " + sparse + " bytes a row");
    }

    private double bytesARow(final int rows, final int keys, final String what)
    {
        try (Drive drive = new Drive(directory, rule()))
        {
            final SplittableRandom random = new SplittableRandom(3);
            final long heapBefore = usedHeap();
            for (int i = 0; i < rows; i++)
            {
                drive.upsert(i % 2, i % keys, i, i * (2 * MINUTE) / rows + (i % 2 == 0 ? 0 : 600 * MINUTE) +
                    random.nextLong(MINUTE));
            }
            assertEquals(rows, drive.engine.rows());
            assertEquals(rows, drive.engine.census().records());
            final long heapAfter = usedHeap();
            assertTrue(heapAfter - heapBefore < 4 << 20, "heap grew by " + (heapAfter - heapBefore));
            final double bytes = (double)drive.bytesOfState() / rows;
            System.out.println(what + ": " + Math.round(bytes) + " bytes of state a row");
            return bytes;
        }
    }

    private static long usedHeap()
    {
        System.gc();
        final Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    @Test
    void shouldAllocateNothingPerEvent()
    {
        final var threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Drive drive = new Drive(directory, rule()))
        {
            mixedEvents(drive, 0, 600_000);
            final long changeSets = drive.changeSets();
            final long before = threads.getCurrentThreadAllocatedBytes();
            mixedEvents(drive, 600_000, 1_600_000);
            final long allocated = threads.getCurrentThreadAllocatedBytes() - before;

            final long made = drive.changeSets() - changeSets;
            assertTrue(made > 100_000, made + " change-sets");
            // Pages that the state grows by in fits and starts cost a boxed page id each.
            assertTrue(allocated < 100_000, allocated + " bytes for 1,000,000 events");
        }
    }

    /** Inserts, duplicates, revisions in place, moves, retractions, late events; matches and unmatched rows. */
    private static void mixedEvents(final Drive drive, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            final int row = Math.max(0, i - i % 10 - i % 3 * 70);
            final int kind = i % 10 == 9 ? EventKind.RETRACT : EventKind.UPSERT;
            final int revision = i % 10 == 0 ? 0 : i % 10 / 2;
            final long late = i % 101 == 0 ? 200 * MINUTE : 0;
            final long moved = i % 10 > 5 ? 10 * SECOND : 0;
            drive.event(row / 10 % 2, kind, row / 10 % 499, row, revision, row * SECOND / 10 + moved - late, i);
        }
    }

    @Test
    void shouldStopBeforeTheRowThatIsTooManyAndNameTheKeyThatHoldsMost()
    {
        final PipelineSpec any = Specs.of(rule());
        final PipelineSpec spec = new PipelineSpec(
            any.topology(), any.leftStream(), any.rule(), any.watermark(), any.slots(), 1_000);
        try (Drive drive = new Drive(directory, spec))
        {
            // Rows that have left make room, even those that wait for their clean-up.
            for (int i = 0; i < 20_000; i++)
            {
                drive.upsert(i % 2, i % 3 == 0 ? 5 : i % 100, i, i * 10L * SECOND);
            }
            final long held = drive.engine.rows();
            final StateFullException full = assertThrows(StateFullException.class, () ->
            {
                for (int i = 0; i < 2_000; i++)
                {
                    drive.upsert(0, 7, 100_000 + i, 200_000 * SECOND);
                }
            });
            assertTrue(held < 1_000);
            assertEquals(1_000, drive.engine.rows());
            assertTrue(full.getMessage().contains("as many as state.max_rows allows; key '"), full.getMessage());
        }
    }
}
