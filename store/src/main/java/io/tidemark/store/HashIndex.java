package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import org.agrona.UnsafeApi;

/**
 * Hash index from a 32-bit hash to references, in pages of a slot (extendible hashing: a full bucket is split by
 * itself, so that no insert costs more than one page). Several references may share a hash; the caller verifies
 * candidates:
 *
 * <pre>
 *   int ref = index.first(hash);
 *   while (ref != 0 &amp;&amp; !isTheOne(ref)) ref = index.next();
 * </pre>
 *
 * <pre>
 *   bucket   0: local depth (8 bits), 2: entries (16 bits), 4: prefix (32 bits)
 *            8: 511 entries of 8 bytes: hash (32 bits), reference (32 bits, 0 = empty)
 * </pre>
 */
public final class HashIndex
{
    private static final int ENTRIES = 511;
    private static final int FULL = 440;
    private static final int LARGEST_DEPTH = 22;
    private static final int DEPTH = 0;
    private static final int COUNT = 2;
    private static final int PREFIX = 4;
    private static final int FIRST_ENTRY = 8;

    private final Arena arena;
    private final int kind;
    private final long sizeAddress;
    private long directory;
    private int depth;

    private long cursorBucket;
    private int cursorEntry;
    private int cursorHash;

    HashIndex(final Arena arena, final int kind, final long sizeAddress)
    {
        this.arena = arena;
        this.kind = kind;
        this.sizeAddress = sizeAddress;
        this.directory = UnsafeApi.allocateMemory(8);
        UnsafeApi.putLong(directory, arena.address(arena.allocateWhole(kind, 0)));
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
     * @return the first entry with that place, to be used or not.
     */
    public long touch(final int hash)
    {
        return UnsafeApi.getLong(bucket(hash) + FIRST_ENTRY + ((long)start(hash) << 3));
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
        while (UnsafeApi.getShort(bucket + COUNT) >= FULL)
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
        final long bucket = bucket(hash);
        int hole = find(bucket, hash, ref);
        UnsafeApi.putLong(sizeAddress, UnsafeApi.getLong(sizeAddress) - 1);
        UnsafeApi.putShort(bucket + COUNT, (short)(UnsafeApi.getShort(bucket + COUNT) - 1));
        // Entries behind the hole move up unless they would then stand before their own place.
        int entry = after(hole);
        long content = content(bucket, entry);
        while (content != 0)
        {
            final int home = start((int)(content >>> 32));
            final boolean stays = hole < entry ? hole < home && home <= entry : hole < home || home <= entry;
            if (!stays)
            {
                put(bucket, hole, content);
                hole = entry;
            }
            entry = after(entry);
            content = content(bucket, entry);
        }
        put(bucket, hole, 0);
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
        final long bucket = bucket(hash);
        put(bucket, find(bucket, hash, oldRef), entry(hash, newRef));
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
     * @param entry 0 to {@link #entriesPerPlace()} - 1.
     * @return the reference there or 0.
     */
    public int refAt(final int place, final int entry)
    {
        final long bucket = UnsafeApi.getLong(directory + ((long)place << 3));
        final int localDepth = UnsafeApi.getByte(bucket + DEPTH);
        final boolean firstOfBucket = (place & (1 << (depth - localDepth)) - 1) == 0;
        return firstOfBucket ? (int)content(bucket, entry) : 0;
    }

    /**
     * Number of entries a place may have.
     *
     * @return entries.
     */
    public static int entriesPerPlace()
    {
        return ENTRIES;
    }

    void close()
    {
        UnsafeApi.freeMemory(directory);
        directory = 0;
    }

    private int candidate()
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
        return 0;
    }

    private int find(final long bucket, final int hash, final int ref)
    {
        final long wanted = entry(hash, ref);
        int entry = start(hash);
        long content = content(bucket, entry);
        while (content != wanted)
        {
            assert content != 0 : "entry is not in the index";
            entry = after(entry);
            content = content(bucket, entry);
        }
        return entry;
    }

    private void place(final long bucket, final int hash, final int ref)
    {
        int entry = start(hash);
        while (content(bucket, entry) != 0)
        {
            entry = after(entry);
        }
        put(bucket, entry, entry(hash, ref));
        UnsafeApi.putShort(bucket + COUNT, (short)(UnsafeApi.getShort(bucket + COUNT) + 1));
    }

    private void split(final long bucket)
    {
        final int localDepth = UnsafeApi.getByte(bucket + DEPTH);
        if (localDepth == LARGEST_DEPTH)
        {
            throw new IllegalStateException("more than " + FULL + " keys or rows of one slot share the first " +
                LARGEST_DEPTH + " bits of their hash; use more slots");
        }
        if (localDepth == depth)
        {
            doubleDirectory();
        }
        final int newPrefix = UnsafeApi.getInt(bucket + PREFIX) << 1 | 1;
        final long sibling = arena.address(arena.allocateWhole(kind, newPrefix));
        UnsafeApi.putByte(bucket + DEPTH, (byte)(localDepth + 1));
        UnsafeApi.putInt(bucket + PREFIX, newPrefix & ~1);
        UnsafeApi.putByte(sibling + DEPTH, (byte)(localDepth + 1));
        UnsafeApi.putInt(sibling + PREFIX, newPrefix);
        final int width = 1 << (depth - localDepth - 1);
        final int firstPlace = newPrefix << (depth - localDepth - 1);
        for (int i = 0; i < width; i++)
        {
            UnsafeApi.putLong(directory + ((long)(firstPlace + i) << 3), sibling);
        }
        redistribute(bucket, sibling, localDepth);
    }

    private void redistribute(final long bucket, final long sibling, final int bit)
    {
        // The entries are taken out and placed anew, from an entry behind an empty one on, so that none is met twice.
        int first = 0;
        while (content(bucket, first) != 0)
        {
            first++;
        }
        UnsafeApi.putShort(bucket + COUNT, (short)0);
        for (int i = 1; i <= ENTRIES; i++)
        {
            final int entry = (first + i) % ENTRIES;
            final long content = content(bucket, entry);
            if (content != 0)
            {
                put(bucket, entry, 0);
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
