package io.tidemark.sink.view;

import net.openhft.chronicle.bytes.Byteable;
import net.openhft.chronicle.bytes.BytesStore;

/**
 * Flyweight by which Chronicle Map hands out the memory of a page in place. It is public because Chronicle Map creates
 * it by reflection; nothing outside this package has a use for it.
 */
@SuppressWarnings("rawtypes")
public final class ViewPage implements Byteable
{
    private BytesStore bytesStore;
    private long offset;

    /** For Chronicle Map. */
    public ViewPage()
    {
    }

    @Override
    public void bytesStore(final BytesStore store, final long newOffset, final long length)
    {
        if (length != ViewPages.PAGE_SIZE)
        {
            throw new IllegalArgumentException("a page has " + ViewPages.PAGE_SIZE + " bytes, not " + length);
        }
        this.bytesStore = store;
        this.offset = newOffset;
    }

    @Override
    public BytesStore<?, ?> bytesStore()
    {
        return bytesStore;
    }

    @Override
    public long offset()
    {
        return offset;
    }

    @Override
    public long address()
    {
        return bytesStore.addressForRead(offset);
    }

    @Override
    public long maxSize()
    {
        return ViewPages.PAGE_SIZE;
    }
}
