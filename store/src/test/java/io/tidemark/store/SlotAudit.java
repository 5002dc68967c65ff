package io.tidemark.store;

import io.tidemark.store.page.PageStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.agrona.UnsafeApi;

/**
 * Looks at all that a slot holds and throws at the first thing that is not as it must be: trees, the row index,
 * calendars, and the arena, in which every block must be reachable. Its user names the blocks that are his own, and the
 * trees; what nobody has named at {@link #finish} has leaked.
 */
public final class SlotAudit
{
    private static final int META_LENGTH = 32;

    private final Slot slot;
    private final Arena arena;
    private final Map<Integer, Integer> blocks = new TreeMap<>();
    private final Map<Long, Integer> indexed = new HashMap<>();

    /**
     * An audit of one slot, which must not change meanwhile.
     *
     * @param slot to look at.
     */
    public SlotAudit(final Slot slot)
    {
        this.slot = slot;
        this.arena = slot.arena();
        slot.writeBack();
    }

    /**
     * Names a block of the user's own.
     *
     * @param ref       of the block.
     * @param sizeClass of the block.
     */
    public void block(final int ref, final int sizeClass)
    {
        require(ref != 0, "a reference to nothing");
        require(blocks.put(ref, sizeClass) == null, "block " + ref + " is part of two things");
    }

    /**
     * Names a tree and walks through its rows in order.
     *
     * @param root  of the tree or 0.
     * @param owner whose rows it must hold.
     * @param rows  is handed a cursor at each row.
     * @return the number of its rows.
     */
    public int tree(final int root, final int owner, final Consumer<RowCursor> rows)
    {
        if (root == 0)
        {
            return 0;
        }
        final List<Integer> leaves = new ArrayList<>();
        node(root, 0, NodeDescriptor.level(arena.address(root)), leaves, Long.MIN_VALUE, Long.MAX_VALUE);
        int previous = 0;
        int count = 0;
        long last = Long.MIN_VALUE;
        final RowCursor cursor = new RowCursor();
        for (int i = 0; i < leaves.size(); i++)
        {
            final int leaf = leaves.get(i);
            final long address = arena.address(leaf);
            require(NodeDescriptor.owner(address) == owner, "leaf of another owner");
            require(NodeDescriptor.left(address) == previous, "left neighbour of leaf " + leaf);
            final int next = i + 1 < leaves.size() ? leaves.get(i + 1) : 0;
            require(NodeDescriptor.right(address) == next, "right neighbour of leaf " + leaf);
            cursor.to(leaf, address, 0);
            do
            {
                require(cursor.start() >= last, "rows out of order");
                last = cursor.start();
                count++;
                if (leaves.size() > 1)
                {
                    indexed.merge(entry(TimeIndex.rowHash(owner, cursor.hash()), leaf), 1, Integer::sum);
                }
                rows.accept(cursor);
            }
            while (slot.rows().nextOfLeaf(cursor));
            previous = leaf;
        }
        return count;
    }

    /** All that is in use has been named. */
    public void finish()
    {
        rowIndex();
        bucketsHoldWhatTheyShould(slot.keys());
        final Map<Integer, Integer> blocksOfPage = new HashMap<>();
        long bytes = 0;
        for (final Map.Entry<Integer, Integer> block : blocks.entrySet())
        {
            final int page = block.getKey() >>> 6;
            final long meta = meta(page);
            final int sizeClass = block.getValue();
            require(UnsafeApi.getInt(meta + 16) == 1 + sizeClass, "block in a page of another class");
            final int line = block.getKey() & 63;
            require(line % (Arena.sizeOf(sizeClass) / Arena.LINE) == 0, "block is not aligned");
            require((UnsafeApi.getLong(meta) >>> line & 1) == 0, "block " + block.getKey() + " is free");
            bytes += Arena.sizeOf(sizeClass);
            blocksOfPage.merge(page, 1, Integer::sum);
        }
        require(bytes == arena.blockBytes(),
            arena.blockBytes() + " bytes of blocks are allocated, but " + bytes + " are reachable");
        pages(blocksOfPage);
    }

    private void node(
        final int ref, final int parent, final int level, final List<Integer> leaves, final long from, final long to)
    {
        final long address = arena.address(ref);
        final int count = NodeDescriptor.count(address);
        if (!NodeDescriptor.isHome(address))
        {
            block(ref, NodeDescriptor.sizeClass(address));
        }
        require(NodeDescriptor.parent(address) == parent, "parent of node " + ref);
        require(NodeDescriptor.level(address) == level, "level of node " + ref);
        require(count > 0, "an empty node");
        if (level == 0)
        {
            leaf(ref, count, from, to);
            leaves.add(ref);
            require(parent == 0 || NodeDescriptor.sizeClass(address) == Arena.LARGEST_CLASS, "a small leaf among many");
            return;
        }
        require(parent != 0 || count > 1, "an inner root with one child");
        for (int i = 0; i < count; i++)
        {
            // The first child's separator means nothing.
            final long low = i == 0 ? from : NodeDescriptor.start(address, i);
            final long high = i + 1 < count ? NodeDescriptor.start(address, i + 1) : to;
            require(low <= high && low >= from && high <= to, "separators out of order");
            node(NodeDescriptor.child(address, i), ref, level - 1, leaves, low, high);
        }
    }

    private void leaf(final int ref, final int count, final long from, final long to)
    {
        final long address = arena.address(ref);
        final int size = Arena.sizeOf(NodeDescriptor.sizeClass(address));
        int bodies = 0;
        require(count <= TimeIndex.MOST_ROWS, "too many rows in a leaf");
        for (int i = 0; i < count; i++)
        {
            final long start = NodeDescriptor.start(address, i);
            require(start >= from && start <= to, "a row outside its leaf's separators");
            require(NodeDescriptor.offset(address, i) >= NodeDescriptor.heap(address), "a body below the heap");
            require(NodeDescriptor.offset(address, i) + NodeDescriptor.length(address, i) <= size, "a body too high");
            bodies += NodeDescriptor.length(address, i);
        }
        require(bodies == size - NodeDescriptor.heap(address) - NodeDescriptor.dead(address), "bytes of dead bodies");
        long filter = 0;
        for (int i = 0; i < count; i++)
        {
            filter |= NodeDescriptor.bit(NodeDescriptor.hash(address, i));
        }
        require(NodeDescriptor.filter(address) == filter, "filter of a leaf");
        require(NodeDescriptor.used(address) <= size, "a leaf overflows");
        for (long at = address + NodeDescriptor.HEADER + (long)count * NodeDescriptor.ENTRY;
            at < address + NodeDescriptor.heap(address); at++)
        {
            require(UnsafeApi.getByte(at) == 0, "unused bytes are not zero");
        }
        requireZeroesBetweenBodies(address, count, size);
    }

    private static void requireZeroesBetweenBodies(final long address, final int count, final int size)
    {
        final boolean[] isUsed = new boolean[size];
        for (int i = 0; i < count; i++)
        {
            final int offset = NodeDescriptor.offset(address, i);
            Arrays.fill(isUsed, offset, offset + NodeDescriptor.length(address, i), true);
        }
        for (int at = NodeDescriptor.heap(address); at < size; at++)
        {
            require(isUsed[at] || UnsafeApi.getByte(address + at) == 0, "what is left of a body is not zero");
        }
    }

    private void rowIndex()
    {
        final HashIndex index = slot.rowIndex();
        long size = 0;
        for (final Map.Entry<Long, Integer> row : indexed.entrySet())
        {
            final int hash = (int)(row.getKey() >>> 32);
            int found = 0;
            for (int ref = index.first(hash); ref != 0; ref = index.next())
            {
                found += ref == row.getKey().intValue() ? 1 : 0;
            }
            require(found == row.getValue(),
                row.getValue() + " rows of a leaf with one hash are " + found + " times in the index");
            size += found;
        }
        require(size == index.size(), index.size() + " rows in the index, " + size + " in trees of several leaves");
        bucketsHoldWhatTheyShould(index);
    }

    private static void bucketsHoldWhatTheyShould(final HashIndex index)
    {
        long walked = 0;
        for (int place = 0; place < index.places(); place++)
        {
            for (int entry = 0; entry < index.entries(place); entry++)
            {
                walked += index.refAt(place, entry) != 0 ? 1 : 0;
            }
        }
        require(walked == index.size(), "an index of " + index.size() + " has " + walked + " entries");
    }

    /** Every page is free, of blocks, of metadata, or taken as a whole; the lists of pages say so too. */
    private void pages(final Map<Integer, Integer> blocksOfPage)
    {
        final int[] partial = new int[Arena.CLASSES];
        int free = 0;
        for (int page = 2; page < arena.pages(); page++)
        {
            final int kind = page % 128 == 0 ? -1 : UnsafeApi.getInt(meta(page) + 16);
            if (kind == 0)
            {
                free++;
                require(!blocksOfPage.containsKey(page), "blocks in a free page");
                for (int i = 0; i < PageStore.PAGE_SIZE; i += 8)
                {
                    require(UnsafeApi.getLong(arena.address(page << 6) + i) == 0, "a free page is not zeroed");
                }
            }
            else if (kind > 0 && kind < 32)
            {
                final int all = PageStore.PAGE_SIZE / Arena.sizeOf(kind - 1);
                final int used = blocksOfPage.getOrDefault(page, 0);
                require(used > 0, "a page of blocks without a block");
                require(Long.bitCount(UnsafeApi.getLong(meta(page))) == all - used, "bits of free blocks");
                partial[kind - 1] += used < all ? 1 : 0;
            }
        }
        final long header = arena.headerAddress() - Arena.HEADER_USER_OFFSET;
        require(free == listed(UnsafeApi.getInt(header + 4)), "list of free pages");
        for (int sizeClass = 0; sizeClass < Arena.CLASSES; sizeClass++)
        {
            require(partial[sizeClass] == listed(UnsafeApi.getInt(header + 16 + 4L * sizeClass)),
                "list of pages with free blocks of class " + sizeClass);
        }
    }

    private int listed(final int first)
    {
        int length = 0;
        for (int page = first; page != 0; page = UnsafeApi.getInt(meta(page) + 8))
        {
            length++;
        }
        return length;
    }

    private long meta(final int page)
    {
        return arena.address((page & -128) << 6) + (long)(page & 127) * META_LENGTH;
    }

    private static long entry(final int hash, final int ref)
    {
        return (long)hash << 32 | (ref & 0xFFFF_FFFFL);
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
