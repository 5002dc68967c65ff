package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.duration;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.store.Slot;
import io.tidemark.store.page.PageStore;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Rows that come and go a hundred thousand times while a clock stands still: what is held afterwards follows from what
 * is there, not from how often it changed. Calendars are what could grow, for an entry can't be taken back.
 */
class StateBoundsTest
{
    private static final long SECOND = 1_000_000_000L;
    private static final long MINUTE = 60 * SECOND;
    private static final long NOON = 12 * 60 * MINUTE;
    private static final int TIMES = 100_000;

    /** What keeps a calendar from being pruned too often, see {@link io.tidemark.operator.keyed.Agenda#isCrowded}. */
    private static final int SLACK = 256 + 8;

    @TempDir
    private Path directory;
    private long event;

    enum Scope
    {
        PARTITION, KEY;

        Settings settings(final Unmatched unmatched)
        {
            final var builder = Settings.intervalJoin().reach(duration("47m"), duration("8m")).lateness(3 * MINUTE)
                .maxMove(3 * MINUTE).unmatched(unmatched, true, true).maxAhead(Settings.OFF);
            return (this == KEY ? builder.keyScope(60 * MINUTE) : builder).build();
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldOneRowThatIsRevisedAgainAndAgain(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.PROVISIONAL))
        {
            for (int i = 0; i < TIMES; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, 7, i, NOON, event++);
            }
            assertHeld(drive, 1, 1);
            end(drive);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldOneRowThatMovesBackAndForth(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.FINAL))
        {
            for (int i = 0; i < TIMES; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, 7, i, NOON + i * 31L % 181 * SECOND, event++);
            }
            assertHeld(drive, 1, 1);
            end(drive);
        }
    }

    @ParameterizedTest
    @EnumSource
    void shouldHoldOneRowWhosePartnerComesAndGoes(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.FINAL))
        {
            drive.event(0, EventKind.UPSERT, 1, 7, 0, NOON, event++);
            for (int i = 0; i < TIMES; i++)
            {
                final int kind = i % 2 == 0 ? EventKind.UPSERT : EventKind.RETRACT;
                drive.event(1, kind, 1, 8, i, NOON, event++);
            }
            assertHeld(drive, 2, 1);
            end(drive);
        }
    }

    /** The left clock goes on and forgets what was withdrawn, the right one stands still. */
    @ParameterizedTest
    @EnumSource
    void shouldHoldNothingOfRowsThatWereWithdrawnLongAgo(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.FINAL))
        {
            for (int i = 0; i < TIMES; i++)
            {
                drive.event(0, EventKind.UPSERT, 1, i, 0, NOON + i * SECOND, event++);
                drive.event(0, EventKind.RETRACT, 1, i, 1, NOON + i * SECOND, event++);
            }
            // lateness and max_move, what clean-up is put off by, and what a large key keeps until it has many
            final long known = (6 * MINUTE + 21 * MINUTE) / SECOND + 64;
            assertHeld(drive, known, 1);
            end(drive);
        }
    }

    /** As before, but every row has a key of its own, which must go too. */
    @ParameterizedTest
    @EnumSource
    void shouldHoldNothingOfKeysWhoseRowsWereWithdrawnLongAgo(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.FINAL))
        {
            for (int i = 0; i < TIMES; i++)
            {
                drive.event(0, EventKind.UPSERT, i, 1, 0, NOON + i * SECOND, event++);
                drive.event(0, EventKind.RETRACT, i, 1, 1, NOON + i * SECOND, event++);
            }
            final long skew = scope == Scope.KEY ? 60 * MINUTE : 0;
            final long known = (6 * MINUTE + skew + 21 * MINUTE) / SECOND + 64;
            assertTrue(drive.engine.keyCount() <= known, () -> drive.engine.keyCount() + " keys");
            assertHeld(drive, known, known);
            end(drive);
        }
    }

    /**
     * Rows that were withdrawn are forgotten before the time at which they would have closed, and with them their keys;
     * when that time comes, blocks of keys of another length are where those were.
     */
    @ParameterizedTest
    @EnumSource
    void shouldNotTakeOneKeyForAnotherThatCameInItsPlace(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.FINAL))
        {
            for (int round = 0; round < 40; round++)
            {
                final long from = NOON + round * 24L * 60 * MINUTE;
                drive.keyLength(round % 2 == 0 ? 16 : 60);
                for (int i = 0; i < 200; i++)
                {
                    drive.event(0, EventKind.UPSERT, 1_000L * round + i, i, 0, from, event++);
                    drive.event(0, EventKind.RETRACT, 1_000L * round + i, i, 1, from, event++);
                }
                watermark(drive, from + 7 * MINUTE);
                drive.keyLength(round % 2 == 0 ? 60 : 16);
                for (int i = 0; i < 200; i++)
                {
                    drive.event(i % 2, EventKind.UPSERT, 1_000L * round + 500 + i, i, 0, from + 10 * MINUTE, event++);
                }
                for (int minute = 8; minute < 100; minute += 3)
                {
                    watermark(drive, from + minute * MINUTE);
                    StateAudit.of(drive.engine);
                }
            }
            end(drive);
        }
    }

    private void watermark(final Drive drive, final long time)
    {
        drive.event(0, EventKind.WATERMARK, 0, 0, 0, time, event++);
        drive.event(1, EventKind.WATERMARK, 0, 0, 0, time, event++);
    }

    /** Cycles of growth and decline: the pages of one serve the next. */
    @ParameterizedTest
    @EnumSource
    void shouldUseTheSamePagesAgainInEveryCycle(final Scope scope)
    {
        try (Drive drive = open(scope, Unmatched.PROVISIONAL))
        {
            long afterTwo = 0;
            for (int cycle = 0; cycle < 10; cycle++)
            {
                final long from = NOON + cycle * 24L * 60 * MINUTE;
                for (int i = 0; i < 10_000; i++)
                {
                    final long time = from + i * 7919L % 10_000 * SECOND / 100;
                    final int key = i % 3 == 0 ? i % 500 : 1;
                    drive.event(i % 9 == 0 ? 0 : 1, EventKind.UPSERT, key, i, cycle, time, event++);
                }
                drive.event(0, EventKind.WATERMARK, 0, 0, 0, from + 12 * 60 * MINUTE, event++);
                drive.event(1, EventKind.WATERMARK, 0, 0, 0, from + 12 * 60 * MINUTE, event++);
                assertEquals(0, drive.engine.census().records());
                StateAudit.of(drive.engine);
                afterTwo = cycle == 1 ? drive.bytesOfState() : afterTwo;
            }
            final long grown = drive.bytesOfState() - afterTwo;
            assertTrue(grown <= afterTwo / 10, grown + " bytes more than after two cycles with " + afterTwo);
            end(drive);
        }
    }

    private Drive open(final Scope scope, final Unmatched unmatched)
    {
        return new Drive(directory, scope.settings(unmatched));
    }

    private static void assertHeld(final Drive drive, final long rows, final long keys)
    {
        StateAudit.of(drive.engine);
        assertTrue(drive.engine.rows() <= rows, () -> drive.engine.rows() + " rows, at most " + rows);
        long bytes = 0;
        final var slots = drive.engine.censusTaker().keys.slots();
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            bytes += slot == null ? 0 : (long)slot.arena().pages() * PageStore.PAGE_SIZE;
        }
        // One of the two calendars may hold twice what it has a cause for, and some more.
        final long most = 2 * (SLACK + 2 * rows + 4 * keys) + 2;
        final long held = drive.engine.calendar(0).size() + drive.engine.calendar(1).size();
        assertTrue(held <= most, () -> held + " entries in calendars, at most " + most);
        final long inUse = bytes;
        assertTrue(inUse < (8 * 20 + rows / 8) * PageStore.PAGE_SIZE, () -> inUse + " bytes of pages");
    }

    private void end(final Drive drive)
    {
        drive.event(0, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, event++);
        drive.event(1, EventKind.WATERMARK, 0, 0, 0, Long.MAX_VALUE, event++);
        StateAudit.of(drive.engine);
        assertEquals(0, drive.engine.rows());
        assertEquals(0, drive.engine.keyCount());
    }
}
