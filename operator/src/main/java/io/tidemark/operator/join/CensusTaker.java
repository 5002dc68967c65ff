package io.tidemark.operator.join;

import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;

/** Counts by looking at every row; changes nothing. */
final class CensusTaker
{
    final JoinPolicy policy;
    final Keys keys;
    final KeyClocks keyClocks;
    final RowStates states;
    private final RowCursor cursor = new RowCursor();
    private long open;
    private long ghosts;
    private long records;
    private long tombstones;
    private long ownClocks;

    CensusTaker(final JoinPolicy policy, final Keys keys, final KeyClocks keyClocks)
    {
        this.policy = policy;
        this.keys = keys;
        this.keyClocks = keyClocks;
        this.states = new RowStates(policy);
    }

    Census take()
    {
        open = 0;
        ghosts = 0;
        records = 0;
        tombstones = 0;
        ownClocks = 0;
        final KeyRefs all = new KeyRefs();
        keys.forEach(all);
        for (int i = 0; i < all.size(); i++)
        {
            final Slot slot = keys.slots().existing(all.slot(i));
            final long key = slot.arena().address(all.key(i));
            for (int side = 0; side < 2; side++)
            {
                ownClocks += keyClocks.hasOwn(slot.arena(), key, side) ? 1 : 0;
                count(slot, key, side);
            }
        }
        all.close();
        return new Census(open, ghosts, records, tombstones, ownClocks);
    }

    private void count(final Slot slot, final long key, final int side)
    {
        final long clock0 = keyClocks.clock(slot.arena(), key, 0);
        final long clock1 = keyClocks.clock(slot.arena(), key, 1);
        boolean more = slot.rows().first(cursor, KeyDescriptor.root(key, side));
        while (more)
        {
            final long row = cursor.body();
            final boolean isTombstone = RowDescriptor.isTombstone(row);
            final boolean isOpen = !isTombstone && states.isOpen(side, row, clock0, clock1);
            final boolean isGhost = !isTombstone && !isOpen &&
                states.hasOpenPartner(slot, key, side, cursor.start(), row, clock0, clock1);
            final boolean isKnown = isOpen || isGhost || !states.isForgotten(side, row, clock0, clock1);
            open += isOpen ? 1 : 0;
            ghosts += isGhost ? 1 : 0;
            records += isKnown ? 1 : 0;
            tombstones += isKnown && isTombstone ? 1 : 0;
            more = slot.rows().next(cursor);
        }
    }
}
