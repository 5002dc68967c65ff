package io.tidemark.operator.session;

import io.tidemark.operator.keyed.Keys;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.TimeIndex;

/**
 * Members and tombstones of keys, in a tree each, found by id. Of one id there is one of both at most. A member stays
 * in its tree when its session has become final, until it is swept.
 */
final class Members
{
    private final SessionPolicy policy;
    private final Keys keys;
    private final RowCursor session = new RowCursor();

    Members(final SessionPolicy policy, final Keys keys)
    {
        this.policy = policy;
        this.keys = keys;
    }

    /** Goes to the member that an event is about. */
    boolean find(final Subject s, final RowCursor cursor)
    {
        return find(s, cursor, Trees.membersRoot(s.slot().arena().address(s.keyRef())), s.memberHash);
    }

    /** Goes to the tombstone that an event is about. */
    boolean findTombstone(final Subject s, final RowCursor cursor)
    {
        return find(s, cursor, Trees.tombstonesRoot(s.slot().arena().address(s.keyRef())), s.tombstoneHash);
    }

    /** Whether a member in state can be revised and retracted. */
    boolean isOpen(final Subject s, final long time)
    {
        if (policy.aggregates())
        {
            return s.clock <= policy.aggregatedAfter(time);
        }
        // A session ends with this member or later.
        return !policy.isFinal(time, s.clock) || isSessionOpen(s, time);
    }

    private boolean isSessionOpen(final Subject s, final long time)
    {
        final int sessions = Trees.sessionsRoot(s.slot().arena().address(s.keyRef()));
        if (!s.slot().rows().seekLast(session, sessions, time))
        {
            return false;
        }
        final long end = SessionDescriptor.end(session.body());
        return end >= time && !policy.isFinal(end, s.clock);
    }

    void add(final Subject s, final long largest)
    {
        final TimeIndex rows = s.slot().rows();
        final long row = rows.insertMeasured(
            Trees.members(s.slot().arena().address(s.keyRef())), s.keyRef(), s.time(), s.memberHash,
            MemberDescriptor.length(s.event().idLength()));
        put(s, row, largest, s.event().value());
        rows.aggregates().inserted(rows.inserted());
        keys.added(s.slot());
    }

    void addTombstone(final Subject s, final long largest)
    {
        put(s, tombstone(s, largest, s.event().idLength()), largest, 0);
        keys.added(s.slot());
    }

    /** A tombstone saw another event: it stands by the largest time, and with the revision. */
    void tombstoneSaw(final Subject s, final RowCursor cursor, final int revision)
    {
        if (s.time() <= cursor.start())
        {
            s.slot().arena().writable(cursor.leaf());
            MemberDescriptor.revision(cursor.body(), revision);
            return;
        }
        removeTombstone(s, cursor);
        final long row = tombstone(s, s.time(), s.event().idLength());
        put(s, row, s.time(), 0);
        MemberDescriptor.revision(row, revision);
        keys.added(s.slot());
    }

    void revise(final Subject s, final RowCursor cursor, final long largest)
    {
        s.slot().arena().writable(cursor.leaf());
        final long row = cursor.body();
        MemberDescriptor.largestTime(row, largest);
        MemberDescriptor.revision(row, s.event().revision());
        MemberDescriptor.value(row, s.event().value());
        s.slot().rows().aggregates().changed(cursor.leaf());
    }

    void remove(final Subject s, final RowCursor cursor)
    {
        s.slot().rows().remove(
            Trees.members(s.slot().arena().address(s.keyRef())), cursor.leaf(), 1L << cursor.entry());
        keys.removed(s.slot(), 1);
    }

    /** A member that is not known any more makes room for another of its id; its session may go on. */
    void removeForgotten(final Subject s, final RowCursor cursor)
    {
        final Slot slot = s.slot();
        slot.arena().writable(s.keyRef());
        if (policy.aggregates())
        {
            Sweeper.fold(slot, slot.arena().address(s.keyRef()), session, cursor);
        }
        remove(s, cursor);
    }

    void removeTombstone(final Subject s, final RowCursor cursor)
    {
        s.slot().arena().writable(s.keyRef());
        s.slot().rows().remove(
            Trees.tombstones(s.slot().arena().address(s.keyRef())), cursor.leaf(), 1L << cursor.entry());
        keys.removed(s.slot(), 1);
    }

    private long tombstone(final Subject s, final long largest, final int idLength)
    {
        return s.slot().rows().insert(Trees.tombstones(s.slot().arena().writable(s.keyRef())), s.keyRef(), largest,
            s.tombstoneHash, MemberDescriptor.length(idLength));
    }

    private static void put(final Subject s, final long row, final long largest, final long value)
    {
        MemberDescriptor.put(row, largest, value, s.event().revision(), s.idAddress(), s.event().idLength());
    }

    private static boolean find(final Subject s, final RowCursor cursor, final int root, final int hash)
    {
        final TimeIndex rows = s.slot().rows();
        final int idLength = s.event().idLength();
        boolean found = rows.findFirst(cursor, root, s.keyRef(), hash);
        while (found && !MemberDescriptor.hasId(cursor.body(), s.idAddress(), idLength))
        {
            found = rows.findNext(cursor, s.keyRef(), hash);
        }
        return found;
    }
}
