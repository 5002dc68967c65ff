package io.tidemark.operator.keyed;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;

/**
 * Touches what the keys of a batch of events will need, in passes: index entries of all, then blocks of all. A cache
 * miss that another one waits for costs ten times one that does not (SPEED.md). Changes nothing, so that results can't
 * depend on how events fall into batches.
 */
public final class KeyTouch
{
    private final Slots slots;
    private final int newKeyClass;
    private final EventView event = new EventView();
    private final Slot[] slotOf = new Slot[EventBatch.CAPACITY];
    private final int[] refOf = new int[EventBatch.CAPACITY];

    /**
     * Creates what touches keys.
     *
     * @param slots       where keys are.
     * @param newKeyClass of the block that a new key of ordinary length will take.
     */
    public KeyTouch(final Slots slots, final int newKeyClass)
    {
        this.slots = slots;
        this.newKeyClass = newKeyClass;
    }

    /** Touches the keys of a batch; returns something read, to be used or not. */
    public long touch(final EventBatch batch)
    {
        final int size = batch.size();
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
            final Slot slot = slotOf[i];
            if (slot != null)
            {
                sum += refOf[i] == 0 ? slot.arena().touchNext(newKeyClass) : slot.arena().touchBlock(refOf[i]);
            }
        }
        return sum;
    }

    /** Reference of what is likely the key of an event, or 0; it may be another one of the same hash. */
    public int ref(final int i)
    {
        return refOf[i];
    }

    /** The slot of an event's key, where there is a reference. */
    public Slot slot(final int i)
    {
        return slotOf[i];
    }

    private long touchIndex(final EventBatch batch, final int i)
    {
        event.wrap(batch.buffer(), batch.offset(i));
        slotOf[i] = null;
        refOf[i] = 0;
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
}
