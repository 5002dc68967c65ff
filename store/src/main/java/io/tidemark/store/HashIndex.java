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
 *   page of a bucket    0 local depth (8)      -1 in overflow pages
 *                       4 prefix (32)
 *                       8 overflow (32)        next page of the bucket or 0
 *                      12 unused (32)
 *                      16 510 entries of 8 bytes: hash (32), reference (32), 0 = empty
 * </pre>
 *
 * <p>The number of entries of an overflow page is its count in the {@link Arena}. A directory, which is not in pages,
 * leads from the first bits of a hash to its bucket, so that a look-up touches one line of one page, found or not:
 *
 * <pre>
 *   place of the directory    0 address of the bucket's page (64)
 *                             8 its reference (32)
 *                            12 count (16)        entries of that page
 *                            14 shared (8)        binary logarithm of the places that lead to the bucket
 *                            15 overflows (8)     whether it has overflow pages
 * </pre>
 */
public final class HashIndex
{
    private static final int ENTRIES = 510;
    private static final int FULL = 440;
    private static final int LARGEST_DEPTH = 22;
    private static final int DEPTH = 0;
    private static final int PREFIX = 4;
    private static final int OVERFLOW = 8;
    private static final int FIRST_ENTRY = 16;
    private static final int OVERFLOW_DEPTH = -1;

    private static final int PLACE_SHIFT = 4;
    private static final int PLACE_REF = 8;
    private static final int PLACE_COUNT = 12;
    private static final int PLACE_SHARED = 14;
    private static final int PLACE_OVERFLOWS = 15;

    private final Arena arena;
    private final int kind;
    private final long sizeAddress;
    private long directory;
    private int depth;

    private long cursorPage;
    private int cursorEntry;
    private int cursorHash;
    private boolean cursorMayGoOn;

    private int foundRef;
    private int foundEntry;

    HashIndex(final Arena arena, final int kind, final long sizeAddress)
    {
        this.arena = arena;
        this.kind = kind;
        this.sizeAddress = sizeAddress;
        this.directory = UnsafeApi.allocateMemory(1L << PLACE_SHIFT);
    }

    /** Makes the first bucket. */
    void begin()
    {
        direct(newPage(0), 0);
    }

    /** Builds the directory from pages that were installed. */
    void installed()
    {
        for (int ref = arena.nextWhole(0, kind); ref != 0; ref = arena.nextWhole(ref >>> 6, kind))
        {
            depth = Math.max(depth, UnsafeApi.getByte(arena.address(ref) + DEPTH));
        }
        directory = UnsafeApi.reallocateMemory(directory, 1L << (PLACE_SHIFT + depth));
        for (int ref = arena.nextWhole(0, kind); ref != 0; ref = arena.nextWhole(ref >>> 6, kind))
        {
            if (UnsafeApi.getByte(arena.address(ref) + DEPTH) != OVERFLOW_DEPTH)
            {
                direct(ref, countEntries(arena.address(ref)));
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
     * The memory that a look-up, an insert or a removal will need.
     *
     * @param hash of the entry.
     * @return an address in the line that matters most.
     */
    public long line(final int hash)
    {
        return UnsafeApi.getLong(place(hash)) + FIRST_ENTRY + ((long)start(hash) << 3);
    }

    /**
     * Starts a look-up.
     *
     * @param hash to look up.
     * @return the first candidate or 0.
     */
    public int first(final int hash)
    {
        final long place = place(hash);
        cursorPage = UnsafeApi.getLong(place);
        cursorMayGoOn = UnsafeApi.getByte(place + PLACE_OVERFLOWS) != 0;
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
        long place = place(hash);
        while (isFull(place) && splitRelieves(UnsafeApi.getLong(place), hash))
        {
            split(place);
            place = place(hash);
        }
        insert(place, hash, ref);
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
        UnsafeApi.putLong(sizeAddress, UnsafeApi.getLong(sizeAddress) - 1);
        final long page = arena.writable(foundRef);
        closeHole(page, foundEntry);
        final long place = place(hash);
        if (foundRef == bucket(place))
        {
            count(place, count(place) - 1);
        }
        else
        {
            removedFromOverflow(place);
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
        put(arena.writable(foundRef), foundEntry, entry(hash, newRef));
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
        long page = UnsafeApi.getLong(placeAt(place));
        for (int i = entry; i >= ENTRIES; i -= ENTRIES)
        {
            page = arena.address(overflow(page));
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
        final long page = UnsafeApi.getLong(placeAt(place));
        final int localDepth = UnsafeApi.getByte(page + DEPTH);
        if ((place & (1 << (depth - localDepth)) - 1) != 0)
        {
            return 0;
        }
        int pages = 1;
        for (int ref = overflow(page); ref != 0; ref = overflow(arena.address(ref)))
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
        while (true)
        {
            long content = content(cursorPage, cursorEntry);
            while (content != 0)
            {
                if ((int)(content >>> 32) == cursorHash)
                {
                    return (int)content;
                }
                cursorEntry = after(cursorEntry);
                content = content(cursorPage, cursorEntry);
            }
            final int next = cursorMayGoOn ? overflow(cursorPage) : 0;
            if (next == 0)
            {
                return 0;
            }
            cursorPage = arena.address(next);
            cursorEntry = start(cursorHash);
        }
    }

    private void find(final int hash, final int ref)
    {
        final long wanted = entry(hash, ref);
        int pageRef = bucket(place(hash));
        while (pageRef != 0)
        {
            final long page = arena.address(pageRef);
            int entry = start(hash);
            long content = content(page, entry);
            while (content != 0 && content != wanted)
            {
                entry = after(entry);
                content = content(page, entry);
            }
            if (content != 0)
            {
                foundRef = pageRef;
                foundEntry = entry;
                return;
            }
            pageRef = overflow(page);
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

    /** Inserts an entry into the first page of a bucket that has room. */
    private void insert(final long place, final int hash, final int ref)
    {
        if (isFull(place))
        {
            insertIntoOverflow(place, hash, ref);
        }
        else
        {
            add(arena.writable(bucket(place)), hash, ref);
            count(place, count(place) + 1);
        }
    }

    private void insertIntoOverflow(final long place, final int hash, final int ref)
    {
        int last = bucket(place);
        int page = overflow(UnsafeApi.getLong(place));
        while (page != 0 && arena.count(page) >= FULL)
        {
            last = page;
            page = overflow(arena.address(page));
        }
        if (page == 0)
        {
            page = addOverflow(place, last);
        }
        add(arena.writable(page), hash, ref);
        arena.count(page, arena.count(page) + 1);
    }

    private int addOverflow(final long place, final int last)
    {
        final int ref = newPage(UnsafeApi.getInt(UnsafeApi.getLong(place) + PREFIX));
        UnsafeApi.putByte(arena.writable(ref) + DEPTH, (byte)OVERFLOW_DEPTH);
        UnsafeApi.putInt(arena.writable(last) + OVERFLOW, ref);
        direct(bucket(place), count(place));
        return ref;
    }

    /** Counts an entry less in the overflow page that was found last, and drops the page with its last entry. */
    private void removedFromOverflow(final long place)
    {
        final int left = arena.count(foundRef) - 1;
        arena.count(foundRef, left);
        if (left == 0)
        {
            int previous = bucket(place);
            while (overflow(arena.address(previous)) != foundRef)
            {
                previous = overflow(arena.address(previous));
            }
            UnsafeApi.putInt(arena.writable(previous) + OVERFLOW, overflow(arena.address(foundRef)));
            arena.freeWhole(foundRef);
            direct(bucket(place), count(place));
        }
    }

    private int newPage(final int prefix)
    {
        final int ref = arena.allocateWhole(kind, prefix);
        UnsafeApi.putInt(arena.writable(ref) + PREFIX, prefix);
        return ref;
    }

    /** Lets the places of the directory that begin with a bucket's prefix lead to it. */
    private void direct(final int bucket, final int entries)
    {
        final long page = arena.address(bucket);
        final int shared = depth - UnsafeApi.getByte(page + DEPTH);
        final int first = UnsafeApi.getInt(page + PREFIX) << shared;
        for (int i = 0; i < 1 << shared; i++)
        {
            final long place = placeAt(first + i);
            UnsafeApi.putLong(place, page);
            UnsafeApi.putInt(place + PLACE_REF, bucket);
            UnsafeApi.putChar(place + PLACE_COUNT, (char)entries);
            UnsafeApi.putByte(place + PLACE_SHARED, (byte)shared);
            UnsafeApi.putByte(place + PLACE_OVERFLOWS, (byte)(overflow(page) == 0 ? 0 : 1));
        }
    }

    /** Entries of the first page of a bucket. */
    private static int count(final long place)
    {
        return UnsafeApi.getChar(place + PLACE_COUNT);
    }

    private void count(final long place, final int value)
    {
        final int shared = UnsafeApi.getByte(place + PLACE_SHARED);
        if (shared == 0)
        {
            UnsafeApi.putChar(place + PLACE_COUNT, (char)value);
            return;
        }
        final long first = (place - directory) >>> (PLACE_SHIFT + shared) << shared;
        for (int i = 0; i < 1 << shared; i++)
        {
            UnsafeApi.putChar(placeAt((int)first + i) + PLACE_COUNT, (char)value);
        }
    }

    private static boolean isFull(final long place)
    {
        return count(place) >= FULL;
    }

    private static int countEntries(final long page)
    {
        int count = 0;
        for (int i = 0; i < ENTRIES; i++)
        {
            count += content(page, i) == 0 ? 0 : 1;
        }
        return count;
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

    private void split(final long atPlace)
    {
        final int bucket = bucket(atPlace);
        final long page = arena.writable(bucket);
        final int localDepth = UnsafeApi.getByte(page + DEPTH);
        if (localDepth == depth)
        {
            doubleDirectory();
        }
        final int newPrefix = UnsafeApi.getInt(page + PREFIX) << 1 | 1;
        final int sibling = newPage(newPrefix);
        UnsafeApi.putByte(page + DEPTH, (byte)(localDepth + 1));
        UnsafeApi.putInt(page + PREFIX, newPrefix & ~1);
        UnsafeApi.putByte(arena.writable(sibling) + DEPTH, (byte)(localDepth + 1));
        int overflow = overflow(page);
        UnsafeApi.putInt(page + OVERFLOW, 0);
        // Entries that stay in their page are taken out too, and inserted anew.
        direct(bucket, 0);
        direct(sibling, 0);
        redistribute(page);
        while (overflow != 0)
        {
            final int next = overflow(arena.address(overflow));
            redistribute(arena.writable(overflow));
            arena.freeWhole(overflow);
            overflow = next;
        }
    }

    private void redistribute(final long page)
    {
        // From one behind an empty one on, so that none is met twice.
        int first = 0;
        while (content(page, first) != 0)
        {
            first++;
        }
        for (int i = 1; i <= ENTRIES; i++)
        {
            final int entry = (first + i) % ENTRIES;
            final long content = content(page, entry);
            if (content != 0)
            {
                put(page, entry, 0);
                final int hash = (int)(content >>> 32);
                insert(place(hash), hash, (int)content);
            }
        }
    }

    private void doubleDirectory()
    {
        final int places = 1 << depth;
        directory = UnsafeApi.reallocateMemory(directory, (long)places << (PLACE_SHIFT + 1));
        for (int i = places - 1; i >= 0; i--)
        {
            final long place = placeAt(i);
            final long bucket = UnsafeApi.getLong(place);
            final long rest = UnsafeApi.getLong(place + PLACE_REF);
            for (int half = 0; half < 2; half++)
            {
                final long target = placeAt(2 * i + half);
                UnsafeApi.putLong(target, bucket);
                UnsafeApi.putLong(target + PLACE_REF, rest);
                UnsafeApi.putByte(target + PLACE_SHARED, (byte)(UnsafeApi.getByte(target + PLACE_SHARED) + 1));
            }
        }
        depth++;
    }

    /** Reference of the next page of a bucket, or 0. */
    private static int overflow(final long page)
    {
        return UnsafeApi.getInt(page + OVERFLOW);
    }

    private long placeAt(final int place)
    {
        return directory + ((long)place << PLACE_SHIFT);
    }

    private long place(final int hash)
    {
        return directory + (((long)hash & 0xFFFF_FFFFL) >>> (32 - depth) << PLACE_SHIFT);
    }

    private static int bucket(final long place)
    {
        return UnsafeApi.getInt(place + PLACE_REF);
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

    /** Puts an entry where it belongs in a page that has room. */
    private static void add(final long page, final int hash, final int ref)
    {
        int entry = start(hash);
        while (content(page, entry) != 0)
        {
            entry = after(entry);
        }
        put(page, entry, entry(hash, ref));
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
