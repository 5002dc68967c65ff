package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/**
 * Hash index from a 32-bit hash to references, in pages of a slot (extendible hashing: a full bucket is split by
 * itself, so that no insert costs more than one page). Any number of references may share a hash: a bucket that no
 * split would relieve goes on in overflow pages. The caller verifies candidates:
 *
 * <pre>
 *   int ref = index.first(hash);
 *   while (ref != 0 &amp;&amp; !isTheOne(ref)) ref = index.next();
 * </pre>
 *
 * <pre>
 *   page of a bucket    0 local depth (8)       -1 in overflow pages
 *                       2 entries (16)
 *                       4 prefix (32)
 *                       8 overflow (32)         next page of the bucket or 0
 *                      12 own (32)             reference of this page
 *                      16 510 entries of 8 bytes: hash (32), reference (32), 0 = empty
 * </pre>
 */
public final class HashIndex
{
    private static final int ENTRIES = 510;
    private static final int FULL = 440;
    private static final int LARGEST_DEPTH = 22;
    private static final int DEPTH = 0;
    private static final int COUNT = 2;
    private static final int PREFIX = 4;
    private static final int OVERFLOW = 8;
    private static final int OWN = 12;
    private static final int FIRST_ENTRY = 16;
    private static final int OVERFLOW_DEPTH = -1;

    private final Arena arena;
    private final int kind;
    private final long sizeAddress;
    private long directory;
    private int depth;

    private long cursorBucket;
    private int cursorEntry;
    private int cursorHash;

    private long foundPage;
    private int foundEntry;

    HashIndex(final Arena arena, final int kind, final long sizeAddress)
    {
        this.arena = arena;
        this.kind = kind;
        this.sizeAddress = sizeAddress;
        this.directory = UnsafeApi.allocateMemory(8);
    }

    /** Makes the first bucket. */
    void begin()
    {
        UnsafeApi.putLong(directory, newPage(0));
    }

    /** Builds the directory from pages that were installed. */
    void installed()
    {
        for (int ref = arena.nextWhole(0, kind); ref != 0; ref = arena.nextWhole(ref >>> 6, kind))
        {
            depth = Math.max(depth, UnsafeApi.getByte(arena.address(ref) + DEPTH));
        }
        directory = UnsafeApi.reallocateMemory(directory, 8L << depth);
        for (int ref = arena.nextWhole(0, kind); ref != 0; ref = arena.nextWhole(ref >>> 6, kind))
        {
            final long page = arena.address(ref);
            final int localDepth = UnsafeApi.getByte(page + DEPTH);
            if (localDepth != OVERFLOW_DEPTH)
            {
                direct(page, localDepth);
            }
        }
    }

    /**
     * Number of entries.
     *
     * @return entries.
     */
    public long size()
    {
        return UnsafeApi.getLong(sizeAddress);
    }

    /**
     * Touches the memory that a look-up will need.
     *
     * @param hash of a later look-up.
     * @return something read, to be used or not.
     */
    public long touch(final int hash)
    {
        return UnsafeApi.getLong(bucket(hash) + FIRST_ENTRY + ((long)start(hash) << 3));
    }

    /**
     * Touches the memory that a change will need.
     *
     * @param hash of an entry that will be inserted or removed.
     * @return something read, to be used or not.
     */
    public long touchToChange(final int hash)
    {
        final long bucket = bucket(hash);
        return UnsafeApi.getLong(bucket) + UnsafeApi.getLong(bucket + FIRST_ENTRY + ((long)start(hash) << 3));
    }

    /**
     * Starts a look-up.
     *
     * @param hash to look up.
     * @return the first candidate or 0.
     */
    public int first(final int hash)
    {
        cursorBucket = bucket(hash);
        cursorHash = hash;
        cursorEntry = start(hash);
        return candidate();
    }

    /**
     * Goes on with the look-up that {@link #first} started; the index must not have changed meanwhile.
     *
     * @return the next candidate or 0.
     */
    public int next()
    {
        cursorEntry = after(cursorEntry);
        return candidate();
    }

    /**
     * Adds an entry.
     *
     * @param hash of the entry.
     * @param ref  not 0.
     */
    public void insert(final int hash, final int ref)
    {
        long bucket = bucket(hash);
        while (isFull(bucket) && splitRelieves(bucket, hash))
        {
            split(bucket);
            bucket = bucket(hash);
        }
        place(bucket, hash, ref);
        UnsafeApi.putLong(sizeAddress, UnsafeApi.getLong(sizeAddress) + 1);
    }

    /**
     * Removes an entry.
     *
     * @param hash of the entry.
     * @param ref  of the entry.
     */
    public void remove(final int hash, final int ref)
    {
        find(hash, ref);
        note(foundPage);
        UnsafeApi.putLong(sizeAddress, UnsafeApi.getLong(sizeAddress) - 1);
        UnsafeApi.putShort(foundPage + COUNT, (short)(UnsafeApi.getShort(foundPage + COUNT) - 1));
        closeHole(foundPage, foundEntry);
        if (UnsafeApi.getShort(foundPage + COUNT) == 0 && UnsafeApi.getByte(foundPage + DEPTH) == OVERFLOW_DEPTH)
        {
            unlink(bucket(hash), foundPage);
        }
    }

    /**
     * Lets an entry refer to another place.
     *
     * @param hash   of the entry.
     * @param oldRef what it refers to.
     * @param newRef what it shall refer to.
     */
    public void replace(final int hash, final int oldRef, final int newRef)
    {
        find(hash, oldRef);
        note(foundPage);
        put(foundPage, foundEntry, entry(hash, newRef));
    }

    /**
     * Number of buckets, for walking over all entries with {@link #refAt}.
     *
     * @return places in the directory.
     */
    public int places()
    {
        return 1 << depth;
    }

    /**
     * Walks over all entries, each once.
     *
     * @param place 0 to {@link #places()} - 1.
     * @param entry 0 to {@link #entries(int)} - 1.
     * @return the reference there or 0.
     */
    public int refAt(final int place, final int entry)
    {
        long page = UnsafeApi.getLong(directory + ((long)place << 3));
        for (int i = entry; i >= ENTRIES; i -= ENTRIES)
        {
            page = overflow(page);
        }
        return (int)content(page, entry % ENTRIES);
    }

    /**
     * How many entries, empty ones included, are to be looked at in a place.
     *
     * @param place 0 to {@link #places()} - 1.
     * @return entries; none where they have been looked at in an earlier place.
     */
    public int entries(final int place)
    {
        long page = UnsafeApi.getLong(directory + ((long)place << 3));
        final int localDepth = UnsafeApi.getByte(page + DEPTH);
        if ((place & (1 << (depth - localDepth)) - 1) != 0)
        {
            return 0;
        }
        int pages = 1;
        for (page = overflow(page); page != 0; page = overflow(page))
        {
            pages++;
        }
        return pages * ENTRIES;
    }

    void close()
    {
        UnsafeApi.freeMemory(directory);
        directory = 0;
    }

    private int candidate()
    {
        while (cursorBucket != 0)
        {
            long content = content(cursorBucket, cursorEntry);
            while (content != 0)
            {
                if ((int)(content >>> 32) == cursorHash)
                {
                    return (int)content;
                }
                cursorEntry = after(cursorEntry);
                content = content(cursorBucket, cursorEntry);
            }
            cursorBucket = overflow(cursorBucket);
            cursorEntry = start(cursorHash);
        }
        return 0;
    }

    private void find(final int hash, final int ref)
    {
        final long wanted = entry(hash, ref);
        for (long page = bucket(hash); page != 0; page = overflow(page))
        {
            int entry = start(hash);
            long content = content(page, entry);
            while (content != 0 && content != wanted)
            {
                entry = after(entry);
                content = content(page, entry);
            }
            if (content != 0)
            {
                foundPage = page;
                foundEntry = entry;
                return;
            }
        }
        throw new IllegalStateException("entry " + Long.toHexString(wanted) + " is not in the index");
    }

    private static void closeHole(final long page, final int at)
    {
        // Entries behind the hole move up unless they would then stand before their own place.
        int hole = at;
        int entry = after(hole);
        long content = content(page, entry);
        while (content != 0)
        {
            final int home = start((int)(content >>> 32));
            final boolean stays = hole < entry ? hole < home && home <= entry : hole < home || home <= entry;
            if (!stays)
            {
                put(page, hole, content);
                hole = entry;
            }
            entry = after(entry);
            content = content(page, entry);
        }
        put(page, hole, 0);
    }

    /** Places an entry in the first page of a bucket that has room. */
    private void place(final long bucket, final int hash, final int ref)
    {
        long page = bucket;
        while (isFull(page))
        {
            final long next = overflow(page);
            page = next != 0 ? next : addOverflow(bucket, page);
        }
        int entry = start(hash);
        while (content(page, entry) != 0)
        {
            entry = after(entry);
        }
        note(page);
        put(page, entry, entry(hash, ref));
        UnsafeApi.putShort(page + COUNT, (short)(UnsafeApi.getShort(page + COUNT) + 1));
    }

    private long addOverflow(final long bucket, final long last)
    {
        final int prefix = UnsafeApi.getInt(bucket + PREFIX);
        final long page = newPage(prefix);
        UnsafeApi.putByte(page + DEPTH, (byte)OVERFLOW_DEPTH);
        note(last);
        UnsafeApi.putInt(last + OVERFLOW, UnsafeApi.getInt(page + OWN));
        return page;
    }

    private void unlink(final long bucket, final long overflowPage)
    {
        long previous = bucket;
        while (overflow(previous) != overflowPage)
        {
            previous = overflow(previous);
        }
        final int ref = UnsafeApi.getInt(previous + OVERFLOW);
        note(previous);
        UnsafeApi.putInt(previous + OVERFLOW, UnsafeApi.getInt(overflowPage + OVERFLOW));
        arena.freeWhole(ref);
    }

    private long newPage(final int prefix)
    {
        final int ref = arena.allocateWhole(kind, prefix);
        final long page = arena.writable(ref);
        UnsafeApi.putInt(page + PREFIX, prefix);
        UnsafeApi.putInt(page + OWN, ref);
        return page;
    }

    /** Lets the places of the directory that begin with a bucket's prefix lead to it. */
    private void direct(final long bucket, final int localDepth)
    {
        final int width = 1 << (depth - localDepth);
        final long first = directory + ((long)UnsafeApi.getInt(bucket + PREFIX) << (depth - localDepth) << 3);
        for (int i = 0; i < width; i++)
        {
            UnsafeApi.putLong(first + ((long)i << 3), bucket);
        }
    }

    /** The page is about to be written to. */
    private void note(final long page)
    {
        arena.writable(UnsafeApi.getInt(page + OWN));
    }

    private static boolean isFull(final long page)
    {
        return UnsafeApi.getShort(page + COUNT) >= FULL;
    }

    /** Whether splits can part the entries of a full bucket and one more; those of one hash never part. */
    private static boolean splitRelieves(final long bucket, final int hash)
    {
        for (int i = 0; i < ENTRIES; i++)
        {
            final long content = content(bucket, i);
            if (content != 0 && ((int)(content >>> 32) ^ hash) >>> (32 - LARGEST_DEPTH) != 0)
            {
                return true;
            }
        }
        return false;
    }

    private void split(final long bucket)
    {
        final int localDepth = UnsafeApi.getByte(bucket + DEPTH);
        if (localDepth == depth)
        {
            doubleDirectory();
        }
        final int newPrefix = UnsafeApi.getInt(bucket + PREFIX) << 1 | 1;
        final long sibling = newPage(newPrefix);
        note(bucket);
        UnsafeApi.putByte(bucket + DEPTH, (byte)(localDepth + 1));
        UnsafeApi.putInt(bucket + PREFIX, newPrefix & ~1);
        UnsafeApi.putByte(sibling + DEPTH, (byte)(localDepth + 1));
        direct(sibling, localDepth + 1);
        int overflow = UnsafeApi.getInt(bucket + OVERFLOW);
        UnsafeApi.putInt(bucket + OVERFLOW, 0);
        redistribute(bucket, bucket, sibling, localDepth);
        while (overflow != 0)
        {
            final long page = arena.address(overflow);
            final int next = UnsafeApi.getInt(page + OVERFLOW);
            note(page);
            redistribute(page, bucket, sibling, localDepth);
            arena.freeWhole(overflow);
            overflow = next;
        }
    }

    private void redistribute(final long page, final long bucket, final long sibling, final int bit)
    {
        // The entries are taken out and placed anew, from an entry behind an empty one on, so that none is met twice.
        int first = 0;
        while (content(page, first) != 0)
        {
            first++;
        }
        UnsafeApi.putShort(page + COUNT, (short)0);
        for (int i = 1; i <= ENTRIES; i++)
        {
            final int entry = (first + i) % ENTRIES;
            final long content = content(page, entry);
            if (content != 0)
            {
                put(page, entry, 0);
                final int hash = (int)(content >>> 32);
                place((hash >>> (31 - bit) & 1) == 0 ? bucket : sibling, hash, (int)content);
            }
        }
    }

    private void doubleDirectory()
    {
        final int places = 1 << depth;
        directory = UnsafeApi.reallocateMemory(directory, (long)places << 4);
        for (int i = places - 1; i >= 0; i--)
        {
            final long bucket = UnsafeApi.getLong(directory + ((long)i << 3));
            UnsafeApi.putLong(directory + ((long)i << 4), bucket);
            UnsafeApi.putLong(directory + ((long)i << 4) + 8, bucket);
        }
        depth++;
    }

    private long overflow(final long page)
    {
        final int ref = UnsafeApi.getInt(page + OVERFLOW);
        return ref == 0 ? 0 : arena.address(ref);
    }

    private long bucket(final int hash)
    {
        return UnsafeApi.getLong(directory + (((long)hash & 0xFFFF_FFFFL) >>> (32 - depth) << 3));
    }

    private static int start(final int hash)
    {
        return ((hash & 0xFFFF) * ENTRIES) >>> 16;
    }

    private static int after(final int entry)
    {
        return entry + 1 == ENTRIES ? 0 : entry + 1;
    }

    private static long entry(final int hash, final int ref)
    {
        return (long)hash << 32 | (ref & 0xFFFF_FFFFL);
    }

    private static long content(final long bucket, final int entry)
    {
        return UnsafeApi.getLong(bucket + FIRST_ENTRY + ((long)entry << 3));
    }

    private static void put(final long bucket, final int entry, final long content)
    {
        UnsafeApi.putLong(bucket + FIRST_ENTRY + ((long)entry << 3), content);
    }

    static
    {
        assert FIRST_ENTRY + ENTRIES * 8 == PageStore.PAGE_SIZE;
    }
}
