package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * Layout of a node of a {@link TimeIndex}: a block of any class, a header and a sorted array of entries from the front;
 * in leaves the bodies of the rows from the back, without holes.
 *
 * <pre>
 *    0  count (16)        entries
 *    2  class (8)         of the block
 *    3  level (8)         0 for a leaf
 *    4  heap (16)         leaf: offset of the lowest body
 *    6  measured (8)      1 in trees with {@link Aggregates}
 *    7  unused (8)
 *    8  left (32)         leaf: neighbour to the left
 *   12  right (32)        leaf: neighbour to the right
 *   16  parent (32)       0 for the root
 *   20  owner (32)        leaf: whose rows these are
 *   24  unused (64)
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
    private static final int MEASURED = 6;
    private static final int LEFT = 8;
    private static final int RIGHT = 12;
    private static final int PARENT = 16;
    private static final int OWNER = 20;

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
        return UnsafeApi.getByte(node + CLASS);
    }

    static void sizeClass(final long node, final int value)
    {
        UnsafeApi.putByte(node + CLASS, (byte)value);
    }

    static int level(final long node)
    {
        return UnsafeApi.getByte(node + LEVEL);
    }

    static void level(final long node, final int value)
    {
        UnsafeApi.putByte(node + LEVEL, (byte)value);
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
        return UnsafeApi.getByte(node + MEASURED) != 0;
    }

    static void measured(final long node, final boolean is)
    {
        UnsafeApi.putByte(node + MEASURED, (byte)(is ? 1 : 0));
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

    /** Entries from the front that start before a time. */
    static int countBefore(final long node, final long start)
    {
        int low = 0;
        int high = count(node);
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
        final int count = count(node);
        if (count == 0 || start(node, count - 1) <= start)
        {
            return count;
        }
        int low = 0;
        int high = count - 1;
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

    /** Bytes that entries and bodies of a leaf take, the header included. */
    static int used(final long leaf)
    {
        return HEADER + count(leaf) * ENTRY + Arena.sizeOf(sizeClass(leaf)) - heap(leaf);
    }

    /** Appends rows of one leaf to another, leaving the first as it is. */
    static void moveRows(final long from, final int first, final int end, final long to)
    {
        int heap = heap(to);
        int count = count(to);
        for (int i = first; i < end; i++)
        {
            final int length = length(from, i);
            heap -= length;
            final long target = entry(to, count++);
            UnsafeApi.putLong(target, UnsafeApi.getLong(entry(from, i)));
            UnsafeApi.putInt(target + HASH, hash(from, i));
            UnsafeApi.putChar(target + OFFSET, (char)heap);
            UnsafeApi.putChar(target + LENGTH, (char)length);
            UnsafeApi.copyMemory(body(from, i), to + heap, length);
        }
        heap(to, heap);
        count(to, count);
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
