package io.tidemark.store;

import static io.tidemark.store.NodeDescriptor.ENTRY;
import static io.tidemark.store.NodeDescriptor.HEADER;
import static io.tidemark.store.NodeDescriptor.count;
import static io.tidemark.store.NodeDescriptor.entry;
import static io.tidemark.store.NodeDescriptor.heap;
import static io.tidemark.store.NodeDescriptor.isMeasured;
import static io.tidemark.store.NodeDescriptor.left;
import static io.tidemark.store.NodeDescriptor.level;
import static io.tidemark.store.NodeDescriptor.middle;
import static io.tidemark.store.NodeDescriptor.moveRows;
import static io.tidemark.store.NodeDescriptor.owner;
import static io.tidemark.store.NodeDescriptor.parent;
import static io.tidemark.store.NodeDescriptor.right;
import static io.tidemark.store.NodeDescriptor.sizeClass;
import static io.tidemark.store.NodeDescriptor.start;
import static io.tidemark.store.NodeDescriptor.used;

import org.agrona.UnsafeApi;

/**
 * Rows ordered by start, a tree for each owner and side, in blocks of a slot. The root's reference lives with the
 * owner; its address is handed in. Rows of equal start stand in the order of their insertion. A row has a hash (of its
 * id) and a body, which is opaque here, keeps its length and may be written in place.
 *
 * <p>Small trees are one leaf that grows with its rows, from 128 bytes to a page, and are searched by hash as they are.
 * The owner's block may have room for a first leaf of {@value #HOME_LENGTH} bytes: its home.
 * The rows of larger trees are in a {@link HashIndex} too, which gives their leaf.
 *
 * <p>Invariants: entries of a node are sorted; a leaf has 1 to {@value #MOST_ROWS} rows; the root has no
 * parent; an inner root has at least two children; a row is in the hash index exactly if its leaf has a parent.
 */
public final class TimeIndex
{
    /** A leaf never has more rows, so that a set of its rows fits a long. */
    public static final int MOST_ROWS = 63;

    /** The shortest body, which follows from {@link #MOST_ROWS}. */
    public static final int SHORTEST_BODY = 48;

    /** The longest body: a leaf holds several of them. */
    public static final int LONGEST_BODY = 400;

    /** Bytes of the leaf that an owner's block may have room for. */
    public static final int HOME_LENGTH = 128;

    private final Arena arena;
    private final InnerNodes inner;
    private final Aggregates aggregates;
    private final HashIndex rows;
    private final long scratch;
    private final RowCursor inserted;

    /** Creates the trees of a slot. */
    TimeIndex(final Arena arena, final HashIndex rows, final Shared shared)
    {
        this.arena = arena;
        this.aggregates = new Aggregates(arena, shared.measure());
        this.inner = new InnerNodes(arena, aggregates);
        this.rows = rows;
        this.scratch = shared.scratch();
        this.inserted = shared.inserted();
    }

    /**
     * Inserts a row behind all rows that start at its time or before.
     *
     * @param rootAddress where the root's reference is, in memory that may be written to.
     * @param owner       whose row it is.
     * @param start       of its interval.
     * @param hash        of its id.
     * @param length      of its body, {@value #SHORTEST_BODY} to {@value #LONGEST_BODY}.
     * @return address of its body, zeroed, for the caller to write.
     */
    public long insert(
        final long rootAddress, final int owner, final long start, final int hash, final int length)
    {
        return insert(rootAddress, owner, start, hash, length, 0, false);
    }

    /**
     * As {@link #insert(long, int, long, int, int)}, where the owner's block has room for a first leaf.
     *
     * @param rootAddress where the root's reference is.
     * @param owner       whose row it is.
     * @param start       of its interval.
     * @param hash        of its id.
     * @param length      of its body.
     * @param home        where the leaf may be, within the owner's block: {@value #HOME_LENGTH} bytes that are zero
     *                    unless a tree of the owner has its leaf there; or 0.
     * @return address of its body, zeroed, for the caller to write.
     */
    public long insert(
        final long rootAddress, final int owner, final long start, final int hash, final int length, final int home)
    {
        return insert(rootAddress, owner, start, hash, length, home, false);
    }

    /**
     * As {@link #insert(long, int, long, int, int)}, into a tree of whose rows {@link #aggregates()} can be had, and
     * all of whose rows are inserted so. When the body is written, they are to be told.
     *
     * @param rootAddress where the root's reference is.
     * @param owner       whose row it is.
     * @param start       of its interval.
     * @param hash        of its id.
     * @param length      of its body.
     * @return address of its body, zeroed, for the caller to write.
     */
    public long insertMeasured(
        final long rootAddress, final int owner, final long start, final int hash, final int length)
    {
        return insert(rootAddress, owner, start, hash, length, 0, true);
    }

    /**
     * Aggregates over the rows of measured trees.
     *
     * @return those of this slot.
     */
    public Aggregates aggregates()
    {
        return aggregates;
    }

    private long insert(
        final long rootAddress,
        final int owner,
        final long start,
        final int hash,
        final int length,
        final int home,
        final boolean isMeasured)
    {
        assert length >= SHORTEST_BODY && length <= LONGEST_BODY : "body of " + length + " bytes";
        final int root = UnsafeApi.getInt(rootAddress);
        if (root == 0)
        {
            final int leaf = home != 0 && HEADER + ENTRY + length <= HOME_LENGTH && count(arena.address(home)) == 0 ?
                Leaves.makeHome(arena, owner, home) :
                Leaves.make(arena, owner, Arena.classFor(HEADER + ENTRY + length), isMeasured);
            UnsafeApi.putInt(rootAddress, leaf);
            return place(leaf, arena.writable(leaf), 0, start, hash, length);
        }
        int leaf = InnerNodes.leafForInsert(arena, root, start);
        long address = arena.writable(leaf);
        int position = NodeDescriptor.countUpTo(address, start);
        if (NodeDescriptor.gap(address) < ENTRY + length)
        {
            final int needed = used(address) + ENTRY + length;
            if (NodeDescriptor.dead(address) > 0 && NodeDescriptor.isWorthCompacting(address, needed))
            {
                compact(address);
            }
            else if (sizeClass(address) != Arena.LARGEST_CLASS)
            {
                leaf = resize(rootAddress, leaf, Arena.classFor(needed));
            }
            else
            {
                final int right = split(rootAddress, leaf, position, start);
                if (position > count(address) || (position == count(address) && count(arena.address(right)) == 0))
                {
                    position -= count(address);
                    leaf = right;
                }
            }
            address = arena.writable(leaf);
        }
        if (parent(address) != 0)
        {
            rows.insert(rowHash(owner, hash), leaf);
        }
        return place(leaf, address, position, start, hash, length);
    }

    /**
     * Where the last insert went, into a tree of any slot.
     *
     * @return a cursor at the inserted row, valid until the next change.
     */
    public RowCursor inserted()
    {
        return inserted;
    }

    /**
     * Adds what an insert into a small tree and a look at its last rows will need: the last entries and the bodies that
     * were written last. Larger trees are left alone.
     *
     * @param lines  to add to.
     * @param root   the tree's root or 0; its first line is read.
     * @param bodies bytes of bodies.
     */
    public void addLast(final Lines lines, final int root, final int bodies)
    {
        if (root != 0)
        {
            LeafLines.addLast(lines, arena.address(root), bodies);
        }
    }

    /**
     * Adds what a look at the first rows of a small tree will need.
     *
     * @param lines  to add to.
     * @param root   the tree's root or 0; its first line is read.
     * @param bodies bytes of bodies.
     */
    public void addFirst(final Lines lines, final int root, final int bodies)
    {
        if (root != 0)
        {
            LeafLines.addFirst(lines, arena.address(root), bodies);
        }
    }

    /**
     * Goes to the first row.
     *
     * @param cursor to set.
     * @param root   the tree's root or 0.
     * @return false when there is none.
     */
    public boolean first(final RowCursor cursor, final int root)
    {
        if (root == 0)
        {
            return false;
        }
        final int leaf = InnerNodes.firstLeaf(arena, root);
        cursor.to(leaf, arena.address(leaf), 0);
        return true;
    }

    /**
     * Goes to the first row that starts at a time or after it.
     *
     * @param cursor to set.
     * @param root   the tree's root or 0.
     * @param start  the time.
     * @return false when there is none.
     */
    public boolean seek(final RowCursor cursor, final int root, final long start)
    {
        if (root == 0)
        {
            return false;
        }
        final int leaf = InnerNodes.leafForSeek(arena, root, start);
        final long address = arena.address(leaf);
        cursor.to(leaf, address, NodeDescriptor.countBefore(address, start));
        return cursor.entry < cursor.count || nextLeaf(cursor);
    }

    /**
     * Goes to the last row that starts at a time or before it.
     *
     * @param cursor to set.
     * @param root   the tree's root or 0.
     * @param start  the time.
     * @return false when there is none.
     */
    public boolean seekLast(final RowCursor cursor, final int root, final long start)
    {
        if (root == 0)
        {
            return false;
        }
        final int leaf = InnerNodes.leafForInsert(arena, root, start);
        final long address = arena.address(leaf);
        cursor.to(leaf, address, NodeDescriptor.countUpTo(address, start));
        return previous(cursor);
    }

    /**
     * Goes to the previous row.
     *
     * @param cursor at a row.
     * @return false when there is none.
     */
    public boolean previous(final RowCursor cursor)
    {
        if (cursor.entry == 0)
        {
            final int left = left(cursor.address);
            if (left == 0)
            {
                return false;
            }
            cursor.to(left, arena.address(left), 0);
            cursor.entry = cursor.count;
        }
        cursor.entry--;
        return true;
    }

    /**
     * Goes to the next row.
     *
     * @param cursor at a row.
     * @return false when there is none.
     */
    public boolean next(final RowCursor cursor)
    {
        return ++cursor.entry < cursor.count || nextLeaf(cursor);
    }

    /**
     * Starts to look a row up by its hash; the caller verifies candidates.
     *
     * @param cursor to set.
     * @param root   the tree's root or 0.
     * @param owner  whose rows the tree holds.
     * @param hash   of the row's id.
     * @return false when there is no candidate.
     */
    public boolean findFirst(final RowCursor cursor, final int root, final int owner, final int hash)
    {
        if (root == 0)
        {
            return false;
        }
        final long address = arena.address(root);
        if (level(address) == 0)
        {
            cursor.to(root, address, -1);
            return NodeDescriptor.mayHave(address, hash) && cursor.nextOfHash(hash);
        }
        return findInLeaves(cursor, rows.first(rowHash(owner, hash)), owner, hash);
    }

    /**
     * Goes on with the look-up that {@link #findFirst} started.
     *
     * @param cursor at the last candidate.
     * @param owner  as before.
     * @param hash   as before.
     * @return false when there is no other candidate.
     */
    public boolean findNext(final RowCursor cursor, final int owner, final int hash)
    {
        if (cursor.nextOfHash(hash))
        {
            return true;
        }
        // Two rows of one leaf with equal hashes are two entries of the index, so a leaf may come twice; whoever looks
        // for one row stops at the first that fits and is not hurt.
        return parent(cursor.address) != 0 && findInLeaves(cursor, rows.next(), owner, hash);
    }

    /**
     * Removes rows of one leaf.
     *
     * @param rootAddress where the root's reference is, in memory that may be written to.
     * @param leaf        the leaf.
     * @param entries     the rows, a bit for each.
     * @return reference of the leaf that followed, or 0; it has not changed.
     */
    public int remove(final long rootAddress, final int leaf, final long entries)
    {
        final long address = arena.writable(leaf);
        final int next = right(address);
        final boolean indexed = parent(address) != 0;
        if (indexed)
        {
            for (long left = entries; left != 0; left &= left - 1)
            {
                final int i = Long.numberOfTrailingZeros(left);
                rows.remove(rowHash(owner(address), NodeDescriptor.hash(address, i)), leaf);
            }
        }
        final int kept = count(address) - Long.bitCount(entries);
        if (kept == 0)
        {
            dropLeaf(rootAddress, leaf, address);
            return next;
        }
        NodeDescriptor.removeRows(address, entries);
        if (indexed)
        {
            if (!mergeIntoPrevious(rootAddress, leaf, address) && isMeasured(address))
            {
                aggregates.refresh(leaf);
            }
        }
        else if (used(address) * 4 <= Arena.sizeOf(sizeClass(address)))
        {
            resize(rootAddress, leaf, Arena.classFor(used(address) * 2));
        }
        return next;
    }

    /**
     * Sets a cursor to the first row of a leaf.
     *
     * @param cursor to set.
     * @param leaf   the leaf.
     */
    public void toLeaf(final RowCursor cursor, final int leaf)
    {
        cursor.to(leaf, arena.address(leaf), 0);
    }

    /**
     * Goes to the next row of the same leaf.
     *
     * @param cursor at a row.
     * @return false when there is none.
     */
    public boolean nextOfLeaf(final RowCursor cursor)
    {
        return ++cursor.entry < cursor.count;
    }

    /**
     * The leaf that follows another.
     *
     * @param leaf a leaf.
     * @return its right neighbour or 0.
     */
    public int leafAfter(final int leaf)
    {
        return right(arena.address(leaf));
    }

    private boolean nextLeaf(final RowCursor cursor)
    {
        final int next = right(cursor.address);
        if (next == 0)
        {
            return false;
        }
        cursor.to(next, arena.address(next), 0);
        return true;
    }

    private boolean findInLeaves(final RowCursor cursor, final int firstCandidate, final int owner, final int hash)
    {
        int leaf = firstCandidate;
        while (leaf != 0)
        {
            final long address = arena.address(leaf);
            if (owner(address) == owner)
            {
                cursor.to(leaf, address, -1);
                if (cursor.nextOfHash(hash))
                {
                    return true;
                }
            }
            leaf = rows.next();
        }
        return false;
    }

    private long place(
        final int leaf, final long address, final int position, final long start, final int hash, final int length)
    {
        final int count = count(address);
        final long entry = entry(address, position);
        if (position < count)
        {
            UnsafeApi.copyMemory(entry, entry + ENTRY, (long)(count - position) * ENTRY);
        }
        final int offset = heap(address) - length;
        assert offset >= HEADER + (count + 1) * ENTRY : "leaf overflows";
        UnsafeApi.putLong(entry + NodeDescriptor.START, start);
        UnsafeApi.putInt(entry + NodeDescriptor.HASH, hash);
        UnsafeApi.putChar(entry + NodeDescriptor.OFFSET, (char)offset);
        UnsafeApi.putChar(entry + NodeDescriptor.LENGTH, (char)length);
        NodeDescriptor.addToFilter(address, hash);
        heap(address, offset);
        count(address, count + 1);
        inserted.to(leaf, address, position);
        return address + offset;
    }

    /** Gives the only leaf of a tree a block of another class. */
    private int resize(final long rootAddress, final int leaf, final int sizeClass)
    {
        final long from = arena.address(leaf);
        final int resized = Leaves.make(arena, owner(from), sizeClass, isMeasured(from));
        moveRows(from, 0, count(from), arena.address(resized));
        Leaves.free(arena, leaf, from);
        UnsafeApi.putInt(rootAddress, resized);
        return resized;
    }

    private void compact(final long address)
    {
        NodeDescriptor.keepFirst(address, count(address), scratch);
    }

    /** Splits a full leaf; the right part stays empty when the new row goes behind the last row of the tree. */
    private int split(final long rootAddress, final int leaf, final int position, final long start)
    {
        final long address = arena.address(leaf);
        final int owner = owner(address);
        if (parent(address) == 0)
        {
            for (int i = 0; i < count(address); i++)
            {
                rows.insert(rowHash(owner, NodeDescriptor.hash(address, i)), leaf);
            }
            UnsafeApi.putInt(rootAddress, inner.newRoot(leaf));
        }
        final int right = Leaves.make(arena, owner, Arena.LARGEST_CLASS, isMeasured(address));
        final long rightAddress = arena.address(right);
        final int oldNext = right(address);
        right(address, right);
        left(rightAddress, leaf);
        right(rightAddress, oldNext);
        if (oldNext != 0)
        {
            left(arena.writable(oldNext), right);
        }
        long separator = start;
        if (oldNext != 0 || position < count(address))
        {
            final int middle = middle(address);
            moveRows(address, middle, count(address), rightAddress);
            reindex(rightAddress, 0, leaf, right);
            NodeDescriptor.keepFirst(address, middle, scratch);
            separator = start(rightAddress, 0);
        }
        inner.insertBehind(rootAddress, leaf, right, separator);
        return right;
    }

    private void reindex(final long address, final int first, final int oldLeaf, final int newLeaf)
    {
        final int owner = owner(address);
        for (int i = first; i < count(address); i++)
        {
            rows.replace(rowHash(owner, NodeDescriptor.hash(address, i)), oldLeaf, newLeaf);
        }
    }

    private boolean mergeIntoPrevious(final long rootAddress, final int leaf, final long address)
    {
        final int previous = left(address);
        final int used = used(address);
        if (previous == 0 || used * 4 > Arena.sizeOf(Arena.LARGEST_CLASS))
        {
            return false;
        }
        final long target = arena.address(previous);
        if (parent(target) != parent(address) ||
            (used + used(target)) * 4 > Arena.sizeOf(Arena.LARGEST_CLASS) * 3)
        {
            return false;
        }
        final int first = count(target);
        arena.writable(previous);
        if (NodeDescriptor.gap(target) < used - HEADER)
        {
            compact(target);
        }
        moveRows(address, 0, count(address), target);
        reindex(target, first, leaf, previous);
        dropLeaf(rootAddress, leaf, address);
        if (isMeasured(target))
        {
            aggregates.refresh(previous);
        }
        return true;
    }

    private void dropLeaf(final long rootAddress, final int leaf, final long address)
    {
        final int previous = left(address);
        final int next = right(address);
        if (previous != 0)
        {
            right(arena.writable(previous), next);
        }
        if (next != 0)
        {
            left(arena.writable(next), previous);
        }
        final int onlyLeaf = inner.removeChild(rootAddress, leaf, parent(address));
        Leaves.free(arena, leaf, address);
        if (onlyLeaf != 0)
        {
            final long only = arena.address(onlyLeaf);
            for (int i = 0; i < count(only); i++)
            {
                rows.remove(rowHash(owner(only), NodeDescriptor.hash(only, i)), onlyLeaf);
            }
        }
    }

    static int rowHash(final int owner, final int hash)
    {
        final long mixed = (hash ^ (long)owner << 32) * 0x9E37_79B9_7F4A_7C15L;
        return (int)(((mixed ^ mixed >>> 29) * 0xBF58_476D_1CE4_E5B9L) >>> 32);
    }
}
