package io.tidemark.store.page;

import net.openhft.chronicle.bytes.Byteable;
import net.openhft.chronicle.bytes.BytesStore;

/**
 * Flyweight by which Chronicle Map hands out the memory of several pages in place. It is public because Chronicle Map
 * creates it by reflection; nothing outside this package has a use for it.
 */
@SuppressWarnings("rawtypes")
public final class Extent implements Byteable
{
    /** Pages of an extent. */
    static final int PAGES = 512;

    /** Bytes of an extent. */
    static final int LENGTH = PAGES * PageStore.PAGE_SIZE;

    private BytesStore bytesStore;
    private long offset;

    @Override
    public void bytesStore(final BytesStore store, final long newOffset, final long length)
    {
        if (length != LENGTH)
        {
            throw new IllegalArgumentException("an extent has " + LENGTH + " bytes, not " + length);
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
        return LENGTH;
    }
}
