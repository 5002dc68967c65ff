package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/**
 * The pages of one slot, by the slot's own numbering from 0: where each is in memory, and which have changed since the
 * last capture began. For one writer thread; a {@link PageCapture} may be read by another.
 *
 * <pre>
 *   entry of a page    0 address (64)     0: there is no such page
 *                      8 epoch (32)       in which it was last written to
 *                     12 meta (160)       of the {@link Arena}: half a line has all that is known of a page
 *   claim of a page    0 state (64)       see {@link CapturedSlot}
 *                      8 aside (64)       address of the copy that the writer made
 * </pre>
 *
 * <p>A capture begins a new epoch. The first write to a page in an epoch finds an older epoch in its entry; only then
 * is there anything to do. All of this but the meta is derived: no byte of it is in a page.
 */
abstract class Pages
{
    static final int ENTRY_SHIFT = 5;
    static final int ENTRY_META = 12;
    static final int CLAIM_SHIFT = 4;
    static final int PAGE_MASK = 63;

    private static final int ADDRESS = 0;
    private static final int EPOCH = 8;
    private static final int CACHE_LINE = 64;

    /** Epoch of pages that were installed and not written to since. */
    private static final int UNCHANGED = 0;

    private final PageStore store;
    private final int slot;
    private int epoch = UNCHANGED + 1;
    private int capacity = 16;
    private long table;
    private long tableMemory;
    private long claims;
    private int changedCapacity = 16;
    private int changedCount;
    private long changed;
    private CapturedSlot capture;

    Pages(final PageStore store, final int slot)
    {
        this.store = store;
        this.slot = slot;
        allocateTable();
        this.claims = zeroed((long)capacity << CLAIM_SHIFT);
        this.changed = UnsafeApi.allocateMemory((long)changedCapacity << 2);
    }

    /**
     * The address of a block, for reading.
     *
     * @param ref a reference, not 0.
     * @return where it starts in memory.
     */
    public final long address(final int ref)
    {
        return UnsafeApi.getLong(table + ((long)(ref >>> 6) << ENTRY_SHIFT)) + ((ref & PAGE_MASK) << 6);
    }

    /**
     * The address of a block that is about to be written to. Every write to a page goes through here first, at least
     * once between two captures of pages: it notes that the page has changed.
     *
     * @param ref a reference, not 0.
     * @return where it starts in memory.
     */
    public final long writable(final int ref)
    {
        final long entry = table + ((long)(ref >>> 6) << ENTRY_SHIFT);
        if (UnsafeApi.getInt(entry + EPOCH) != epoch)
        {
            firstWrite(ref >>> 6, entry);
        }
        return UnsafeApi.getLong(entry) + ((ref & PAGE_MASK) << 6);
    }

    /**
     * Pages of the slot, free ones included.
     *
     * @return pages.
     */
    public abstract int pages();

    /** Whether a page was written to since the last capture began, as far as is noted. */
    final boolean isNoted(final int page)
    {
        return UnsafeApi.getInt(entry(page) + EPOCH) == epoch;
    }

    /** Grows with each capture; a page that was written to need not be noted again before it does. */
    final int epoch()
    {
        return epoch;
    }

    /** The entry of a page, for reading. */
    final long entry(final int page)
    {
        return table + ((long)page << ENTRY_SHIFT);
    }

    /** The entry of a page whose meta is about to be written to: it will be captured along with the page. */
    final long writableEntry(final int page)
    {
        final long entry = entry(page);
        if (UnsafeApi.getInt(entry + EPOCH) != epoch)
        {
            firstWrite(page, entry);
        }
        return entry;
    }

    /** Pages that were written to since the last capture began, as far as is noted. */
    final int changedPages()
    {
        return changedCount;
    }

    /** The number of such a page; more may come behind it meanwhile. */
    final int changedPage(final int i)
    {
        return UnsafeApi.getInt(changed + ((long)i << 2));
    }

    /** Allocates a zeroed page under a number that has none. */
    final void map(final int page)
    {
        while (page >= capacity)
        {
            grow();
        }
        final long entry = entry(page);
        UnsafeApi.putLong(entry + ADDRESS, store.allocate());
        note(page, entry);
    }

    /** Lets a page be as it was captured, allocating it if need be. */
    final void install(final int page, final long from)
    {
        while (page >= capacity)
        {
            grow();
        }
        final long entry = entry(page);
        if (UnsafeApi.getLong(entry + ADDRESS) == 0)
        {
            UnsafeApi.putLong(entry + ADDRESS, store.allocate());
        }
        UnsafeApi.copyMemory(from, UnsafeApi.getLong(entry + ADDRESS), PageStore.PAGE_SIZE);
    }

    /** Whether pages 0 to {@code count - 1} are there. */
    final boolean areAtLeast(final int count)
    {
        for (int page = 0; page < count; page++)
        {
            if (page >= capacity || UnsafeApi.getLong(entry(page) + ADDRESS) == 0)
            {
                return false;
            }
        }
        return true;
    }

    /** Whether pages 0 to {@code count - 1} are there, and no others. */
    final boolean areExactly(final int count)
    {
        for (int page = Math.max(count, 0); page < capacity; page++)
        {
            if (UnsafeApi.getLong(entry(page) + ADDRESS) != 0)
            {
                return false;
            }
        }
        return areAtLeast(count);
    }

    /** Begins a new epoch, and shares the pages as they stand with a capture. */
    final CapturedSlot capture(final PageCapture owner, final boolean all)
    {
        capture = new CapturedSlot(
            owner, slot, table, claims, all ? pages() : changedCount, all ? 0 : changed, all ? 0 : epoch, pages());
        if (!all)
        {
            changed = UnsafeApi.allocateMemory((long)changedCapacity << 2);
        }
        changedCount = 0;
        epoch++;
        return capture;
    }

    /** Gives all pages back. */
    final void release()
    {
        final int count = pages();
        for (int page = 0; page < count; page++)
        {
            final long entry = entry(page);
            if (UnsafeApi.getInt(entry + EPOCH) != epoch)
            {
                firstWrite(page, entry);
            }
            store.release(UnsafeApi.getLong(entry + ADDRESS));
        }
    }

    /** Frees native memory without giving pages back. */
    final void free()
    {
        retire(tableMemory);
        retire(claims);
        UnsafeApi.freeMemory(changed);
        tableMemory = 0;
        table = 0;
        claims = 0;
        changed = 0;
    }

    /** The page has not been written to in this epoch: an open capture may need it as it stands. */
    private void firstWrite(final int page, final long entry)
    {
        if (capture != null)
        {
            capture.beforeWrite(page, UnsafeApi.getInt(entry + EPOCH), UnsafeApi.getLong(entry + ADDRESS));
        }
        note(page, entry);
    }

    private void note(final int page, final long entry)
    {
        UnsafeApi.putInt(entry + EPOCH, epoch);
        if (changedCount == changedCapacity)
        {
            changedCapacity <<= 1;
            changed = UnsafeApi.reallocateMemory(changed, (long)changedCapacity << 2);
        }
        UnsafeApi.putInt(changed + ((long)changedCount++ << 2), page);
    }

    private void grow()
    {
        final long oldTable = table;
        final long oldMemory = tableMemory;
        final long oldLength = (long)capacity << ENTRY_SHIFT;
        capacity <<= 1;
        allocateTable();
        UnsafeApi.copyMemory(oldTable, table, oldLength);
        retire(oldMemory);
        retire(claims);
        claims = zeroed((long)capacity << CLAIM_SHIFT);
    }

    /** Entries never lie across two lines. */
    private void allocateTable()
    {
        tableMemory = zeroed(((long)capacity << ENTRY_SHIFT) + CACHE_LINE);
        table = (tableMemory + CACHE_LINE - 1) & -CACHE_LINE;
    }

    /** Frees memory that the reader of an open capture may be looking at. */
    private void retire(final long memory)
    {
        if (capture == null)
        {
            UnsafeApi.freeMemory(memory);
        }
        else
        {
            capture.retire(memory);
        }
    }

    private static long zeroed(final long length)
    {
        final long memory = UnsafeApi.allocateMemory(length);
        UnsafeApi.setMemory(memory, length, (byte)0);
        return memory;
    }
}
