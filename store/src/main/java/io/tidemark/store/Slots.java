package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/** The slots of an operator, each created when it is first needed. For one writer thread. */
public final class Slots implements AutoCloseable
{
    private static final int HEADERS_PER_GROUP = 64;

    private final PageStore store;
    private final Slot[] slots;
    private final Arena[] installing;
    private final long[] headers;
    private final Shared shared;
    private long scratch = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
    private PageCapture capture;
    private long captures;

    /**
     * Creates empty slots.
     *
     * @param store where their pages come from; the caller closes it.
     * @param count number of slots.
     */
    public Slots(final PageStore store, final int count)
    {
        this(store, count, null);
    }

    /**
     * Creates empty slots with trees that are measured.
     *
     * @param store   where their pages come from; the caller closes it.
     * @param count   number of slots.
     * @param measure gives what the rows of measured trees count with.
     */
    public Slots(final PageStore store, final int count, final RowMeasure measure)
    {
        this.store = store;
        this.shared = new Shared(scratch, new RowCursor(), measure);
        this.slots = new Slot[count];
        this.installing = new Arena[count];
        this.headers = new long[(count + HEADERS_PER_GROUP - 1) / HEADERS_PER_GROUP];
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

    /**
     * Number of pages of a slot. Its pages are numbered from 0.
     *
     * @param number of the slot.
     * @return pages, 0 when the slot does not exist.
     */
    public int pageCount(final int number)
    {
        return slots[number] == null ? 0 : slots[number].arena().pages();
    }

    /**
     * Begins to capture pages as they stand now, between two positions. Not to be called before the last capture was
     * closed and its reader has left it.
     *
     * @param all every page; or else those that were written to since the last capture began, and those of slots that
     *            were created since. Pages that were installed count as captured.
     * @return the capture.
     */
    public PageCapture capture(final boolean all)
    {
        if (capture != null && !capture.isClosed())
        {
            throw new IllegalStateException("the last capture of pages is still open; close it first");
        }
        endCapture();
        capture = new PageCapture(++captures);
        for (final Slot slot : slots)
        {
            if (slot != null)
            {
                slot.writeBack();
                capture.add(slot.arena().capture(capture, all));
            }
        }
        return capture;
    }

    /**
     * Lets a page of a slot that does not exist yet be as it was captured. A page may be installed several times, the
     * last one counts.
     *
     * @param number      of the slot.
     * @param page        number of the page.
     * @param fromAddress {@value PageStore#PAGE_SIZE} bytes.
     */
    public void install(final int number, final int page, final long fromAddress)
    {
        if (slots[number] != null)
        {
            throw new IllegalStateException("slot " + number + " exists already; install into fresh slots");
        }
        if (installing[number] == null)
        {
            installing[number] = new Arena(store, number, header(number));
        }
        installing[number].install(page, fromAddress);
    }

    /**
     * All pages have been installed: builds what is derived from them.
     *
     * @throws IllegalStateException when a slot has not got the pages that its header counts.
     */
    public void installed()
    {
        for (int i = 0; i < slots.length; i++)
        {
            if (installing[i] != null)
            {
                slots[i] = Slot.installed(installing[i], i, shared);
                installing[i] = null;
            }
        }
    }

    /** Frees native memory. No capture may be open. The page store is the caller's to close. */
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
            if (installing[i] != null)
            {
                installing[i].free();
                installing[i] = null;
            }
        }
        endCapture();
        for (int i = 0; i < headers.length; i++)
        {
            UnsafeApi.freeMemory(headers[i]);
            headers[i] = 0;
        }
        UnsafeApi.freeMemory(scratch);
        scratch = 0;
    }

    private Slot create(final int number)
    {
        slots[number] = Slot.begin(new Arena(store, number, header(number)), number, shared);
        return slots[number];
    }

    /** Where the header of a slot is worked on, zeroed. Those of neighbouring slots are side by side. */
    private long header(final int number)
    {
        final int group = number / HEADERS_PER_GROUP;
        if (headers[group] == 0)
        {
            headers[group] = UnsafeApi.allocateMemory(HEADERS_PER_GROUP * Arena.HEADER_LENGTH + Arena.LINE);
        }
        final long first = (headers[group] + Arena.LINE - 1) & -Arena.LINE;
        final long header = first + (long)(number % HEADERS_PER_GROUP) * Arena.HEADER_LENGTH;
        UnsafeApi.setMemory(header, Arena.HEADER_LENGTH, (byte)0);
        return header;
    }

    private void endCapture()
    {
        if (capture != null)
        {
            capture.close();
            capture.free();
            capture = null;
        }
    }
}
