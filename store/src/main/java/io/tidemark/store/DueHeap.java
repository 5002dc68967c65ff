package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/**
 * A heap with four children a node, in pages of a slot: a due time, a reference and 32 bits of the caller's an entry.
 * Entries of equal due time come out in an order that depends on the calls alone, but means nothing.
 */
final class DueHeap
{
    private static final int ENTRY = 16;
    private static final int DUE = 0;
    private static final int REF = 8;
    private static final int NOTE = 12;
    private static final int ENTRIES_PER_PAGE_SHIFT = 8;
    private static final int ENTRIES_PER_PAGE = PageStore.PAGE_SIZE / ENTRY;

    private final Arena arena;
    private final int kind;
    private final long sizeAddress;
    private long table;
    private int tableCapacity = 4;
    private int pages;
    private long size;
    private long firstDue = Calendar.NOTHING_DUE;

    DueHeap(final Arena arena, final int kind, final long sizeAddress)
    {
        this.arena = arena;
        this.kind = kind;
        this.sizeAddress = sizeAddress;
        this.table = UnsafeApi.allocateMemory((long)tableCapacity << 3);
    }

    long firstDue()
    {
        return firstDue;
    }

    int firstRef()
    {
        return UnsafeApi.getInt(at(0) + REF);
    }

    int firstNote()
    {
        return UnsafeApi.getInt(at(0) + NOTE);
    }

    void push(final long due, final int ref, final int note)
    {
        assert due != Calendar.NOTHING_DUE;
        if (size == (long)pages << ENTRIES_PER_PAGE_SHIFT)
        {
            addPage();
        }
        long hole = size;
        resize(size + 1);
        while (hole > 0)
        {
            final long parent = (hole - 1) >> 2;
            final long parentAddress = at(parent);
            if (UnsafeApi.getLong(parentAddress + DUE) <= due)
            {
                break;
            }
            copy(parentAddress, at(hole));
            hole = parent;
        }
        final long address = at(hole);
        UnsafeApi.putLong(address + DUE, due);
        UnsafeApi.putInt(address + REF, ref);
        UnsafeApi.putInt(address + NOTE, note);
        firstDue = Math.min(firstDue, due);
    }

    /** Removes the earliest entry; there must be one. */
    void pop()
    {
        resize(size - 1);
        final long last = at(size);
        final long lastDue = UnsafeApi.getLong(last + DUE);
        long hole = 0;
        long child = 1;
        while (child < size)
        {
            final long end = Math.min(child + 4, size);
            long least = child;
            long leastDue = UnsafeApi.getLong(at(child) + DUE);
            for (long i = child + 1; i < end; i++)
            {
                final long due = UnsafeApi.getLong(at(i) + DUE);
                if (due < leastDue)
                {
                    least = i;
                    leastDue = due;
                }
            }
            if (leastDue >= lastDue)
            {
                break;
            }
            copy(at(least), at(hole));
            hole = least;
            child = (hole << 2) + 1;
        }
        if (hole != size)
        {
            copy(last, at(hole));
        }
        UnsafeApi.setMemory(last, ENTRY, (byte)0);
        // One page of slack, so that a calendar that breathes around a page's border does not thrash.
        if (size + 2 * ENTRIES_PER_PAGE <= (long)pages << ENTRIES_PER_PAGE_SHIFT)
        {
            pages--;
            arena.freeWhole(refOfPage(pages));
        }
        firstDue = size == 0 ? Calendar.NOTHING_DUE : UnsafeApi.getLong(at(0) + DUE);
    }

    void close()
    {
        UnsafeApi.freeMemory(table);
        table = 0;
    }

    private void resize(final long newSize)
    {
        size = newSize;
        UnsafeApi.putLong(sizeAddress, newSize);
    }

    private void addPage()
    {
        if (pages == tableCapacity)
        {
            tableCapacity <<= 1;
            table = UnsafeApi.reallocateMemory(table, (long)tableCapacity << 3);
        }
        final int ref = arena.allocateWhole(kind, pages);
        UnsafeApi.putLong(table + ((long)pages << 3), ref);
        pages++;
    }

    private int refOfPage(final int page)
    {
        return (int)UnsafeApi.getLong(table + ((long)page << 3));
    }

    private long at(final long entry)
    {
        return arena.address(refOfPage((int)(entry >>> ENTRIES_PER_PAGE_SHIFT))) +
            (entry & ENTRIES_PER_PAGE - 1) * ENTRY;
    }

    private static void copy(final long from, final long to)
    {
        UnsafeApi.putLong(to, UnsafeApi.getLong(from));
        UnsafeApi.putLong(to + 8, UnsafeApi.getLong(from + 8));
    }
}
