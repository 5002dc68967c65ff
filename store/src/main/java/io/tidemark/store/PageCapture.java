package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * Pages as they stood at a barrier between two positions, to be copied out by one thread while the writer of the slots
 * goes on. What the writer is about to change it copies aside first, if it was not copied out yet; neither waits for
 * the other. Pages come in order of slot and page, so that the same history gives the same bytes.
 *
 * <p>At most one capture of some slots is open. It must be closed before the slots are.
 */
public final class PageCapture implements AutoCloseable
{
    private static final int PAGES_PER_CHUNK = 64;

    private final long number;
    private final List<CapturedSlot> slots = new ArrayList<>();
    private final List<Long> retired = new ArrayList<>();
    private final List<Long> chunks = new ArrayList<>();
    private int asidePages;
    private long pages;

    private int currentSlot;
    private int nextPage;
    private int slot = -1;
    private int page = -1;
    private volatile boolean closed;
    private boolean freed;

    PageCapture(final long number)
    {
        this.number = number;
    }

    /**
     * Number of pages in the capture.
     *
     * @return pages of {@value PageStore#PAGE_SIZE} bytes.
     */
    public long pages()
    {
        return pages;
    }

    /**
     * Copies the next page as it stood at the barrier.
     *
     * @param toAddress where {@value PageStore#PAGE_SIZE} bytes are written.
     * @return false when there is none left, and nothing was written.
     */
    public boolean next(final long toAddress)
    {
        if (closed)
        {
            throw new IllegalStateException("the capture is closed");
        }
        while (currentSlot < slots.size() && nextPage == slots.get(currentSlot).pages())
        {
            currentSlot++;
            nextPage = 0;
        }
        if (currentSlot == slots.size())
        {
            return false;
        }
        final CapturedSlot from = slots.get(currentSlot);
        slot = from.slot();
        page = from.page(nextPage++);
        from.take(page, toAddress);
        return true;
    }

    /**
     * Slot of the page that was copied last.
     *
     * @return its number.
     */
    public int slot()
    {
        return slot;
    }

    /**
     * Number of the page that was copied last, within its slot.
     *
     * @return from 0.
     */
    public int page()
    {
        return page;
    }

    /** Ends the capture, whether all pages were copied out or not; any thread may call it. */
    @Override
    public void close()
    {
        closed = true;
    }

    boolean isClosed()
    {
        return closed;
    }

    /** Tells claims of this capture from those of others. */
    long number()
    {
        return number;
    }

    void add(final CapturedSlot captured)
    {
        slots.add(captured);
        pages += captured.pages();
    }

    /** By the writer: a page of memory that is kept until the capture has ended. */
    long asidePage()
    {
        final int inChunk = asidePages++ % PAGES_PER_CHUNK;
        if (inChunk == 0)
        {
            chunks.add(UnsafeApi.allocateMemory((long)PAGES_PER_CHUNK * PageStore.PAGE_SIZE));
        }
        return chunks.get(chunks.size() - 1) + (long)inChunk * PageStore.PAGE_SIZE;
    }

    /** By the writer: memory that the reader may still look at. */
    void retire(final long memory)
    {
        if (freed)
        {
            UnsafeApi.freeMemory(memory);
        }
        else
        {
            retired.add(memory);
        }
    }

    /** By the writer, when the capture is closed and nobody reads it any more. */
    void free()
    {
        freed = true;
        chunks.forEach(UnsafeApi::freeMemory);
        retired.forEach(UnsafeApi::freeMemory);
        slots.forEach(CapturedSlot::free);
        chunks.clear();
        retired.clear();
        slots.clear();
    }
}
