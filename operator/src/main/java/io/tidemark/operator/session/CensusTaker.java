package io.tidemark.operator.session;

import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;

/** Counts by looking at every row; changes nothing. */
final class CensusTaker
{
    private final SessionPolicy policy;
    private final Keys keys;
    private final KeyClocks keyClocks;
    private final RowCursor cursor = new RowCursor();
    private final RowCursor session = new RowCursor();
    private long open;
    private long records;
    private long tombstones;
    private long sessions;
    private long ownClocks;

    CensusTaker(final SessionPolicy policy, final Keys keys, final KeyClocks keyClocks)
    {
        this.policy = policy;
        this.keys = keys;
        this.keyClocks = keyClocks;
    }

    SessionCensus take()
    {
        final KeyRefs all = new KeyRefs();
        keys.forEach(all);
        for (int i = 0; i < all.size(); i++)
        {
            final Slot slot = keys.slots().existing(all.slot(i));
            final long key = slot.arena().address(all.key(i));
            final long clock = keyClocks.clock(slot.arena(), key, 0);
            ownClocks += keyClocks.hasOwn(slot.arena(), key, 0) ? 1 : 0;
            countMembers(slot, key, clock);
            countTombstones(slot, key, clock);
            countSessions(slot, key, clock);
        }
        all.close();
        return new SessionCensus(open, records, tombstones, sessions, ownClocks);
    }

    private void countMembers(final Slot slot, final long key, final long clock)
    {
        boolean more = slot.rows().first(cursor, Trees.membersRoot(key));
        while (more)
        {
            final boolean isOpen = policy.aggregates() ?
                clock <= policy.aggregatedAfter(cursor.start()) : isInOpenSession(slot, key, clock);
            open += isOpen ? 1 : 0;
            records += isOpen || !policy.isForgotten(MemberDescriptor.largestTime(cursor.body()), clock) ? 1 : 0;
            more = slot.rows().next(cursor);
        }
    }

    private boolean isInOpenSession(final Slot slot, final long key, final long clock)
    {
        return slot.rows().seekLast(session, Trees.sessionsRoot(key), cursor.start()) &&
            SessionDescriptor.end(session.body()) >= cursor.start() &&
            !policy.isFinal(SessionDescriptor.end(session.body()), clock);
    }

    private void countTombstones(final Slot slot, final long key, final long clock)
    {
        boolean more = slot.rows().first(cursor, Trees.tombstonesRoot(key));
        while (more)
        {
            final boolean isKnown = !policy.isForgotten(MemberDescriptor.largestTime(cursor.body()), clock);
            records += isKnown ? 1 : 0;
            tombstones += isKnown ? 1 : 0;
            more = slot.rows().next(cursor);
        }
    }

    private void countSessions(final Slot slot, final long key, final long clock)
    {
        boolean more = slot.rows().first(cursor, Trees.sessionsRoot(key));
        while (more)
        {
            sessions += policy.isFinal(SessionDescriptor.end(cursor.body()), clock) ? 0 : 1;
            more = slot.rows().next(cursor);
        }
    }
}
