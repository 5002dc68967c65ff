package io.tidemark.store;

import static io.tidemark.store.NodeDescriptor.ENTRY;
import static io.tidemark.store.NodeDescriptor.HEADER;
import static io.tidemark.store.NodeDescriptor.count;
import static io.tidemark.store.NodeDescriptor.heap;
import static io.tidemark.store.NodeDescriptor.level;
import static io.tidemark.store.NodeDescriptor.sizeClass;

import org.agrona.UnsafeApi;

/** Touches lines of a leaf before they are needed; a node that is no leaf is left alone. */
final class LeafTouch
{
    /** Bytes of entries. */
    private static final int LAST_ENTRIES = 160;

    private LeafTouch()
    {
    }

    /** The last entries, and so many bytes of the bodies that were written last. */
    static long last(final long node, final int bodies)
    {
        if (level(node) != 0)
        {
            return 0;
        }
        long sum = 0;
        final int entries = HEADER + count(node) * ENTRY;
        for (int offset = Math.max(HEADER, entries - LAST_ENTRIES); offset < entries; offset += Arena.LINE)
        {
            sum += UnsafeApi.getByte(node + offset);
        }
        final int heap = heap(node);
        final int end = Math.min(heap + bodies, Arena.sizeOf(sizeClass(node)));
        for (int offset = Math.max(heap - Arena.LINE, entries - 1); offset < end; offset += Arena.LINE)
        {
            sum += UnsafeApi.getByte(node + offset);
        }
        return sum;
    }

    /** The first entries, and so many bytes of the bodies that were written first. */
    static long first(final long node, final int bodies)
    {
        if (level(node) != 0)
        {
            return 0;
        }
        long sum = UnsafeApi.getByte(node + Arena.LINE);
        final int size = Arena.sizeOf(sizeClass(node));
        final int lowest = Math.max(heap(node), size - bodies);
        for (int offset = size - 1; offset >= lowest; offset -= Arena.LINE)
        {
            sum += UnsafeApi.getByte(node + offset);
        }
        return sum;
    }
}
