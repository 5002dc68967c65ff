package io.tidemark.operator.join;

import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.TimeIndex;

/**
 * Takes what is gone out of the trees of one key (SEMANTICS.md section 5). A tree of one leaf is looked through as a
 * whole; of a larger one only the front, as far as rows can be gone, and the rest only when many tombstones may be in
 * it. A row with pairs leaves when no partner can be open any more, which takes no look at the partners.
 */
final class Sweeper
{
    private static final int FEW = 4;

    private final JoinPolicy policy;
    private final RowStates states;
    private final RowCursor cursor = new RowCursor();
    private final long[] nextDues = new long[2];
    private int removed;
    private boolean hasSeveral;

    /** Whether a row was noted that waits for its partners to close: those behind it wait longer. */
    private boolean waitsForPartners;

    /** Rows with pairs that start here or later wait for their partners, see {@link JoinPolicy#waitsFrom}. */
    private long waitsFrom;

    /** Rows that start before this are closed, and their partners too, see {@link JoinPolicy#surelyGoneBefore}. */
    private long surelyGoneBefore;

    /** Records of rows whose largest time is before this are forgotten. */
    private long forgottenBefore;

    Sweeper(final JoinPolicy policy, final RowStates states)
    {
        this.policy = policy;
        this.states = states;
    }

    /** When a row or tombstone may leave, as far as one clock is concerned. */
    long leaves(final int clock, final int side, final long row)
    {
        final long forgets = policy.forgets(clock, side, RowDescriptor.largestTime(row));
        if (RowDescriptor.isTombstone(row))
        {
            return forgets;
        }
        final long time = RowDescriptor.time(row);
        final long end = RowDescriptor.end(row);
        final long closes = Math.max(forgets, policy.closes(clock, side, time, end));
        return RowDescriptor.pairs(row) == 0 ?
            closes : Math.max(closes, policy.partnersClose(clock, side, time, end));
    }

    /** Removes what is gone from both trees of a key. */
    void sweep(
        final Slot slot,
        final long key,
        final boolean thoroughly,
        final long clock0,
        final long clock1)
    {
        removed = 0;
        hasSeveral = false;
        nextDues[0] = Calendar.NOTHING_DUE;
        nextDues[1] = Calendar.NOTHING_DUE;
        for (int side = 0; side < 2; side++)
        {
            sweepSide(slot, key, side, thoroughly, clock0, clock1);
        }
    }

    /** Rows and tombstones that the last sweep removed. */
    int removed()
    {
        return removed;
    }

    /** Whether the key had so many rows that it is worth while to wait until several may leave. */
    boolean hasSeveral()
    {
        return hasSeveral;
    }

    /** When the first of what is left and waits for a clock may leave, or {@link Calendar#NOTHING_DUE}. */
    long nextDue(final int clock)
    {
        return nextDues[clock];
    }

    private void sweepSide(
        final Slot slot,
        final long key,
        final int side,
        final boolean thoroughly,
        final long clock0,
        final long clock1)
    {
        final TimeIndex rows = slot.rows();
        if (!rows.first(cursor, KeyDescriptor.root(key, side)))
        {
            return;
        }
        final long openFrom = policy.openFrom(side, clock0, clock1);
        final long goneBefore = policy.goneBefore(side, clock0, clock1);
        surelyGoneBefore = policy.surelyGoneBefore(side, clock0, clock1);
        forgottenBefore = policy.forgottenBefore(side, clock0, clock1);
        final boolean manyTombstones = KeyDescriptor.tombstones(key) > TimeIndex.MOST_ROWS;
        waitsForPartners = false;
        waitsFrom = thoroughly ? Times.PLUS_INFINITY : policy.waitsFrom(side, clock0, clock1);
        int leaf = cursor.leaf();
        boolean goesOn = true;
        while (leaf != 0 && goesOn)
        {
            rows.toLeaf(cursor, leaf);
            hasSeveral |= cursor.rows() > FEW;
            final long start = cursor.start();
            final long gone = goneOfLeaf(slot, key, side, thoroughly, openFrom, clock0, clock1);
            // A leaf without rows to remove ends the search unless its rows could have been gone but for exceptions.
            goesOn = thoroughly || gone != 0 || manyTombstones || start < goneBefore;
            if (gone != 0)
            {
                removed += Long.bitCount(gone);
                leaf = rows.remove(KeyDescriptor.rootAddress(key, side), leaf, gone);
            }
            else
            {
                leaf = rows.leafAfter(leaf);
            }
        }
    }

    /** The rows of the cursor's leaf that may be removed, a bit for each; notes when the others may. */
    private long goneOfLeaf(
        final Slot slot,
        final long key,
        final int side,
        final boolean thoroughly,
        final long openFrom,
        final long clock0,
        final long clock1)
    {
        long gone = 0;
        boolean anyOpen = false;
        do
        {
            final long row = cursor.body();
            if (cursor.start() >= openFrom && cursor.start() != Times.MIN && !RowDescriptor.isTombstone(row))
            {
                // Those behind it are open too, and leave later; only tombstones may be gone among them.
                if (!anyOpen)
                {
                    anyOpen = true;
                    note(side, row, clock0, clock1);
                }
                if (KeyDescriptor.tombstones(key) == 0)
                {
                    return gone;
                }
            }
            else if (!waitsForPartners || !isWaiting(row))
            {
                // One that waits like one before it waits no less time.
                if (isRemovable(slot, key, side, row, thoroughly, clock0, clock1))
                {
                    gone |= 1L << cursor.entry();
                    KeyDescriptor.addTombstones(key, RowDescriptor.isTombstone(row) ? -1 : 0);
                }
                else if (RowDescriptor.pairs(row) == 0 || !waitsForPartners)
                {
                    waitsForPartners |= RowDescriptor.pairs(row) > 0;
                    note(side, row, clock0, clock1);
                }
            }
        }
        while (slot.rows().nextOfLeaf(cursor));
        return gone;
    }

    /** Whether it takes no look at the row's times to see that it waits for its partners. */
    private boolean isWaiting(final long row)
    {
        return cursor.start() >= waitsFrom && cursor.start() != Times.MIN && RowDescriptor.pairs(row) > 0;
    }

    private boolean isRemovable(
        final Slot slot,
        final long key,
        final int side,
        final long row,
        final boolean thoroughly,
        final long clock0,
        final long clock1)
    {
        if (states.isPending(side, row))
        {
            return false;
        }
        if (cursor.start() < surelyGoneBefore && RowDescriptor.largestTime(row) < forgottenBefore)
        {
            return true;
        }
        if (states.isRemovable(side, row, clock0, clock1))
        {
            return true;
        }
        return thoroughly && !RowDescriptor.isTombstone(row) && states.isForgotten(side, row, clock0, clock1) &&
            !states.isOpen(side, row, clock0, clock1) &&
            !states.hasOpenPartner(slot, key, side, cursor.start(), row, clock0, clock1);
    }

    /** Remembers when the row may leave, on the clock that it waits for. */
    private void note(final int side, final long row, final long clock0, final long clock1)
    {
        final long due0 = leaves(0, side, row);
        final long due1 = leaves(1, side, row);
        final int clock = JoinPolicy.waitingClock(clock0, clock1, due0, due1);
        nextDues[clock] = Math.min(nextDues[clock], clock == 0 ? due0 : due1);
    }
}
