package io.tidemark.operator.join;

import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyTouch;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.Slot;
import org.agrona.UnsafeApi;

/** Touches the memory that a batch of events will need: keys, then their trees' first lines, then the rows in them. */
final class Prefetch
{
    /** Bytes of rows. */
    private static final int LIKELY_MATCHES = 640;

    private final KeyTouch keys;
    private final int[] sides;

    /** Where what was read goes, lest the compiler leaves the reads out. */
    private long touched;

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
        long sum = keys.touch(batch);
        for (int i = 0; i < size; i++)
        {
            sum += keys.ref(i) == 0 ? 0 : touchRoots(keys.slot(i), keys.ref(i));
        }
        for (int i = 0; i < size; i++)
        {
            sum += keys.ref(i) == 0 ? 0 : touchRows(keys.slot(i), keys.ref(i), sides[batch.source(i)]);
        }
        touched = sum;
    }

    long touched()
    {
        return touched;
    }

    private static long touchRoots(final Slot slot, final int keyRef)
    {
        final long key = slot.arena().address(keyRef);
        final int left = KeyDescriptor.root(key, 0);
        final int right = KeyDescriptor.root(key, 1);
        return (left == 0 ? 0L : UnsafeApi.getInt(slot.arena().address(left))) +
            (right == 0 ? 0L : UnsafeApi.getInt(slot.arena().address(right)));
    }

    /** Entries of both sides, and of the opposite one the rows that came last, which are most likely to match. */
    private static long touchRows(final Slot slot, final int keyRef, final int side)
    {
        final long key = slot.arena().address(keyRef);
        return slot.rows().touch(KeyDescriptor.root(key, side), 0) +
            slot.rows().touch(KeyDescriptor.root(key, 1 - side), LIKELY_MATCHES);
    }
}
