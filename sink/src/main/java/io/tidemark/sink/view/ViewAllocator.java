package io.tidemark.sink.view;

import java.util.Arrays;

import org.agrona.UnsafeApi;
import org.agrona.collections.IntArrayList;

/**
 * Gives out records and whole pages, and takes them back. What was given back is the caller's to keep from being used
 * again too early.
 */
final class ViewAllocator
{
    private final ViewPages pages;
    private final IntArrayList[] freeByUnits = new IntArrayList[RecordDescriptor.MAX_UNITS + 1];
    private final IntArrayList freePages = new IntArrayList();
    private int nextPage = 1;
    private int page;
    private int used = ViewPages.PAGE_SIZE;

    /** Page 0 is the header's. */
    ViewAllocator(final ViewPages pages)
    {
        this.pages = pages;
        Arrays.setAll(freeByUnits, units -> new IntArrayList());
    }

    int allocate(final int units)
    {
        final IntArrayList free = freeByUnits[units];
        if (!free.isEmpty())
        {
            return free.removeAt(free.size() - 1);
        }
        final int length = units * RecordDescriptor.UNIT;
        if (used + length > ViewPages.PAGE_SIZE)
        {
            page = allocatePage();
            used = 0;
        }
        final int ref = RecordDescriptor.ref(page, used);
        used += length;
        return ref;
    }

    void free(final int ref, final int units)
    {
        freeByUnits[units].addInt(ref);
    }

    /** A page of zeros. */
    int allocatePage()
    {
        if (!freePages.isEmpty())
        {
            final int free = freePages.removeAt(freePages.size() - 1);
            UnsafeApi.setMemory(pages.address(free), ViewPages.PAGE_SIZE, (byte)0);
            return free;
        }
        if (nextPage == pages.count())
        {
            pages.create();
            UnsafeApi.putLongRelease(null, pages.address(0) + HeaderDescriptor.FILES_OFFSET, pages.files());
        }
        return nextPage++;
    }

    void freePage(final int number)
    {
        freePages.addInt(number);
    }
}
