package io.tidemark.operator.join;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.Arena;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import org.agrona.UnsafeApi;

/**
 * Touches the memory that a batch of events will need, in passes: index entries of all, then lines of all keys, then
 * their trees' first lines, then the rows in them. A cache miss that another one waits for costs ten times one that
 * does not (SPEED.md). Changes nothing, so that results can't depend on how events fall into batches.
 */
final class Prefetch
{
    /** Bytes of rows. */
    private static final int LIKELY_MATCHES = 640;

    private final Slots slots;
    private final int[] sides;
    private final EventView event = new EventView();
    private final Slot[] slotOf = new Slot[EventBatch.CAPACITY];
    private final int[] refOf = new int[EventBatch.CAPACITY];
    private final long[] keyOf = new long[EventBatch.CAPACITY];

    /** Where what was read goes, lest the compiler leaves the reads out. */
    private long touched;

    Prefetch(final PipelineSpec spec, final Slots slots)
    {
        this.slots = slots;
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
        long sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum += touchIndex(batch, i);
        }
        for (int i = 0; i < size; i++)
        {
            final Slot slot = slotOf[i];
            // The hash is replaced by the reference that it leads to.
            refOf[i] = slot == null ? 0 : slot.keys().first(refOf[i]);
        }
        for (int i = 0; i < size; i++)
        {
            keyOf[i] = refOf[i] == 0 ? 0 : slotOf[i].arena().address(refOf[i]);
            sum += refOf[i] == 0 ? touchForNewKey(slotOf[i]) : slotOf[i].arena().touchBlock(refOf[i]);
        }
        for (int i = 0; i < size; i++)
        {
            sum += keyOf[i] == 0 ? 0 : touchRoots(slotOf[i], keyOf[i]);
        }
        for (int i = 0; i < size; i++)
        {
            sum += keyOf[i] == 0 ? 0 : touchRows(slotOf[i], keyOf[i], sides[batch.source(i)]);
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
        refOf[i] = (int)(hash >>> 32);
        return slot == null ? 0 : slot.keys().touch(refOf[i]);
    }

    /** What a key of ordinary length and its first row will take. */
    private static long touchForNewKey(final Slot slot)
    {
        return slot == null ? 0 : slot.arena().touchNext(Arena.THREE_LINES);
    }

    private static long touchRoots(final Slot slot, final long key)
    {
        final int left = KeyDescriptor.root(key, 0);
        final int right = KeyDescriptor.root(key, 1);
        return (left == 0 ? 0L : UnsafeApi.getInt(slot.arena().address(left))) +
            (right == 0 ? 0L : UnsafeApi.getInt(slot.arena().address(right)));
    }

    /** Entries of both sides, and of the opposite one the rows that came last, which are most likely to match. */
    private static long touchRows(final Slot slot, final long key, final int side)
    {
        return slot.rows().touch(KeyDescriptor.root(key, side), 0) +
            slot.rows().touch(KeyDescriptor.root(key, 1 - side), LIKELY_MATCHES);
    }
}
