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

    /** Goes on from pages that were installed. */
    void installed()
    {
        for (int ref = arena.nextWhole(0, kind); ref != 0; ref = arena.nextWhole(ref >>> 6, kind))
        {
            final int page = arena.tag(ref);
            reserve(page);
            UnsafeApi.putLong(table + ((long)page << 3), ref);
            pages = Math.max(pages, page + 1);
        }
        size = UnsafeApi.getLong(sizeAddress);
        firstDue = size == 0 ? Calendar.NOTHING_DUE : UnsafeApi.getLong(at(0) + DUE);
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
            copy(parentAddress, writableAt(hole));
            hole = parent;
        }
        put(hole, due, ref, note);
        firstDue = Math.min(firstDue, due);
    }

    /** Removes the earliest entry; there must be one. */
    void pop()
    {
        resize(size - 1);
        final long last = at(size);
        if (size > 0)
        {
            sink(0, UnsafeApi.getLong(last + DUE), UnsafeApi.getInt(last + REF), UnsafeApi.getInt(last + NOTE));
        }
        Zeroes.put(writableAt(size), ENTRY);
        freePages();
    }

    long size()
    {
        return size;
    }

    void forEach(final Calendar.Visitor visitor)
    {
        for (long i = 0; i < size; i++)
        {
            final long entry = at(i);
            visitor.entry(
                UnsafeApi.getLong(entry + DUE), UnsafeApi.getInt(entry + REF), UnsafeApi.getInt(entry + NOTE));
        }
    }

    /** Drops the entries that are not selected. */
    void keep(final Calendar.Selection selection)
    {
        long kept = 0;
        for (long i = 0; i < size; i++)
        {
            final long entry = at(i);
            if (selection.keeps(
                UnsafeApi.getLong(entry + DUE), UnsafeApi.getInt(entry + REF), UnsafeApi.getInt(entry + NOTE)))
            {
                copy(entry, writableAt(kept++));
            }
        }
        for (long i = kept; i < size; i++)
        {
            Zeroes.put(writableAt(i), ENTRY);
        }
        resize(kept);
        for (long i = (kept - 2) >> 2; i >= 0; i--)
        {
            final long entry = at(i);
            sink(i, UnsafeApi.getLong(entry + DUE), UnsafeApi.getInt(entry + REF), UnsafeApi.getInt(entry + NOTE));
        }
        freePages();
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

    /** Puts an entry where the one at a place of the heap was, or below it, where it is not due before the others. */
    private void sink(final long place, final long due, final int ref, final int note)
    {
        long hole = place;
        long child = (hole << 2) + 1;
        while (child < size)
        {
            final long end = Math.min(child + 4, size);
            long least = child;
            long leastDue = UnsafeApi.getLong(at(child) + DUE);
            for (long i = child + 1; i < end; i++)
            {
                final long otherDue = UnsafeApi.getLong(at(i) + DUE);
                if (otherDue < leastDue)
                {
                    least = i;
                    leastDue = otherDue;
                }
            }
            if (leastDue >= due)
            {
                break;
            }
            copy(at(least), writableAt(hole));
            hole = least;
            child = (hole << 2) + 1;
        }
        put(hole, due, ref, note);
    }

    /** One page of slack, so that a calendar that breathes around a page's border does not thrash. */
    private void freePages()
    {
        while (size + 2 * ENTRIES_PER_PAGE <= (long)pages << ENTRIES_PER_PAGE_SHIFT)
        {
            pages--;
            arena.freeWhole(refOfPage(pages));
        }
        firstDue = size == 0 ? Calendar.NOTHING_DUE : UnsafeApi.getLong(at(0) + DUE);
    }

    private void put(final long entry, final long due, final int ref, final int note)
    {
        final long address = writableAt(entry);
        UnsafeApi.putLong(address + DUE, due);
        UnsafeApi.putInt(address + REF, ref);
        UnsafeApi.putInt(address + NOTE, note);
    }

    private void addPage()
    {
        reserve(pages);
        final int ref = arena.allocateWhole(kind, pages);
        UnsafeApi.putLong(table + ((long)pages << 3), ref);
        pages++;
    }

    private void reserve(final int page)
    {
        while (page >= tableCapacity)
        {
            tableCapacity <<= 1;
            table = UnsafeApi.reallocateMemory(table, (long)tableCapacity << 3);
        }
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

    private long writableAt(final long entry)
    {
        return arena.writable(refOfPage((int)(entry >>> ENTRIES_PER_PAGE_SHIFT))) +
            (entry & ENTRIES_PER_PAGE - 1) * ENTRY;
    }

    private static void copy(final long from, final long to)
    {
        UnsafeApi.putLong(to, UnsafeApi.getLong(from));
        UnsafeApi.putLong(to + 8, UnsafeApi.getLong(from + 8));
    }
}
