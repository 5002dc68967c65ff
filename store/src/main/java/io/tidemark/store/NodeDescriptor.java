package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * Layout of a node of a {@link TimeIndex}: a block of any class, a header and a sorted array of entries from the front;
 * in leaves the bodies of the rows from the back. Bodies that were removed leave zeroes until the leaf is compacted.
 *
 * <pre>
 *    0  count (16)        entries
 *    2  class (7)         of the block
 *       home (1)          highest bit: the leaf is part of its owner's block
 *    3  level (7)         0 for a leaf
 *       measured (1)      highest bit: in trees with {@link Aggregates}
 *    4  heap (16)         leaf: offset of the lowest body
 *    6  dead (16)         leaf: bytes of removed bodies at the heap's offset or above it
 *    8  left (32)         leaf: neighbour to the left
 *   12  right (32)        leaf: neighbour to the right
 *   16  parent (32)       0 for the root
 *   20  owner (32)        leaf: whose rows these are
 *   24  filter (64)       leaf: a bit for each hash of a row, so that most that are not here are not looked for
 *   32  entries of 16 bytes
 *         leaf:   start (64), hash (32), offset of the body (16), length of the body (16)
 *         inner:  separator (64): no row of the child starts earlier, but for the first child; child (32), unused (32)
 *       inner and measured: room for as many entries as there are aggregates, then the {@link Aggregate} of each child
 * </pre>
 */
final class NodeDescriptor
{
    static final int HEADER = 32;
    static final int ENTRY = 16;
    static final int START = 0;
    static final int HASH = 8;
    static final int CHILD = 8;
    static final int OFFSET = 12;
    static final int LENGTH = 14;

    private static final int COUNT = 0;
    private static final int CLASS = 2;
    private static final int LEVEL = 3;
    private static final int HEAP = 4;
    private static final int DEAD = 6;
    private static final int LEFT = 8;
    private static final int RIGHT = 12;
    private static final int PARENT = 16;
    private static final int OWNER = 20;
    private static final int FILTER = 24;
    private static final int HIGHEST_BIT = 0x80;

    /** A sixteenth. */
    private static final int WORTH_SHIFT = 4;

    private NodeDescriptor()
    {
    }

    static int count(final long node)
    {
        return UnsafeApi.getChar(node + COUNT);
    }

    static void count(final long node, final int value)
    {
        UnsafeApi.putChar(node + COUNT, (char)value);
    }

    static int sizeClass(final long node)
    {
        return UnsafeApi.getByte(node + CLASS) & (HIGHEST_BIT - 1);
    }

    static void sizeClass(final long node, final int value)
    {
        UnsafeApi.putByte(node + CLASS, (byte)value);
    }

    static boolean isHome(final long leaf)
    {
        return UnsafeApi.getByte(leaf + CLASS) < 0;
    }

    static void home(final long leaf, final int sizeClass)
    {
        UnsafeApi.putByte(leaf + CLASS, (byte)(sizeClass | HIGHEST_BIT));
    }

    static int level(final long node)
    {
        return UnsafeApi.getByte(node + LEVEL) & (HIGHEST_BIT - 1);
    }

    static void level(final long node, final int value)
    {
        UnsafeApi.putByte(node + LEVEL, (byte)((UnsafeApi.getByte(node + LEVEL) & HIGHEST_BIT) | value));
    }

    static int heap(final long node)
    {
        return UnsafeApi.getChar(node + HEAP);
    }

    static void heap(final long node, final int value)
    {
        UnsafeApi.putChar(node + HEAP, (char)value);
    }

    static boolean isMeasured(final long node)
    {
        return UnsafeApi.getByte(node + LEVEL) < 0;
    }

    static void measured(final long node, final boolean is)
    {
        UnsafeApi.putByte(node + LEVEL, (byte)(level(node) | (is ? HIGHEST_BIT : 0)));
    }

    /** Makes an empty leaf of a zeroed block, which is only written to: it is likely not in the cache. */
    static void initLeaf(final long leaf, final int sizeClass, final boolean isMeasured, final int owner)
    {
        UnsafeApi.putByte(leaf + CLASS, (byte)sizeClass);
        UnsafeApi.putByte(leaf + LEVEL, (byte)(isMeasured ? HIGHEST_BIT : 0));
        heap(leaf, Arena.sizeOf(sizeClass));
        owner(leaf, owner);
    }

    /** Entries that an inner node has room for. */
    static int capacity(final long node)
    {
        return (Arena.sizeOf(sizeClass(node)) - HEADER) / (isMeasured(node) ? ENTRY + Aggregate.LENGTH : ENTRY);
    }

    /** Where the aggregate of a child of a measured inner node is. */
    static long aggregate(final long node, final int i)
    {
        return node + HEADER + (long)capacity(node) * ENTRY + (long)i * Aggregate.LENGTH;
    }

    static int left(final long node)
    {
        return UnsafeApi.getInt(node + LEFT);
    }

    static void left(final long node, final int ref)
    {
        UnsafeApi.putInt(node + LEFT, ref);
    }

    static int right(final long node)
    {
        return UnsafeApi.getInt(node + RIGHT);
    }

    static void right(final long node, final int ref)
    {
        UnsafeApi.putInt(node + RIGHT, ref);
    }

    static int parent(final long node)
    {
        return UnsafeApi.getInt(node + PARENT);
    }

    static void parent(final long node, final int ref)
    {
        UnsafeApi.putInt(node + PARENT, ref);
    }

    static int owner(final long node)
    {
        return UnsafeApi.getInt(node + OWNER);
    }

    static void owner(final long node, final int ref)
    {
        UnsafeApi.putInt(node + OWNER, ref);
    }

    static long entry(final long node, final int i)
    {
        return node + HEADER + (long)i * ENTRY;
    }

    static long start(final long node, final int i)
    {
        return UnsafeApi.getLong(entry(node, i) + START);
    }

    static int hash(final long node, final int i)
    {
        return UnsafeApi.getInt(entry(node, i) + HASH);
    }

    static int offset(final long node, final int i)
    {
        return UnsafeApi.getChar(entry(node, i) + OFFSET);
    }

    static int length(final long node, final int i)
    {
        return UnsafeApi.getChar(entry(node, i) + LENGTH);
    }

    static long body(final long node, final int i)
    {
        return node + offset(node, i);
    }

    static int child(final long node, final int i)
    {
        return UnsafeApi.getInt(entry(node, i) + CHILD);
    }

    /** Entries from the front that start before a time; looks from the back, where most is that is looked for. */
    static int countBefore(final long node, final long start)
    {
        final int first = firstOfOrder(node);
        int high = count(node);
        int low = high - 1;
        for (int step = 2; low >= first && start(node, low) >= start; step <<= 1)
        {
            high = low;
            low -= step;
        }
        low = Math.max(low + 1, first);
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (start(node, middle) < start)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    /** Entries from the front that start at a time or before it; looks from the back, where most inserts go. */
    static int countUpTo(final long node, final long start)
    {
        final int first = firstOfOrder(node);
        int high = count(node);
        int low = high - 1;
        for (int step = 2; low >= first && start(node, low) > start; step <<= 1)
        {
            high = low;
            low -= step;
        }
        low = Math.max(low + 1, first);
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (start(node, middle) <= start)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    /** The first separator of an inner node means nothing: its child has whatever comes before the second. */
    private static int firstOfOrder(final long node)
    {
        return level(node) == 0 ? 0 : 1;
    }

    /** Bytes that entries and bodies of a leaf take, the header included. */
    static int used(final long leaf)
    {
        return HEADER + count(leaf) * ENTRY + Arena.sizeOf(sizeClass(leaf)) - heap(leaf) - dead(leaf);
    }

    /** Bytes between the entries and the bodies of a leaf. */
    static int gap(final long leaf)
    {
        return heap(leaf) - HEADER - count(leaf) * ENTRY;
    }

    static int dead(final long leaf)
    {
        return UnsafeApi.getChar(leaf + DEAD);
    }

    /** Whether a leaf may have a row with a hash. */
    static boolean mayHave(final long leaf, final int hash)
    {
        return (UnsafeApi.getLong(leaf + FILTER) & bit(hash)) != 0;
    }

    static long filter(final long leaf)
    {
        return UnsafeApi.getLong(leaf + FILTER);
    }

    static long bit(final int hash)
    {
        return 1L << ((hash * 0x9E37_79B9) >>> 26);
    }

    static void addToFilter(final long leaf, final int hash)
    {
        UnsafeApi.putLong(leaf + FILTER, UnsafeApi.getLong(leaf + FILTER) | bit(hash));
    }

    /** Takes all rows out of a leaf. */
    static void clear(final long leaf)
    {
        final int size = Arena.sizeOf(sizeClass(leaf));
        Zeroes.put(leaf + HEADER, size - HEADER);
        UnsafeApi.putLong(leaf + FILTER, 0);
        UnsafeApi.putChar(leaf + DEAD, (char)0);
        heap(leaf, size);
        count(leaf, 0);
    }

    /** Whether a leaf that has room for so many bytes keeps enough of it, so that it is not compacted again at once. */
    static boolean isWorthCompacting(final long leaf, final int needed)
    {
        final int size = Arena.sizeOf(sizeClass(leaf));
        return needed <= (sizeClass(leaf) == Arena.LARGEST_CLASS ? size : size - (size >> WORTH_SHIFT));
    }

    /** Keeps the first rows of a leaf, in place and without holes. */
    static void keepFirst(final long leaf, final int kept, final long scratch)
    {
        UnsafeApi.copyMemory(leaf, scratch, Arena.sizeOf(sizeClass(leaf)));
        clear(leaf);
        moveRows(scratch, 0, kept, leaf);
    }

    /** Takes rows out of a leaf, a bit for each; where their bodies were is not used again before it is compacted. */
    static void removeRows(final long leaf, final long removed)
    {
        final int count = count(leaf);
        int dead = dead(leaf);
        long filter = 0;
        int kept = 0;
        for (int i = 0; i < count; i++)
        {
            final long entry = entry(leaf, i);
            if ((removed >>> i & 1) != 0)
            {
                final int length = length(leaf, i);
                Zeroes.put(body(leaf, i), length);
                dead += length;
            }
            else
            {
                final long target = entry(leaf, kept++);
                final long hashAndBody = UnsafeApi.getLong(entry + HASH);
                UnsafeApi.putLong(target, UnsafeApi.getLong(entry));
                UnsafeApi.putLong(target + HASH, hashAndBody);
                filter |= bit((int)hashAndBody);
            }
        }
        Zeroes.put(entry(leaf, kept), (count - kept) * ENTRY);
        UnsafeApi.putLong(leaf + FILTER, filter);
        UnsafeApi.putChar(leaf + DEAD, (char)dead);
        count(leaf, kept);
    }

    /** Appends rows of one leaf to another, which has the room, leaving the first as it is. */
    static void moveRows(final long from, final int first, final int end, final long to)
    {
        int heap = heap(to);
        int count = count(to);
        long filter = filter(to);
        for (int i = first; i < end; i++)
        {
            final int length = length(from, i);
            final int hash = hash(from, i);
            heap -= length;
            final long target = entry(to, count++);
            UnsafeApi.putLong(target, start(from, i));
            UnsafeApi.putInt(target + HASH, hash);
            UnsafeApi.putChar(target + OFFSET, (char)heap);
            UnsafeApi.putChar(target + LENGTH, (char)length);
            copyBody(body(from, i), to + heap, length);
            filter |= bit(hash);
        }
        UnsafeApi.putLong(to + FILTER, filter);
        heap(to, heap);
        count(to, count);
    }

    /** Copies a body, which has eight bytes at least, in fewer steps than a call takes. */
    private static void copyBody(final long from, final long to, final int length)
    {
        final int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES)
        {
            UnsafeApi.putLong(to + i, UnsafeApi.getLong(from + i));
        }
        UnsafeApi.putLong(to + last, UnsafeApi.getLong(from + last));
    }

    /** Entries from the front that take half of what all take; not all of them. */
    static int middle(final long address)
    {
        int bytes = 0;
        int i = 0;
        final int half = (used(address) - HEADER) / 2;
        while (bytes < half)
        {
            bytes += ENTRY + length(address, i++);
        }
        return Math.min(i, count(address) - 1);
    }
}
