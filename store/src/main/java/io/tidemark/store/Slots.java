package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/** The slots of an operator, each created when it is first needed. For one writer thread. */
public final class Slots implements AutoCloseable
{
    private final PageStore store;
    private final Slot[] slots;
    private final long bucketNs;
    private long scratch = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);

    /**
     * Creates empty slots.
     *
     * @param store    where their pages come from; the caller closes it.
     * @param count    number of slots.
     * @param bucketNs width of the buckets of their calendars; 128 of them should span what is usually waited for.
     */
    public Slots(final PageStore store, final int count, final long bucketNs)
    {
        this.store = store;
        this.bucketNs = bucketNs;
        this.slots = new Slot[count];
    }

    /**
     * Number of slots.
     *
     * @return slots.
     */
    public int count()
    {
        return slots.length;
    }

    /**
     * A slot, created if it does not exist yet.
     *
     * @param number of the slot.
     * @return the slot.
     */
    public Slot slot(final int number)
    {
        final Slot slot = slots[number];
        return slot != null ? slot : create(number);
    }

    /**
     * A slot, if it exists.
     *
     * @param number of the slot.
     * @return the slot or null.
     */
    public Slot existing(final int number)
    {
        return slots[number];
    }

    /**
     * Forgets a slot's state and gives its pages back.
     *
     * @param number of the slot.
     */
    public void drop(final int number)
    {
        if (slots[number] != null)
        {
            slots[number].drop();
            slots[number] = null;
        }
    }

    /**
     * Pages that all slots take.
     *
     * @return pages of {@value PageStore#PAGE_SIZE} bytes.
     */
    public long pages()
    {
        return store.pages();
    }

    /** Frees native memory. The page store is the caller's to close. */
    @Override
    public void close()
    {
        for (int i = 0; i < slots.length; i++)
        {
            if (slots[i] != null)
            {
                slots[i].close();
                slots[i] = null;
            }
        }
        UnsafeApi.freeMemory(scratch);
        scratch = 0;
    }

    private Slot create(final int number)
    {
        slots[number] = new Slot(store, number, scratch, bucketNs, bucketNs / slots.length * number);
        return slots[number];
    }
}
