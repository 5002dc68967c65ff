package io.tidemark.store.page;

import net.openhft.chronicle.bytes.RandomDataInput;
import net.openhft.chronicle.bytes.RandomDataOutput;
import net.openhft.chronicle.hash.Data;

/**
 * What a new {@link Extent} has in it: whatever was there. Chronicle Map would clear it word by word, in the middle of
 * an event, while nobody needs more than the page at hand; pages are cleared as they are handed out.
 */
final class Untouched implements Data<Extent>
{
    @Override
    public RandomDataInput bytes()
    {
        throw new UnsupportedOperationException("an extent is only made and never compared");
    }

    @Override
    public long offset()
    {
        return 0;
    }

    @Override
    public long size()
    {
        return Extent.LENGTH;
    }

    @Override
    @SuppressWarnings("rawtypes")
    public void writeTo(final RandomDataOutput target, final long targetOffset)
    {
        // on purpose
    }

    @Override
    public Extent get()
    {
        return new Extent();
    }

    @Override
    public Extent getUsing(final Extent using)
    {
        return using == null ? get() : using;
    }
}
