package io.tidemark.store.snapshot;

import io.tidemark.store.PageCapture;
import io.tidemark.store.page.PageStore;
import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;

/**
 * Keeps the digests of slots up to date from captures, looking at nothing but what changed. For one thread at a time.
 */
public final class SlotDigests implements AutoCloseable
{
    private final PageDigests pages;
    private final SlotDigest[] known;
    private final Digest digest = new Digest();

    /**
     * Creates them for slots without pages.
     *
     * @param slots number of slots.
     */
    public SlotDigests(final int slots)
    {
        this(new PageDigests(slots));
    }

    SlotDigests(final PageDigests pages)
    {
        this.pages = pages;
        known = new SlotDigest[pages.slots()];
    }

    /**
     * Takes up all pages of a capture.
     *
     * @param capture with the pages changed since the one before, or all; read to its end.
     */
    public void update(final PageCapture capture)
    {
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        while (capture.next(page))
        {
            digestOf(capture.slot(), capture.page(), page);
        }
        UnsafeApi.freeMemory(page);
    }

    /** Takes up one page, whose digest is returned. */
    Digest digestOf(final int slot, final int page, final long address)
    {
        digest.of(address, PageStore.PAGE_SIZE, PageFileDescriptor.tag(slot, page));
        pages.put(slot, page, digest.high(), digest.low());
        known[slot] = null;
        return digest;
    }

    boolean is(final int slot, final int page, final long high, final long low)
    {
        return pages.is(slot, page, high, low);
    }

    /**
     * The digests of all slots that exist.
     *
     * @param counts pages of each.
     * @return by number.
     */
    public List<SlotDigest> of(final SnapshotRequest.PageCounts counts)
    {
        final List<SlotDigest> digests = new ArrayList<>();
        for (int slot = 0; slot < counts.slots(); slot++)
        {
            final int count = counts.of(slot);
            if (count == 0)
            {
                pages.forget(slot);
                known[slot] = null;
                continue;
            }
            if (known[slot] == null || known[slot].pages() != count)
            {
                known[slot] = pages.slot(slot, count);
            }
            digests.add(known[slot]);
        }
        return digests;
    }

    @Override
    public void close()
    {
        pages.close();
    }
}
