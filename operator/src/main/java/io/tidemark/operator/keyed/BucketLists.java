package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/** The entries of one kind of a {@link Calendar}: for each place of its buckets a list of chunks. */
final class BucketLists
{
    private final ChunkPool pool;
    private final long[] last;
    private final int entryLength;
    private final int entriesPerChunk;

    BucketLists(final ChunkPool pool, final int places, final int entryLength)
    {
        this.pool = pool;
        this.last = new long[places];
        this.entryLength = entryLength;
        this.entriesPerChunk = (ChunkPool.CHUNK - ChunkPool.ENTRIES) / entryLength;
    }

    /** Address of a new entry at the end of a list. */
    long append(final int place)
    {
        long chunk = last[place];
        if (chunk == 0 || ChunkPool.count(chunk) == entriesPerChunk)
        {
            chunk = pool.take(chunk);
            last[place] = chunk;
        }
        final int count = ChunkPool.count(chunk);
        ChunkPool.count(chunk, count + 1);
        return entry(chunk, count);
    }

    /** Takes a list; returns its last chunk or 0, to be given back to the pool with those that it follows. */
    long take(final int place)
    {
        final long chunk = last[place];
        last[place] = 0;
        return chunk;
    }

    void drop(final int place)
    {
        long chunk = take(place);
        while (chunk != 0)
        {
            chunk = pool.free(chunk);
        }
    }

    /** Last chunk of a list, or 0. */
    long last(final int place)
    {
        return last[place];
    }

    long entry(final long chunk, final int i)
    {
        return chunk + ChunkPool.ENTRIES + (long)i * entryLength;
    }

    /** Copies what entries begin with, their keys, as far as there is room; returns how many. */
    int copyKeys(final int place, final long[] keys)
    {
        int count = 0;
        for (long chunk = last[place]; chunk != 0; chunk = ChunkPool.previous(chunk))
        {
            for (int i = ChunkPool.count(chunk) - 1; i >= 0 && count < keys.length; i--)
            {
                keys[count++] = UnsafeApi.getLong(entry(chunk, i));
            }
        }
        return count;
    }
}
