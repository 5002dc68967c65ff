package io.tidemark.operator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.join.Drive;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.page.StateFullException;

/** Sessions with many members: what an event costs, what is allocated, and what is held. */
class SessionStateTest
{
    private static final int MANY = 1_000_000;
    private static final long HOUR = 3_600_000_000_000L;
    private static final com.sun.management.ThreadMXBean THREADS =
        (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;
    private int revision = 1;

    /** The smallest goes and comes back, and the session is split in the middle and bridged, at every size. */
    @Test
    void shouldCostLittleMoreWithAMillionMembersThanWithAThousand()
    {
        try (Drive drive = new Drive(directory, Settings.ofSessions().gap(10).lateness(HOUR).maxMove(0L)
            .maxAhead(Settings.OFF).build()))
        {
            int members = fill(drive, 0, 1_000);
            corrections(drive, members);
            final long few = corrections(drive, members);
            members = fill(drive, members, MANY);
            corrections(drive, members);
            final long many = corrections(drive, members);
            System.out.printf("a correction of a session: %,d ns with 1,000 members, %,d with 1,000,000%n", few, many);
            assertTrue(many < 40 * few, many + " ns with a million members, " + few + " with a thousand");
            assertEquals(MANY, drive.operator().rows());
            assertEquals(0, drive.refused());
        }
    }

    @Test
    void shouldAllocateNothingPerEvent()
    {
        try (Drive drive = new Drive(
            directory, Settings.ofSessions().gap(3).lateness(20).maxAhead(Settings.OFF).build()))
        {
            long time = 0;
            long allocated = 0;
            for (int round = 0; round < 4; round++)
            {
                final long before = THREADS.getCurrentThreadAllocatedBytes();
                for (int i = 0; i < 100_000; i++)
                {
                    time++;
                    drive.event(0, EventKind.UPSERT, time % 37, time, 0, time - time * 7 % 19, time);
                    drive.event(0, EventKind.UPSERT, time % 37, time - 5, 1, time - time * 7 % 19, time);
                    if (time % 3 == 0)
                    {
                        drive.event(0, EventKind.RETRACT, time % 37, time, 1, time - time * 7 % 19, time);
                    }
                }
                allocated = THREADS.getCurrentThreadAllocatedBytes() - before;
            }
            assertTrue(drive.changeSets() > 400_000, "change-sets: " + drive.changeSets());
            assertTrue(allocated < 100_000, allocated + " bytes for 200,000 events and more");
        }
    }

    @Test
    void shouldHoldASessionThatNeverEndsInBoundedState()
    {
        try (Drive drive = new Drive(directory, Settings.ofSessions().aggregate().gap(10).lateness(1_000)
            .maxAhead(Settings.OFF).build()))
        {
            for (int i = 0; i < 100_000; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, i, 0, i, i);
            }
            final long rows = drive.operator().rows();
            final long bytes = drive.bytesOfState();
            for (int i = 100_000; i < MANY; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, i, 0, i, i);
            }
            assertTrue(rows < 2_500 && drive.operator().rows() < 2_500, drive.operator().rows() + " rows");
            assertTrue(drive.bytesOfState() <= bytes + 16 * 4096, drive.bytesOfState() + " bytes, before " + bytes);
        }
    }

    /** A session of a million members ends, and leaves the state in portions; nothing waits for it. */
    @Test
    void shouldLetGoOfALargeSessionInPortions()
    {
        try (Drive drive = new Drive(directory, Settings.ofSessions().gap(10).lateness(5).maxMove(5L)
            .maxAhead(Settings.OFF).build()))
        {
            final int members = 100_000;
            for (int i = 0; i < members; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, i, 0, i, i);
            }
            final long before = drive.operator().rows();
            drive.event(0, EventKind.UPSERT, 2, members, 0, members + 1_000L, members);
            assertTrue(drive.operator().rows() > before / 2, "not all at once");
            for (int i = 1; i < 200; i++)
            {
                drive.event(0, EventKind.UPSERT, 2, members + i, 0, members + 1_000L + i, members + i);
            }
            assertTrue(drive.operator().rows() <= 200, drive.operator().rows() + " rows");
        }
    }

    @Test
    void shouldStopBeforeTheMemberThatIsTooManyAndNameTheHeaviestKey()
    {
        final PipelineSpec any =
            Specs.of(Settings.ofSessions().gap(10).lateness(HOUR).maxAhead(Settings.OFF).build());
        final PipelineSpec spec = new PipelineSpec(
            any.topology(), any.leftStream(), any.rule(), any.watermark(), any.slots(), 1_000);
        try (Drive drive = new Drive(directory, spec))
        {
            fill(drive, 0, 1_000);
            final StateFullException full =
                assertThrows(StateFullException.class, () -> fill(drive, 1_000, 1_001));
            assertTrue(full.getMessage().contains("holds most") && full.getMessage().contains("state.max_rows"),
                full.getMessage());
        }
    }

    private static int fill(final Drive drive, final int from, final int to)
    {
        for (int i = from; i < to; i++)
        {
            // each member is needed to hold the session together
            drive.event(0, EventKind.UPSERT, 1, i, 0, 10L * i, 10L * i);
        }
        return to;
    }

    /** Nanoseconds of thread time an event. */
    private long corrections(final Drive drive, final int members)
    {
        final int rounds = 2_000;
        final long before = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < rounds; i++)
        {
            final int middle = 1 + (int)(i * 7_919L % (members - 2));
            revise(drive, 0);
            revise(drive, middle);
        }
        return (THREADS.getCurrentThreadCpuTime() - before) / (4 * rounds);
    }

    private void revise(final Drive drive, final int member)
    {
        drive.event(0, EventKind.RETRACT, 1, member, revision++, 10L * member, 0);
        drive.event(0, EventKind.UPSERT, 1, member, revision++, 10L * member, 0);
    }
}
