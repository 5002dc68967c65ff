package io.tidemark.operator.join;

import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyTouch;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.Lines;
import io.tidemark.store.Slot;

/** Touches the memory that a batch of events will need: keys, then their trees' first lines, then the rows in them. */
final class Prefetch
{
    /** Bytes of rows. */
    private static final int LIKELY_MATCHES = 640;

    private final KeyTouch keys;
    private final int[] sides;
    private final Lines lines = new Lines();

    Prefetch(final PipelineSpec spec, final KeyTouch keys)
    {
        this.keys = keys;
        this.sides = new int[spec.topology().sources()];
        for (int source = 0; source < sides.length; source++)
        {
            sides[source] = spec.side(spec.topology().streamOf(source));
        }
    }

    void touch(final EventBatch batch)
    {
        final int size = batch.size();
        if (size < 2)
        {
            return;
        }
        keys.touch(batch, lines);
        for (int i = 0; i < size; i++)
        {
            if (keys.ref(i) != 0)
            {
                addRoots(keys.slot(i), keys.ref(i));
            }
        }
        lines.fetch();
        for (int i = 0; i < size; i++)
        {
            if (keys.ref(i) != 0)
            {
                addRows(keys.slot(i), keys.ref(i), sides[batch.source(i)]);
            }
        }
        lines.fetch();
    }

    private void addRoots(final Slot slot, final int keyRef)
    {
        final long key = slot.arena().address(keyRef);
        for (int side = 0; side < 2; side++)
        {
            final int root = KeyDescriptor.root(key, side);
            if (root != 0 && !KeyDescriptor.isHome(keyRef, root))
            {
                lines.add(slot.arena().address(root));
            }
        }
    }

    /** Entries of both sides, and of the opposite one the rows that came last, which are most likely to match. */
    private void addRows(final Slot slot, final int keyRef, final int side)
    {
        final long key = slot.arena().address(keyRef);
        slot.rows().addLast(lines, KeyDescriptor.root(key, side), 0);
        slot.rows().addLast(lines, KeyDescriptor.root(key, 1 - side), LIKELY_MATCHES);
    }
}
