package io.tidemark.operator.session;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.SessionImage;
import io.tidemark.operator.keyed.Memory;
import io.tidemark.operator.keyed.NativeRecords;
import org.agrona.UnsafeApi;

/** Copies of images of sessions of one key, sorted by row id. */
final class SessionImages extends NativeRecords
{
    private static final int CONTENT_LENGTH = SessionImage.PUBLICATION_OFFSET;

    SessionImages()
    {
        super((SessionImage.LENGTH + Long.BYTES - 1) / Long.BYTES);
    }

    void copy(final long image)
    {
        UnsafeApi.copyMemory(image, add(), SessionImage.LENGTH);
    }

    long image(final int i)
    {
        return at(i);
    }

    /** The image of equal extent and aggregates, or -1. */
    int indexOf(final long image)
    {
        for (int i = 0; i < size(); i++)
        {
            if (Memory.equal(at(i), image, CONTENT_LENGTH))
            {
                return i;
            }
        }
        return -1;
    }

    /** Lets the last image take the place of one that is not wanted. */
    void drop(final int i)
    {
        UnsafeApi.copyMemory(at(size() - 1), at(i), SessionImage.LENGTH);
        removeLast();
    }

    @Override
    protected int compare(final long a, final long b)
    {
        return RowIds.compareSessions(SessionImage.start(a), SessionImage.start(b));
    }
}
