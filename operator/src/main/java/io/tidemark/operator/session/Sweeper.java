package io.tidemark.operator.session;

import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.TimeIndex;

/**
 * Takes members and tombstones out of the trees of one key: members of final sessions when their records are no longer
 * known, or as soon as they are old where sessions keep those as sums; tombstones when they are forgotten. What can
 * leave is at the front of its tree, but for members whose largest time is later than their own.
 *
 * <p>A sweep takes a limited number of leaves, so that the end of a session with a million members does not hold the
 * others up.
 */
final class Sweeper
{
    private static final int FEW = 4;
    private static final int MOST_LEAVES = 32;

    private final SessionPolicy policy;
    private final RowCursor cursor = new RowCursor();
    private final RowCursor session = new RowCursor();
    private long nextDue;
    private int removed;
    private boolean hasSeveral;
    private boolean isUnfinished;

    Sweeper(final SessionPolicy policy)
    {
        this.policy = policy;
    }

    /** Sweeps a key whose block may be written to. */
    void sweep(final Slot slot, final long key, final boolean thoroughly, final long clock)
    {
        removed = 0;
        hasSeveral = false;
        isUnfinished = false;
        nextDue = Calendar.NOTHING_DUE;
        final int mostLeaves = thoroughly || clock == Times.PLUS_INFINITY ? Integer.MAX_VALUE : MOST_LEAVES;
        sweepTombstones(slot, key, clock, mostLeaves);
        sweepMembers(slot, key, clock, mostLeaves);
    }

    /** Members and tombstones that the last sweep removed. */
    int removed()
    {
        return removed;
    }

    /** Whether so much is there that it is worth while to wait until several may leave. */
    boolean hasSeveral()
    {
        return hasSeveral;
    }

    /** Whether there was more to remove than one sweep takes. */
    boolean isUnfinished()
    {
        return isUnfinished;
    }

    /** When the first of what is left may leave, or {@link Calendar#NOTHING_DUE}. */
    long nextDue()
    {
        return nextDue;
    }

    private void sweepTombstones(final Slot slot, final long key, final long clock, final int mostLeaves)
    {
        final TimeIndex rows = slot.rows();
        int leavesLeft = mostLeaves;
        while (rows.first(cursor, Trees.tombstonesRoot(key)))
        {
            hasSeveral |= cursor.rows() > FEW;
            long gone = 0;
            boolean goesOn = true;
            while (goesOn && policy.isForgotten(cursor.start(), clock))
            {
                gone |= 1L << cursor.entry();
                goesOn = rows.nextOfLeaf(cursor);
            }
            if (goesOn)
            {
                nextDue = Math.min(nextDue, policy.forgottenAfter(cursor.start()));
            }
            if (gone != 0)
            {
                removed += Long.bitCount(gone);
                rows.remove(Trees.tombstones(key), cursor.leaf(), gone);
            }
            if (goesOn)
            {
                return;
            }
            if (--leavesLeft == 0)
            {
                isUnfinished = true;
                return;
            }
        }
    }

    private void sweepMembers(final Slot slot, final long key, final long clock, final int mostLeaves)
    {
        final TimeIndex rows = slot.rows();
        if (!rows.first(cursor, Trees.membersRoot(key)))
        {
            return;
        }
        int leaf = cursor.leaf();
        int leavesLeft = mostLeaves;
        boolean goesOn = true;
        while (leaf != 0 && goesOn)
        {
            rows.toLeaf(cursor, leaf);
            hasSeveral |= cursor.rows() > FEW;
            final long gone =
                policy.aggregates() ? foldOfLeaf(slot, key, clock) : goneOfLeaf(slot, key, clock);
            goesOn = cursor.entry() == cursor.rows();
            removed += Long.bitCount(gone);
            leaf = gone != 0 ? rows.remove(Trees.members(key), leaf, gone) : rows.leafAfter(leaf);
            if (--leavesLeft == 0 && goesOn && leaf != 0)
            {
                isUnfinished = true;
                return;
            }
        }
    }

    /** The rows of the cursor's leaf that may be removed, a bit for each; stops at the first of an open session. */
    private long goneOfLeaf(final Slot slot, final long key, final long clock)
    {
        final boolean hasOpen = slot.rows().first(session, Trees.sessionsRoot(key));
        long gone = 0;
        boolean more = true;
        while (more)
        {
            final long largest = MemberDescriptor.largestTime(cursor.body());
            if (hasOpen && cursor.start() >= session.start())
            {
                final long end = SessionDescriptor.end(session.body());
                nextDue = Math.min(nextDue, Math.max(policy.finalAfter(end), policy.forgottenAfter(largest)));
                return gone;
            }
            if (policy.isForgotten(largest, clock))
            {
                gone |= 1L << cursor.entry();
            }
            else
            {
                nextDue = Math.min(nextDue, policy.forgottenAfter(largest));
            }
            more = slot.rows().nextOfLeaf(cursor);
        }
        return gone;
    }

    /** Takes the old rows of the cursor's leaf into the sums of their session, if it is open still. */
    private long foldOfLeaf(final Slot slot, final long key, final long clock)
    {
        long gone = 0;
        boolean more = true;
        while (more)
        {
            if (clock <= policy.aggregatedAfter(cursor.start()))
            {
                nextDue = Math.min(nextDue, policy.aggregatedAfter(cursor.start()));
                return gone;
            }
            fold(slot, key, session, cursor);
            gone |= 1L << cursor.entry();
            more = slot.rows().nextOfLeaf(cursor);
        }
        return gone;
    }

    /** Takes a member into the sums of its session, if that is open still. */
    static void fold(final Slot slot, final long key, final RowCursor session, final RowCursor member)
    {
        final long time = member.start();
        if (slot.rows().seekLast(session, Trees.sessionsRoot(key), time) &&
            SessionDescriptor.end(session.body()) >= time)
        {
            slot.arena().writable(session.leaf());
            SessionDescriptor.fold(session.body(), time, MemberDescriptor.value(member.body()));
        }
    }
}
