package io.tidemark.operator.join;

import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.store.Slot;

/** Open, ghost, gone, known: by the definitions of SEMANTICS.md section 4, for a row and the clocks of its key. */
final class RowStates
{
    private final JoinPolicy policy;
    private final Probe probe;
    private final boolean[] publishes = new boolean[2];

    RowStates(final JoinPolicy policy)
    {
        publishes[0] = policy.publishesUnmatched(0);
        publishes[1] = policy.publishesUnmatched(1);
        this.policy = policy;
        this.probe = new Probe(policy);
    }

    boolean isOpen(final int side, final long row, final long clock0, final long clock1)
    {
        return isOpen(side, RowDescriptor.time(row), RowDescriptor.end(row), clock0, clock1);
    }

    boolean isOpen(final int side, final long time, final long end, final long clock0, final long clock1)
    {
        return clock0 <= policy.closes(0, side, time, end) || clock1 <= policy.closes(1, side, time, end);
    }

    /** Whether a row waits to become final: it has no pair, and that will be published. */
    boolean isPending(final int side, final long row)
    {
        return publishes[side] && RowDescriptor.pairs(row) == 0 &&
            (RowDescriptor.flags(row) & (RowDescriptor.FINAL | RowDescriptor.TOMBSTONE)) == 0;
    }

    /** Whether a record is no longer known by itself. */
    boolean isForgotten(final int side, final long row, final long clock0, final long clock1)
    {
        final long largest = RowDescriptor.largestTime(row);
        return JoinPolicy.isPast(clock0, policy.forgets(0, side, largest)) &&
            JoinPolicy.isPast(clock1, policy.forgets(1, side, largest));
    }

    /** Whether no partner of a row can be open, without a look at them. */
    boolean isAlone(final int side, final long row, final long clock0, final long clock1)
    {
        if (RowDescriptor.pairs(row) == 0)
        {
            return true;
        }
        final long time = RowDescriptor.time(row);
        final long end = RowDescriptor.end(row);
        return clock0 > policy.partnersClose(0, side, time, end) && clock1 > policy.partnersClose(1, side, time, end);
    }

    /** Whether an open row has a current pair with this one. */
    boolean hasOpenPartner(
        final Slot slot,
        final long key,
        final int side,
        final long start,
        final long row,
        final long clock0,
        final long clock1)
    {
        if (isAlone(side, row, clock0, clock1))
        {
            return false;
        }
        final int other = 1 - side;
        long partner = probe.first(
            slot.rows(), KeyDescriptor.root(key, other), side, start, RowDescriptor.end(row));
        while (partner != 0 && !isOpen(other, partner, clock0, clock1))
        {
            partner = probe.next();
        }
        return partner != 0;
    }

    /** Whether a row or tombstone may be taken out of state: it is gone and its record is not known. */
    boolean isRemovable(final int side, final long row, final long clock0, final long clock1)
    {
        return isForgotten(side, row, clock0, clock1) &&
            (RowDescriptor.isTombstone(row) ||
            (!isOpen(side, row, clock0, clock1) && isAlone(side, row, clock0, clock1)));
    }
}
