package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * What an open capture and the writer of a slot share: the slot's pages as they stood at the barrier, and for each of
 * them, in its claim, who has taken it. A claim names the capture, and so needs no clearing:
 *
 * <pre>
 *   anything of an earlier capture    nobody has; the page itself is as it was at the barrier
 *   TAKEN                             the reader has; the writer may write
 *   COPYING, then ASIDE               the writer is about to write and has copied the page before
 * </pre>
 *
 * <p>The reader copies a page first and claims it afterwards. When the writer was faster, what the reader copied is
 * worth nothing and it takes the copy that was put aside. So the writer never waits for the reader.
 */
final class CapturedSlot
{
    private static final int TAKEN = 1;
    private static final int COPYING = 2;
    private static final int ASIDE = 3;
    private static final int STATE_BITS = 2;
    private static final int ASIDE_ADDRESS = 8;

    private final PageCapture owner;
    private final long number;
    private final int slot;
    private final long table;
    private final long claims;
    private final int pages;
    private final long changed;
    private final int changedEpoch;
    private final int pageCount;
    private int[] sorted;

    /**
     * A slot at the barrier.
     *
     * @param owner        the capture.
     * @param slot         number of the slot.
     * @param table        entries of its pages.
     * @param claims       claims of its pages.
     * @param pages        number of pages to be captured.
     * @param changed      their numbers in any order, or 0 for all; freed with the capture.
     * @param changedEpoch the epoch in which they were written to.
     * @param pageCount    number of pages of the slot.
     */
    CapturedSlot(
        final PageCapture owner,
        final int slot,
        final long table,
        final long claims,
        final int pages,
        final long changed,
        final int changedEpoch,
        final int pageCount)
    {
        this.owner = owner;
        this.number = owner.number();
        this.slot = slot;
        this.table = table;
        this.claims = claims;
        this.pages = pages;
        this.changed = changed;
        this.changedEpoch = changedEpoch;
        this.pageCount = pageCount;
    }

    int slot()
    {
        return slot;
    }

    /** Number of pages to be captured. */
    int pages()
    {
        return pages;
    }

    /** By the reader: number of the i-th page to be captured. */
    int page(final int i)
    {
        if (changed == 0)
        {
            return i;
        }
        if (sorted == null)
        {
            sorted = new int[pages];
            for (int k = 0; k < pages; k++)
            {
                sorted[k] = UnsafeApi.getInt(changed + ((long)k << 2));
            }
            Arrays.sort(sorted);
        }
        return sorted[i];
    }

    /** By the reader: copies a page as it stood at the barrier. */
    void take(final int page, final long to)
    {
        final long claim = claim(page);
        final long seen = UnsafeApi.getLongVolatile(null, claim);
        if (seen >>> STATE_BITS != number)
        {
            UnsafeApi.copyMemory(
                UnsafeApi.getLong(table + ((long)page << Pages.ENTRY_SHIFT)), to, PageStore.PAGE_SIZE);
            if (UnsafeApi.compareAndSetLong(null, claim, seen, state(TAKEN)))
            {
                return;
            }
        }
        while (UnsafeApi.getLongVolatile(null, claim) != state(ASIDE))
        {
            Thread.onSpinWait();
        }
        UnsafeApi.copyMemory(UnsafeApi.getLong(claim + ASIDE_ADDRESS), to, PageStore.PAGE_SIZE);
    }

    /** By the writer, before its first write to a page since the barrier. */
    void beforeWrite(final int page, final int epoch, final long address)
    {
        if (page >= pageCount || (changed != 0 && epoch != changedEpoch) || owner.isClosed())
        {
            return;
        }
        final long claim = claim(page);
        final long seen = UnsafeApi.getLongVolatile(null, claim);
        if (seen >>> STATE_BITS == number || !UnsafeApi.compareAndSetLong(null, claim, seen, state(COPYING)))
        {
            return;
        }
        final long aside = owner.asidePage();
        UnsafeApi.copyMemory(address, aside, PageStore.PAGE_SIZE);
        UnsafeApi.putLong(claim + ASIDE_ADDRESS, aside);
        UnsafeApi.putLongRelease(null, claim, state(ASIDE));
    }

    /** By the writer: frees memory when the capture has ended. */
    void retire(final long memory)
    {
        owner.retire(memory);
    }

    /** By the writer, when the capture has ended. */
    void free()
    {
        if (changed != 0)
        {
            UnsafeApi.freeMemory(changed);
        }
    }

    private long claim(final int page)
    {
        return claims + ((long)page << Pages.CLAIM_SHIFT);
    }

    private long state(final int state)
    {
        return number << STATE_BITS | state;
    }
}
