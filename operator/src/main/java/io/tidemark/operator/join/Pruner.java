package io.tidemark.operator.join;

import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.keyed.SlotDescriptor;
import io.tidemark.store.Arena;
import io.tidemark.store.Calendar;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;

/**
 * Takes entries that have lost their cause out of a calendar that holds too many of them. An entry can't be found when
 * its cause goes (a row moves, is withdrawn, is matched), so it stays until the clock passes it; while a clock stands
 * still, rows that come and go would fill its calendar without end.
 *
 * <p>A calendar is crowded when it holds more than twice what it can hold with a cause: an entry a row, and one for the
 * clean-up of each key that has rows or clocks; it is asked when it takes memory for more. So its length is bounded by
 * what is held, and an entry is looked at here a bounded number of times.
 */
final class Pruner
{
    private static final int FEW = 256;

    private final JoinPolicy policy;
    private final RowCursor cursor = new RowCursor();
    private final Calendar.Selection withCause = this::keeps;
    private final Calendar.Visitor restoring = this::restore;
    private Slot slot;
    private int clock;
    private KeyRefs orphans;

    Pruner(final JoinPolicy policy)
    {
        this.policy = policy;
    }

    static boolean isCrowded(final Slot slot, final int clock)
    {
        return slot.calendar(clock).size() >
            FEW + 4 * SlotDescriptor.rows(slot) + 2L * SlotDescriptor.clockBlocks(slot);
    }

    /**
     * Keeps one of each kind of entry that has a cause, and adds keys that no entry names any more to a list, with
     * their clean-up due.
     */
    void prune(final Slot ofSlot, final int ofClock, final KeyRefs orphanKeys)
    {
        slot = ofSlot;
        clock = ofClock;
        orphans = orphanKeys;
        final Calendar calendar = slot.calendar(clock);
        calendar.keep(withCause);
        // What was kept was crossed off where it belongs, lest it is kept twice.
        calendar.forEach(restoring);
        slot = null;
        orphans = null;
    }

    private boolean keeps(final long due, final int keyRef, final int note)
    {
        final Arena arena = slot.arena();
        final long key = arena.writable(keyRef);
        final boolean isKept =
            note == Expiry.CLEAN_UP ? crossOffCleanUp(key, due) : crossOffRows(key, keyRef, note, due);
        if (!isKept)
        {
            KeyDescriptor.addCalendarEntries(key, -1);
            if (KeyDescriptor.calendarEntries(key) == 0)
            {
                KeyDescriptor.addCalendarEntries(key, 1);
                orphans.add(slot.number(), keyRef, Expiry.NO_ENTRY, 0);
            }
        }
        return isKept;
    }

    /** A key that has neither rows nor clocks needs no clean-up but to be freed, as an orphan. */
    private boolean crossOffCleanUp(final long key, final long due)
    {
        if (KeyDescriptor.cleanUp(key, clock) != due)
        {
            return false;
        }
        KeyDescriptor.cleanUp(key, clock, Calendar.NOTHING_DUE);
        return KeyDescriptor.root(key, 0) != 0 || KeyDescriptor.root(key, 1) != 0 || KeyDescriptor.clocks(key) != 0;
    }

    private boolean crossOffRows(final long key, final int keyRef, final int hash, final long due)
    {
        final int side = Keys.side(hash);
        boolean any = false;
        boolean found = slot.rows().findFirst(cursor, KeyDescriptor.root(key, side), keyRef, hash);
        while (found)
        {
            final long row = cursor.body();
            if (RowDescriptor.isNoted(row, clock) && closes(side, row) == due)
            {
                slot.arena().writable(cursor.leaf());
                RowDescriptor.noted(row, clock, false);
                any = true;
            }
            found = slot.rows().findNext(cursor, keyRef, hash);
        }
        return any;
    }

    private void restore(final long due, final int keyRef, final int note)
    {
        final long key = slot.arena().writable(keyRef);
        if (note == Expiry.CLEAN_UP)
        {
            KeyDescriptor.cleanUp(key, clock, due);
            return;
        }
        final int side = Keys.side(note);
        boolean found = slot.rows().findFirst(cursor, KeyDescriptor.root(key, side), keyRef, note);
        while (found)
        {
            final long row = cursor.body();
            if (!RowDescriptor.isTombstone(row) && closes(side, row) == due)
            {
                slot.arena().writable(cursor.leaf());
                RowDescriptor.noted(row, clock, true);
            }
            found = slot.rows().findNext(cursor, keyRef, note);
        }
    }

    private long closes(final int side, final long row)
    {
        return policy.closes(clock, side, RowDescriptor.time(row), RowDescriptor.end(row));
    }
}
