package io.tidemark.operator.keyed;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.store.Lines;
import io.tidemark.store.Slot;

/**
 * Touches what the keys of a batch of events will need, in passes: index entries of all, then blocks of all. A cache
 * miss that another one waits for costs ten times one that does not (SPEED.md). Changes nothing, so that results can't
 * depend on how events fall into batches. What was found on the way is remembered for when an event's turn comes.
 */
public final class KeyTouch
{
    private final Keys keys;
    private final int newKeyClass;
    private final EventView event = new EventView();
    private final Slot[] slotOf = new Slot[EventBatch.CAPACITY];
    private final long[] hashOf = new long[EventBatch.CAPACITY];
    private final int[] refOf = new int[EventBatch.CAPACITY];
    private final int[] freedBefore = new int[EventBatch.CAPACITY];
    private final int[] createdBefore = new int[EventBatch.CAPACITY];
    private long firstPosition;
    private int size;

    KeyTouch(final Keys keys, final int newKeyClass)
    {
        this.keys = keys;
        this.newKeyClass = newKeyClass;
    }

    /** Touches the keys of a batch. */
    public void touch(final EventBatch batch, final Lines lines)
    {
        firstPosition = batch.position(0);
        size = batch.size();
        for (int i = 0; i < size; i++)
        {
            findSlot(batch, i);
            if (slotOf[i] != null)
            {
                lines.add(slotOf[i].keys().line((int)(hashOf[i] >>> 32)));
            }
        }
        lines.fetch();
        for (int i = 0; i < size; i++)
        {
            final Slot slot = slotOf[i];
            if (slot != null)
            {
                refOf[i] = slot.keys().first((int)(hashOf[i] >>> 32));
                freedBefore[i] = keys.freed(slot);
                createdBefore[i] = keys.created(slot);
                slot.arena().addBlock(lines, refOf[i] == 0 ? slot.arena().next(newKeyClass) : refOf[i]);
            }
        }
        lines.fetch();
    }

    /** Forgets the batch: other events may come at its positions. */
    void forget()
    {
        size = 0;
    }

    /** Which event of the batch is at a position, or -1. */
    int at(final long position)
    {
        final long i = position - firstPosition;
        return i >= 0 && i < size ? (int)i : -1;
    }

    /** The hash of the key of an event that is no watermark. */
    long hash(final int i)
    {
        return hashOf[i];
    }

    /** {@link #ref} if that is still a key's block, else 0: events before this one may have freed it. */
    int refNow(final int i)
    {
        return refOf[i] != 0 && keys.freed(slotOf[i]) == freedBefore[i] ? refOf[i] : 0;
    }

    /** Whether there is no key of this hash: none was there, and events before this one have not made any. */
    boolean isAbsentNow(final int i)
    {
        return refOf[i] == 0 && slotOf[i] != null && keys.created(slotOf[i]) == createdBefore[i];
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

    private void findSlot(final EventBatch batch, final int i)
    {
        event.wrap(batch.buffer(), batch.offset(i));
        slotOf[i] = null;
        refOf[i] = 0;
        if (event.kind() != EventKind.WATERMARK)
        {
            hashOf[i] = KeyHash.hash(batch.buffer().addressOffset() + event.keyOffset(), event.keyLength());
            slotOf[i] = keys.slots().existing(KeyHash.slot(hashOf[i], keys.slots().count()));
        }
    }
}
