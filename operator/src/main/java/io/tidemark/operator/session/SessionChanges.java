package io.tidemark.operator.session;

import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.store.Aggregate;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.TimeIndex;
import org.agrona.UnsafeApi;

/**
 * What an accepted event makes of the sessions of its key: {@link #begin}, then any of {@link #add}, {@link #remove}
 * and {@link #revise}, each when the members' tree has followed already. What a session was before is remembered once,
 * and those that are there now are marked, so that a member that moves (a removal and an addition) is one change.
 *
 * <p>A session's aggregates are kept with it: a member that comes costs no look at the others, nor does one that goes
 * unless it was the smallest or largest, or the session splits. Then the members' tree says what is left.
 */
final class SessionChanges
{
    private final SessionPolicy policy;
    private final SessionImages ended = new SessionImages();
    private final RowCursor left = new RowCursor();
    private final RowCursor right = new RowCursor();
    private final RowCursor member = new RowCursor();
    private final long scratch = UnsafeApi.allocateMemory(SessionDescriptor.length(true));
    private final long[] starts = new long[8];
    private int startCount;
    private Slot slot;
    private TimeIndex rows;
    private int keyRef;
    private long key;

    SessionChanges(final SessionPolicy policy)
    {
        this.policy = policy;
    }

    /** Begins with a key whose block may be written to. */
    void begin(final Slot ofSlot, final int ofKey)
    {
        slot = ofSlot;
        rows = ofSlot.rows();
        keyRef = ofKey;
        key = ofSlot.arena().address(ofKey);
        ended.clear();
        startCount = 0;
    }

    /** Images of the sessions that were there and have changed or are no more. */
    SessionImages ended()
    {
        return ended;
    }

    /** How many starts of sessions that were made are known; some may have been unmade again. */
    int madeCount()
    {
        return startCount;
    }

    /** Goes to a session that was made, if it still is there and was not taken before. */
    boolean takeMade(final int i, final RowCursor session)
    {
        if (!rows.seekLast(session, Trees.sessionsRoot(key), starts[i]) || session.start() != starts[i] ||
            !SessionDescriptor.isChanged(session.body()))
        {
            return false;
        }
        slot.arena().writable(session.leaf());
        SessionDescriptor.changed(session.body(), false);
        return true;
    }

    /** A member came: it extends, makes or bridges sessions. */
    void add(final long time, final long value)
    {
        final int root = Trees.sessionsRoot(key);
        final boolean hasLeft = rows.seekLast(left, root, time) && reaches(left, time);
        final boolean hasRight = rows.seek(right, root, time + 1) && !policy.isGap(time, right.start());
        if (hasLeft)
        {
            final long session = change(left);
            Aggregate.add(SessionDescriptor.aggregate(session), value);
            SessionDescriptor.end(session, Math.max(time, SessionDescriptor.end(session)));
            if (hasRight)
            {
                final long bridged = change(right);
                Aggregate.addAll(SessionDescriptor.aggregate(session), SessionDescriptor.aggregate(bridged));
                SessionDescriptor.end(session, SessionDescriptor.end(bridged));
                remove(right);
            }
        }
        else if (hasRight)
        {
            Aggregate.add(SessionDescriptor.aggregate(change(right)), value);
            restart(right, time);
        }
        else
        {
            final long session = insert(time);
            SessionDescriptor.changed(session, true);
            SessionDescriptor.start(session, time);
            SessionDescriptor.end(session, time);
            Aggregate.add(SessionDescriptor.aggregate(session), value);
        }
    }

    /** A member of an open session went: that shrinks, splits or ends. */
    void remove(final long time, final long value)
    {
        toSessionOf(time);
        final long session = change(left);
        final long aggregate = SessionDescriptor.aggregate(session);
        if (Aggregate.count(aggregate) == 1)
        {
            remove(left);
            return;
        }
        final boolean wasExtreme = Aggregate.take(aggregate, value);
        final long start = SessionDescriptor.start(session);
        final long end = SessionDescriptor.end(session);
        final long before = memberBefore(session, time, start);
        final long after = memberAfter(time);
        final boolean hasBefore = before >= start;
        final boolean hasAfter = after <= end;
        final boolean splits = hasBefore && hasAfter && policy.isGap(before, after);
        final long newEnd = hasAfter && !splits ? end : before;
        if (wasExtreme || splits)
        {
            recompute(session, hasBefore ? start : after, newEnd);
        }
        SessionDescriptor.end(session, newEnd);
        if (!hasBefore)
        {
            restart(left, after);
        }
        else if (splits)
        {
            final long split = insert(after);
            SessionDescriptor.changed(split, true);
            SessionDescriptor.start(split, after);
            SessionDescriptor.end(split, end);
            rows.aggregates().addRows(Trees.membersRoot(key), after, end, SessionDescriptor.aggregate(split));
        }
    }

    /** A member of an open session has another value. */
    void revise(final long time, final long oldValue, final long newValue)
    {
        toSessionOf(time);
        final long session = change(left);
        final long aggregate = SessionDescriptor.aggregate(session);
        if (Aggregate.take(aggregate, oldValue))
        {
            recompute(session, SessionDescriptor.start(session), SessionDescriptor.end(session));
        }
        else
        {
            Aggregate.add(aggregate, newValue);
        }
    }

    void close()
    {
        ended.close();
        UnsafeApi.freeMemory(scratch);
    }

    /** Hash of a session in its tree: unlike that of any id. */
    static int hash(final long start)
    {
        return (KeyHash.mix(start) & ~3) | 1;
    }

    private boolean reaches(final RowCursor session, final long time)
    {
        final long end = SessionDescriptor.end(session.body());
        return time <= end || !policy.isGap(end, time);
    }

    private void toSessionOf(final long time)
    {
        final boolean found = rows.seekLast(left, Trees.sessionsRoot(key), time);
        assert found && SessionDescriptor.end(left.body()) >= time : "an open member is in a session";
    }

    /** Remembers what a session was, the first time that it changes. */
    private long change(final RowCursor at)
    {
        slot.arena().writable(at.leaf());
        final long session = at.body();
        if (!SessionDescriptor.isChanged(session))
        {
            SessionDescriptor.changed(session, true);
            ended.copy(SessionDescriptor.image(session));
        }
        starts[startCount++] = at.start();
        return session;
    }

    /** Time of the last member up to a time, or before the session's start. */
    private long memberBefore(final long session, final long time, final long start)
    {
        final long inTree = rows.seekLast(member, Trees.membersRoot(key), time) ? member.start() : Long.MIN_VALUE;
        final boolean hasBase = policy.aggregates() && Aggregate.count(SessionDescriptor.base(session)) > 0;
        assert !hasBase || SessionDescriptor.baseLast(session) >= start;
        return hasBase ? Math.max(inTree, SessionDescriptor.baseLast(session)) : inTree;
    }

    /** Time of the first member from a time on, or after the session's end. */
    private long memberAfter(final long time)
    {
        return rows.seek(member, Trees.membersRoot(key), time) ? member.start() : Long.MAX_VALUE;
    }

    private void recompute(final long session, final long from, final long to)
    {
        final long aggregate = SessionDescriptor.aggregate(session);
        Aggregate.clear(aggregate);
        if (policy.aggregates())
        {
            Aggregate.addAll(aggregate, SessionDescriptor.base(session));
        }
        rows.aggregates().addRows(Trees.membersRoot(key), from, to, aggregate);
    }

    /** Lets a session start at another time; its cursor is of no use afterwards. */
    private void restart(final RowCursor at, final long start)
    {
        UnsafeApi.copyMemory(at.body(), scratch, at.length());
        final int length = at.length();
        remove(at);
        final long session = insert(start);
        UnsafeApi.copyMemory(scratch, session, length);
        SessionDescriptor.start(session, start);
    }

    private long insert(final long start)
    {
        starts[startCount++] = start;
        return rows.insert(
            Trees.sessions(key), keyRef, start, hash(start), SessionDescriptor.length(policy.aggregates()));
    }

    private void remove(final RowCursor at)
    {
        rows.remove(Trees.sessions(key), at.leaf(), 1L << at.entry());
    }
}
