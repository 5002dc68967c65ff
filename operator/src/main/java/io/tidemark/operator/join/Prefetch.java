package io.tidemark.operator.join;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import org.agrona.UnsafeApi;

/**
 * Touches the memory that a batch of events will need, in passes: index entries of all, then lines of all keys, then
 * the trees' roots. A cache miss that another one waits for costs ten times one that does not (SPEED.md). Changes
 * nothing, so that results can't depend on how events fall into batches.
 */
final class Prefetch
{
    private final Slots slots;
    private final EventView event = new EventView();
    private final Slot[] slotOf = new Slot[EventBatch.CAPACITY];
    private final int[] hashOf = new int[EventBatch.CAPACITY];
    private final long[] keyOf = new long[EventBatch.CAPACITY];

    /** Where what was read goes, lest the compiler leaves the reads out. */
    private long touched;

    Prefetch(final Slots slots)
    {
        this.slots = slots;
    }

    void touch(final EventBatch batch)
    {
        final int size = batch.size();
        if (size < 2)
        {
            return;
        }
        long sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum += touchIndex(batch, i);
        }
        for (int i = 0; i < size; i++)
        {
            sum += touchKey(i);
        }
        for (int i = 0; i < size; i++)
        {
            sum += touchTrees(i);
        }
        touched = sum;
    }

    long touched()
    {
        return touched;
    }

    private long touchIndex(final EventBatch batch, final int i)
    {
        event.wrap(batch.buffer(), batch.offset(i));
        slotOf[i] = null;
        if (event.kind() == EventKind.WATERMARK)
        {
            return 0;
        }
        final long hash = KeyHash.hash(batch.buffer().addressOffset() + event.keyOffset(), event.keyLength());
        final Slot slot = slots.existing(KeyHash.slot(hash, slots.count()));
        slotOf[i] = slot;
        hashOf[i] = (int)(hash >>> 32);
        return slot == null ? 0 : slot.keys().touch(hashOf[i]);
    }

    private long touchKey(final int i)
    {
        final Slot slot = slotOf[i];
        final int ref = slot == null ? 0 : slot.keys().first(hashOf[i]);
        keyOf[i] = ref == 0 ? 0 : slot.arena().address(ref);
        return ref == 0 ? 0 : UnsafeApi.getInt(keyOf[i]);
    }

    private long touchTrees(final int i)
    {
        final long key = keyOf[i];
        return key == 0 ? 0 : touchTree(slotOf[i], KeyDescriptor.root(key, 0)) +
            touchTree(slotOf[i], KeyDescriptor.root(key, 1));
    }

    private static long touchTree(final Slot slot, final int root)
    {
        return root == 0 ? 0 : UnsafeApi.getInt(slot.arena().address(root));
    }
}
