package io.tidemark.operator.session;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;

/**
 * Touches the memory that a batch of events will need, in passes: index entries of all, then lines of all keys, then
 * their members and sessions, so that cache misses overlap. Changes nothing.
 */
final class Prefetch
{
    /** Bytes of rows: a key's only session, and a few of its last members. */
    private static final int LIKELY_ROWS = 192;

    private final Slots slots;
    private final EventView event = new EventView();
    private final Slot[] slotOf = new Slot[EventBatch.CAPACITY];
    private final int[] refOf = new int[EventBatch.CAPACITY];

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
            // The hash is replaced by the reference that it leads to.
            refOf[i] = slotOf[i] == null ? 0 : slotOf[i].keys().first(refOf[i]);
        }
        for (int i = 0; i < size; i++)
        {
            sum += refOf[i] == 0 ? 0 : KeyDescriptor.hash(slotOf[i].arena().address(refOf[i]));
        }
        for (int i = 0; i < size; i++)
        {
            sum += refOf[i] == 0 ? 0 : touchTrees(slotOf[i], slotOf[i].arena().address(refOf[i]), 0);
        }
        for (int i = 0; i < size; i++)
        {
            sum += refOf[i] == 0 ? 0 : touchTrees(slotOf[i], slotOf[i].arena().address(refOf[i]), LIKELY_ROWS);
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
        slotOf[i] = slots.existing(KeyHash.slot(hash, slots.count()));
        refOf[i] = (int)(hash >>> 32);
        return slotOf[i] == null ? 0 : slotOf[i].keys().touch(refOf[i]);
    }

    private static long touchTrees(final Slot slot, final long key, final int bytes)
    {
        return slot.rows().touch(Trees.membersRoot(key), bytes) + slot.rows().touch(Trees.sessionsRoot(key), bytes);
    }
}
