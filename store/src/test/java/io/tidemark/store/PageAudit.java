package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import java.util.Arrays;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/**
 * Holds captures of pages to what the pages really are, and throws at the first thing that is not so: a page that is
 * not noted as written to has not changed; a capture gives every page as it stood at its barrier, whatever was written
 * since; earlier captures with this one upon them are all the pages; installed into fresh slots they are the same
 * slots. Each look ends the capture that the last one began and begins another, of all pages or of those that changed.
 */
public final class PageAudit implements AutoCloseable
{
    private final Slots slots;
    private final PageStore other;
    private final SplittableRandom random;
    private final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
    private final Map<Long, byte[]> captured = new TreeMap<>();
    private Map<Long, byte[]> atBarrier = new TreeMap<>();
    private PageCapture capture;
    private long expected;

    /**
     * An audit of slots.
     *
     * @param slots to look at.
     * @param other an empty store, where they are installed anew.
     * @param seed  says what is captured when.
     */
    public PageAudit(final Slots slots, final PageStore other, final long seed)
    {
        this.slots = slots;
        this.other = other;
        this.random = new SplittableRandom(seed);
    }

    /** Looks at everything, between two positions. */
    public void look()
    {
        if (capture != null)
        {
            take(Long.MAX_VALUE);
            require(expected == 0, expected + " pages too few in a capture");
            capture.close();
            requireSame(atBarrier, captured, "as captured");
            notedAreAllThatChanged();
            if (random.nextInt(4) == 0)
            {
                install();
            }
        }
        capture = slots.capture(capture == null || random.nextInt(4) == 0);
        expected = capture.pages();
        atBarrier = copy(slots);
        take(random.nextLong(2 * capture.pages() + 1));
    }

    @Override
    public void close()
    {
        if (capture != null)
        {
            capture.close();
        }
        UnsafeApi.freeMemory(page);
    }

    /** Copies of all pages, by slot and number. */
    static Map<Long, byte[]> copy(final Slots slots)
    {
        final Map<Long, byte[]> copies = new TreeMap<>();
        for (int slot = 0; slot < slots.count(); slot++)
        {
            if (slots.existing(slot) != null)
            {
                slots.existing(slot).writeBack();
            }
            for (int i = 0; i < slots.pageCount(slot); i++)
            {
                copies.put((long)slot << 32 | i, bytes(slots.existing(slot).arena().address(i << 6)));
            }
        }
        return copies;
    }

    static void requireSame(final Map<Long, byte[]> expected, final Map<Long, byte[]> actual, final String what)
    {
        require(expected.keySet().equals(actual.keySet()), "other pages " + what);
        expected.forEach((id, bytes) -> require(Arrays.equals(bytes, actual.get(id)),
            "page " + (int)(long)id + " of slot " + (id >>> 32) + " is not the same " + what));
    }

    private void take(final long most)
    {
        long last = -1;
        for (long i = 0; i < most && capture.next(page); i++)
        {
            final long id = (long)capture.slot() << 32 | capture.page();
            require(id > last, "pages out of order");
            last = id;
            captured.put(id, bytes(page));
            expected--;
        }
    }

    private void notedAreAllThatChanged()
    {
        copy(slots).forEach((id, bytes) ->
        {
            final byte[] before = atBarrier.get(id);
            final int number = (int)(long)id;
            require(slots.existing((int)(id >>> 32)).arena().isNoted(number) || Arrays.equals(before, bytes),
                "page " + number + " of slot " + (id >>> 32) + " was written to without a note");
        });
    }

    private void install()
    {
        try (Slots installed = new Slots(other, slots.count()))
        {
            captured.forEach((id, bytes) -> install(installed, id, bytes));
            installed.installed();
            requireSame(captured, copy(installed), "as installed");
            for (int slot = 0; slot < slots.count(); slot++)
            {
                installed.drop(slot);
            }
        }
    }

    private void install(final Slots into, final long id, final byte[] bytes)
    {
        for (int i = 0; i < bytes.length; i++)
        {
            UnsafeApi.putByte(page + i, bytes[i]);
        }
        into.install((int)(id >>> 32), (int)id, page);
    }

    private static byte[] bytes(final long address)
    {
        final byte[] bytes = new byte[PageStore.PAGE_SIZE];
        UnsafeApi.copyMemory(null, address, bytes, BufferUtil.ARRAY_BASE_OFFSET, bytes.length);
        return bytes;
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
