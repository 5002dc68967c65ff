package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * Lists of entries of one length, one for each bucket of a {@link Calendar}, in chunks that are linked from the last
 * one to the first. Where the lists end that were appended to last is kept outside of the pages, so that most appends
 * touch little but the line that they write to; how many entries their last chunks have is written to those when others
 * take their places, and by {@link #writeBack()}.
 *
 * <pre>
 *   chunk    0 previous (32), 4 count (32), 8 entries
 *   end      0 address (64)     of the next entry
 *            8 left (16)        entries that the last chunk has room for, 0 when it is full, unknown or not there
 *           10 bucket (16)      modulo 128
 *           12 epoch (32)       in which its page was noted as written to
 * </pre>
 */
final class BucketLists
{
    static final int CHUNK_CLASS = 2;
    static final int CHUNK_ENTRIES = 8;

    private static final int CHUNK_PREVIOUS = 0;
    private static final int CHUNK_COUNT = 4;

    /** Ends at hand: events come roughly by time, so that few buckets are appended to at a time. */
    private static final int ENDS = 16;

    /** Bytes of the ends. */
    static final int ENDS_LENGTH = 256;

    private static final int END_SHIFT = 4;
    private static final int END_LEFT = 8;
    private static final int END_BUCKET = 10;
    private static final int END_EPOCH = 12;

    private final Arena arena;
    private final int heads;
    private final int entryLength;
    private final int entriesPerChunk;
    private final long ends;
    private long table;
    private int tableRef;
    private long size;

    /**
     * Empty lists.
     *
     * @param arena       of the calendar.
     * @param heads       where the references of their last chunks are in the calendar's table.
     * @param entryLength bytes of an entry.
     * @param ends        {@value #ENDS_LENGTH} bytes for them, zeroed.
     */
    BucketLists(final Arena arena, final int heads, final int entryLength, final long ends)
    {
        this.ends = ends;
        this.arena = arena;
        this.heads = heads;
        this.entryLength = entryLength;
        this.entriesPerChunk = (Arena.sizeOf(CHUNK_CLASS) - CHUNK_ENTRIES) / entryLength;
    }

    void table(final int ref, final long address)
    {
        tableRef = ref;
        table = address;
    }

    /** Entries in all lists. */
    long size()
    {
        return size;
    }

    /** Address of a new entry at the end of a bucket's list. */
    long append(final long bucket)
    {
        final long end = end(bucket);
        if (left(end) == 0 || !isOf(end, bucket) || UnsafeApi.getInt(end + END_EPOCH) != arena.epoch())
        {
            makeRoom(bucket, end);
        }
        final long entry = UnsafeApi.getLong(end);
        UnsafeApi.putLong(end, entry + entryLength);
        left(end, left(end) - 1);
        size++;
        return entry;
    }

    /** Whether the entry that was appended to a bucket's list last is the first one of its chunk. */
    boolean hasBegunChunk(final long bucket)
    {
        return left(end(bucket)) == entriesPerChunk - 1;
    }

    /** Adds what {@link #take} will need. */
    void addLast(final Lines lines, final long bucket)
    {
        final int last = UnsafeApi.getInt(head(bucket));
        if (last != 0)
        {
            lines.add(arena.address(last));
        }
    }

    /** Takes the list of a bucket out of the table; returns its last chunk or 0. Its entries are no longer counted. */
    int take(final long bucket)
    {
        final long head = head(bucket);
        final int last = UnsafeApi.getInt(head);
        if (last == 0)
        {
            return 0;
        }
        writeBack(bucket);
        forget(bucket);
        arena.writable(tableRef);
        UnsafeApi.putInt(head, 0);
        for (int chunk = last; chunk != 0; chunk = previous(chunk))
        {
            size -= count(chunk);
        }
        return last;
    }

    /** Last chunk of a bucket's list, or 0. */
    int last(final long bucket)
    {
        writeBack(bucket);
        return UnsafeApi.getInt(head(bucket));
    }

    int previous(final int chunk)
    {
        return UnsafeApi.getInt(arena.address(chunk) + CHUNK_PREVIOUS);
    }

    int count(final int chunk)
    {
        return UnsafeApi.getInt(arena.address(chunk) + CHUNK_COUNT);
    }

    long entry(final int chunk, final int i)
    {
        return arena.address(chunk) + CHUNK_ENTRIES + (long)i * entryLength;
    }

    /** Frees a chunk that was taken, and returns the one before it. */
    int free(final int chunk)
    {
        final int previous = previous(chunk);
        arena.free(chunk, CHUNK_CLASS);
        return previous;
    }

    /** Counts what is in the lists of installed pages. */
    void installed(final long firstBucket, final int buckets)
    {
        for (int i = 0; i < buckets; i++)
        {
            for (int chunk = last(firstBucket + i); chunk != 0; chunk = previous(chunk))
            {
                size += count(chunk);
            }
        }
    }

    /** Writes to their pages how many entries the last chunks have. */
    void writeBack()
    {
        for (int i = 0; i < ENDS; i++)
        {
            writeBackEnd(ends + ((long)i << END_SHIFT));
        }
    }

    private void writeBack(final long bucket)
    {
        final long end = end(bucket);
        if (isOf(end, bucket))
        {
            writeBackEnd(end);
        }
    }

    private void writeBackEnd(final long end)
    {
        // Nothing was appended in this epoch unless the page was noted in it.
        if (UnsafeApi.getInt(end + END_EPOCH) == arena.epoch())
        {
            final int chunk = UnsafeApi.getInt(head(UnsafeApi.getChar(end + END_BUCKET)));
            UnsafeApi.putInt(arena.address(chunk) + CHUNK_COUNT, entriesPerChunk - left(end));
        }
    }

    private void forget(final long bucket)
    {
        final long end = end(bucket);
        if (isOf(end, bucket))
        {
            left(end, 0);
            UnsafeApi.putInt(end + END_EPOCH, 0);
        }
    }

    private void makeRoom(final long bucket, final long end)
    {
        writeBackEnd(end);
        final long head = head(bucket);
        int chunk = UnsafeApi.getInt(head);
        if (chunk == 0 || count(chunk) == entriesPerChunk)
        {
            final int previous = chunk;
            chunk = arena.allocate(CHUNK_CLASS);
            UnsafeApi.putInt(arena.writable(chunk) + CHUNK_PREVIOUS, previous);
            arena.writable(tableRef);
            UnsafeApi.putInt(head, chunk);
            Calendar.mark(table, bucket, true);
        }
        final long address = arena.writable(chunk);
        final int count = count(chunk);
        UnsafeApi.putLong(end, address + CHUNK_ENTRIES + (long)count * entryLength);
        left(end, entriesPerChunk - count);
        UnsafeApi.putChar(end + END_BUCKET, (char)(bucket & Calendar.BUCKETS - 1));
        UnsafeApi.putInt(end + END_EPOCH, arena.epoch());
    }

    private long head(final long bucket)
    {
        return table + heads + 4 * (bucket & Calendar.BUCKETS - 1);
    }

    private long end(final long bucket)
    {
        return ends + ((bucket & ENDS - 1) << END_SHIFT);
    }

    private static boolean isOf(final long end, final long bucket)
    {
        return UnsafeApi.getChar(end + END_BUCKET) == (bucket & Calendar.BUCKETS - 1);
    }

    private static int left(final long end)
    {
        return UnsafeApi.getChar(end + END_LEFT);
    }

    private static void left(final long end, final int value)
    {
        UnsafeApi.putChar(end + END_LEFT, (char)value);
    }

    static
    {
        assert ENDS << END_SHIFT == ENDS_LENGTH;
    }
}
