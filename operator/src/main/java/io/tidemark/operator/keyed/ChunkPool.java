package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/**
 * Chunks of native memory, to be taken and given back: {@code previous (64), count (32), unused (32), entries}. What
 * was given back is handed out first.
 */
final class ChunkPool implements AutoCloseable
{
    static final int ENTRIES = 16;
    static final int CHUNK = 256;

    private static final int COUNT = 8;
    private static final int CHUNKS_PER_SLAB = 256;

    /** The last slab, whose first chunk leads to the one before it. */
    private long slab;
    private int slabs;
    private int taken = CHUNKS_PER_SLAB;
    private long free;

    /** Takes an empty chunk that follows another one, or none (0). */
    long take(final long previous)
    {
        long chunk = free;
        if (chunk != 0)
        {
            free = previous(chunk);
        }
        else
        {
            if (taken == CHUNKS_PER_SLAB)
            {
                addSlab();
            }
            chunk = slab + (long)taken++ * CHUNK;
        }
        UnsafeApi.putLong(chunk, previous);
        UnsafeApi.putInt(chunk + COUNT, 0);
        return chunk;
    }

    /** Gives a chunk back, and returns the one that it followed. */
    long free(final long chunk)
    {
        final long previous = previous(chunk);
        UnsafeApi.putLong(chunk, free);
        free = chunk;
        return previous;
    }

    static long previous(final long chunk)
    {
        return UnsafeApi.getLong(chunk);
    }

    static int count(final long chunk)
    {
        return UnsafeApi.getInt(chunk + COUNT);
    }

    static void count(final long chunk, final int value)
    {
        UnsafeApi.putInt(chunk + COUNT, value);
    }

    long bytes()
    {
        return (long)slabs * CHUNKS_PER_SLAB * CHUNK;
    }

    @Override
    public void close()
    {
        while (slab != 0)
        {
            final long before = UnsafeApi.getLong(slab);
            UnsafeApi.freeMemory(slab);
            slab = before;
        }
        free = 0;
    }

    private void addSlab()
    {
        final long added = UnsafeApi.allocateMemory((long)CHUNKS_PER_SLAB * CHUNK);
        UnsafeApi.putLong(added, slab);
        slab = added;
        slabs++;
        taken = 1;
    }
}
