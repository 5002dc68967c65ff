package io.tidemark.store;

import static io.tidemark.store.NodeDescriptor.ENTRY;
import static io.tidemark.store.NodeDescriptor.HEADER;
import static io.tidemark.store.NodeDescriptor.count;
import static io.tidemark.store.NodeDescriptor.heap;
import static io.tidemark.store.NodeDescriptor.level;
import static io.tidemark.store.NodeDescriptor.sizeClass;

/** Which lines of a leaf will be needed; none of a node that is no leaf. */
final class LeafLines
{
    /** Bytes of entries. */
    private static final int LAST_ENTRIES = 160;

    private LeafLines()
    {
    }

    /** The last entries, and so many bytes of the bodies that were written last. */
    static void addLast(final Lines lines, final long node, final int bodies)
    {
        if (level(node) != 0)
        {
            return;
        }
        final int entries = HEADER + count(node) * ENTRY;
        for (int offset = Math.max(HEADER, entries - LAST_ENTRIES); offset < entries; offset += Arena.LINE)
        {
            lines.add(node + offset);
        }
        final int heap = heap(node);
        final int end = Math.min(heap + bodies, Arena.sizeOf(sizeClass(node)));
        for (int offset = Math.max(heap - Arena.LINE, entries - 1); offset < end; offset += Arena.LINE)
        {
            lines.add(node + offset);
        }
    }

    /** The first entries, and so many bytes of the bodies that were written first. */
    static void addFirst(final Lines lines, final long node, final int bodies)
    {
        if (level(node) != 0)
        {
            return;
        }
        lines.add(node + Arena.LINE);
        final int size = Arena.sizeOf(sizeClass(node));
        final int lowest = Math.max(heap(node), size - bodies);
        for (int offset = size - 1; offset >= lowest; offset -= Arena.LINE)
        {
            lines.add(node + offset);
        }
    }
}
