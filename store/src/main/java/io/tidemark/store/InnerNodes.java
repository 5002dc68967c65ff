package io.tidemark.store;

import static io.tidemark.store.NodeDescriptor.CHILD;
import static io.tidemark.store.NodeDescriptor.ENTRY;
import static io.tidemark.store.NodeDescriptor.HEADER;
import static io.tidemark.store.NodeDescriptor.START;
import static io.tidemark.store.NodeDescriptor.aggregate;
import static io.tidemark.store.NodeDescriptor.capacity;
import static io.tidemark.store.NodeDescriptor.child;
import static io.tidemark.store.NodeDescriptor.count;
import static io.tidemark.store.NodeDescriptor.entry;
import static io.tidemark.store.NodeDescriptor.isMeasured;
import static io.tidemark.store.NodeDescriptor.level;
import static io.tidemark.store.NodeDescriptor.measured;
import static io.tidemark.store.NodeDescriptor.parent;
import static io.tidemark.store.NodeDescriptor.sizeClass;
import static io.tidemark.store.NodeDescriptor.start;

import org.agrona.UnsafeApi;

/** The inner nodes of a {@link TimeIndex}: they lead to leaves and know nothing of rows. */
final class InnerNodes
{
    private static final int SMALLEST_CLASS = 1;

    private final Arena arena;
    private final Aggregates aggregates;

    InnerNodes(final Arena arena, final Aggregates aggregates)
    {
        this.arena = arena;
        this.aggregates = aggregates;
    }

    /** The last leaf that may hold rows of this start, to insert behind them. */
    static int leafForInsert(final Arena arena, final int root, final long start)
    {
        int node = root;
        long address = arena.address(node);
        while (level(address) > 0)
        {
            node = child(address, Math.max(0, NodeDescriptor.countUpTo(address, start) - 1));
            address = arena.address(node);
        }
        return node;
    }

    /** The first leaf that may hold rows of this start; the first such row may also be the next leaf's first. */
    static int leafForSeek(final Arena arena, final int root, final long start)
    {
        int node = root;
        long address = arena.address(node);
        while (level(address) > 0)
        {
            node = child(address, Math.max(0, NodeDescriptor.countBefore(address, start) - 1));
            address = arena.address(node);
        }
        return node;
    }

    static int firstLeaf(final Arena arena, final int root)
    {
        int node = root;
        long address = arena.address(node);
        while (level(address) > 0)
        {
            node = child(address, 0);
            address = arena.address(node);
        }
        return node;
    }

    /** Puts an inner node above a root. */
    int newRoot(final int oldRoot)
    {
        final int root = arena.allocate(SMALLEST_CLASS);
        final long address = arena.writable(root);
        final long below = arena.writable(oldRoot);
        sizeClass(address, SMALLEST_CLASS);
        level(address, level(below) + 1);
        measured(address, isMeasured(below));
        UnsafeApi.putLong(entry(address, 0) + START, start(below, 0));
        UnsafeApi.putInt(entry(address, 0) + CHILD, oldRoot);
        count(address, 1);
        parent(below, root);
        return root;
    }

    /** Makes a node the right neighbour of another under the same parent. */
    void insertBehind(final long rootAddress, final int left, final int right, final long separator)
    {
        int node = parent(arena.address(left));
        long address = arena.address(node);
        int position = indexOf(address, left) + 1;
        if (count(address) == capacity(address))
        {
            if (sizeClass(address) < Arena.LARGEST_CLASS)
            {
                node = grow(rootAddress, node);
            }
            else
            {
                final int sibling = split(rootAddress, node, position, separator);
                if (position > count(address) || count(arena.address(sibling)) == 0)
                {
                    position -= count(address);
                    node = sibling;
                }
            }
        }
        address = arena.writable(node);
        final long entry = entry(address, position);
        final int behind = count(address) - position;
        UnsafeApi.copyMemory(entry, entry + ENTRY, (long)behind * ENTRY);
        UnsafeApi.putLong(entry + START, separator);
        UnsafeApi.putLong(entry + CHILD, right & 0xFFFF_FFFFL);
        count(address, count(address) + 1);
        parent(arena.writable(right), node);
        if (isMeasured(address))
        {
            final long moved = aggregate(address, position);
            UnsafeApi.copyMemory(moved, moved + Aggregate.LENGTH, (long)behind * Aggregate.LENGTH);
            aggregates.refresh(left);
            aggregates.refresh(right);
        }
    }

    /**
     * Takes a node out of its parent, and parents that become empty or superfluous with it.
     *
     * @return the leaf that is now the root and was not before, or 0.
     */
    int removeChild(final long rootAddress, final int node, final int parent)
    {
        if (parent == 0)
        {
            UnsafeApi.putInt(rootAddress, 0);
            return 0;
        }
        final long address = arena.address(parent);
        final int count = count(address);
        if (count == 1)
        {
            final int onlyLeaf = removeChild(rootAddress, parent, parent(address));
            arena.free(parent, sizeClass(address));
            return onlyLeaf;
        }
        final int i = indexOf(address, node);
        arena.writable(parent);
        UnsafeApi.copyMemory(entry(address, i + 1), entry(address, i), (long)(count - 1 - i) * ENTRY);
        Zeroes.put(entry(address, count - 1), ENTRY);
        count(address, count - 1);
        if (isMeasured(address))
        {
            UnsafeApi.copyMemory(
                aggregate(address, i + 1), aggregate(address, i), (long)(count - 1 - i) * Aggregate.LENGTH);
            Aggregate.clear(aggregate(address, count - 1));
            aggregates.refresh(parent);
        }
        return count == 2 && parent(address) == 0 ? collapse(rootAddress, parent) : 0;
    }

    /** Lets the only child of the root be the root, and its only child, and so on. */
    private int collapse(final long rootAddress, final int oldRoot)
    {
        int root = oldRoot;
        long address = arena.address(root);
        while (level(address) > 0 && count(address) == 1)
        {
            final int below = child(address, 0);
            arena.free(root, sizeClass(address));
            root = below;
            address = arena.writable(root);
            parent(address, 0);
        }
        UnsafeApi.putInt(rootAddress, root);
        return level(address) == 0 ? root : 0;
    }

    private int grow(final long rootAddress, final int node)
    {
        final long from = arena.address(node);
        final int newClass = sizeClass(from) + 1;
        final int grown = arena.allocate(newClass);
        final long to = arena.writable(grown);
        UnsafeApi.copyMemory(from, to, HEADER + (long)count(from) * ENTRY);
        sizeClass(to, newClass);
        if (isMeasured(from))
        {
            UnsafeApi.copyMemory(aggregate(from, 0), aggregate(to, 0), (long)count(from) * Aggregate.LENGTH);
        }
        adopt(grown, to);
        replaceInParent(rootAddress, node, grown, parent(to));
        arena.free(node, newClass - 1);
        return grown;
    }

    private int split(final long rootAddress, final int node, final int position, final long separator)
    {
        if (parent(arena.address(node)) == 0)
        {
            UnsafeApi.putInt(rootAddress, newRoot(node));
        }
        final long address = arena.writable(node);
        final int sibling = arena.allocate(Arena.LARGEST_CLASS);
        final long to = arena.writable(sibling);
        sizeClass(to, Arena.LARGEST_CLASS);
        level(to, level(address));
        measured(to, isMeasured(address));
        final int count = count(address);
        long siblingSeparator = separator;
        if (position < count)
        {
            final int middle = count / 2;
            UnsafeApi.copyMemory(entry(address, middle), entry(to, 0), (long)(count - middle) * ENTRY);
            UnsafeApi.setMemory(entry(address, middle), (long)(count - middle) * ENTRY, (byte)0);
            if (isMeasured(address))
            {
                final long moved = aggregate(address, middle);
                UnsafeApi.copyMemory(moved, aggregate(to, 0), (long)(count - middle) * Aggregate.LENGTH);
                UnsafeApi.setMemory(moved, (long)(count - middle) * Aggregate.LENGTH, (byte)0);
            }
            count(address, middle);
            count(to, count - middle);
            adopt(sibling, to);
            siblingSeparator = start(to, 0);
        }
        insertBehind(rootAddress, node, sibling, siblingSeparator);
        return sibling;
    }

    private void adopt(final int node, final long address)
    {
        for (int i = 0; i < count(address); i++)
        {
            parent(arena.writable(child(address, i)), node);
        }
    }

    private void replaceInParent(final long rootAddress, final int oldNode, final int newNode, final int parent)
    {
        if (parent == 0)
        {
            UnsafeApi.putInt(rootAddress, newNode);
        }
        else
        {
            final long address = arena.writable(parent);
            UnsafeApi.putInt(entry(address, indexOf(address, oldNode)) + CHILD, newNode);
        }
    }

    static int indexOf(final long address, final int child)
    {
        for (int i = count(address) - 1; i >= 0; i--)
        {
            if (child(address, i) == child)
            {
                return i;
            }
        }
        throw new IllegalStateException("node " + child + " is not a child of its parent");
    }
}
