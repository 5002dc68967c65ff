package io.tidemark.store;

import static io.tidemark.store.NodeDescriptor.aggregate;
import static io.tidemark.store.NodeDescriptor.child;
import static io.tidemark.store.NodeDescriptor.count;
import static io.tidemark.store.NodeDescriptor.isMeasured;
import static io.tidemark.store.NodeDescriptor.level;
import static io.tidemark.store.NodeDescriptor.parent;
import static io.tidemark.store.NodeDescriptor.start;

/**
 * Count, sum, smallest and largest over the rows of a tree that start within a span, in a number of steps that grows
 * with the logarithm of the rows. Inner nodes of measured trees ({@link TimeIndex#insertMeasured}) hold an
 * {@link Aggregate} for each of their children, and are all exact between two calls; leaves hold none, for their few
 * rows are looked at when it matters. So small trees have nothing to keep up, and an insert adds its number to one
 * aggregate a level.
 *
 * <p>What changes the shape of a tree (splits, merges, removals) or a row's number computes the aggregates above that
 * place anew.
 */
public final class Aggregates
{
    private final Arena arena;
    private final RowMeasure measure;

    Aggregates(final Arena arena, final RowMeasure measure)
    {
        this.arena = arena;
        this.measure = measure;
    }

    /**
     * Counts a row that was inserted, when its body has been written.
     *
     * @param row where it is.
     */
    public void inserted(final RowCursor row)
    {
        int node = row.leaf();
        int above = parent(row.address);
        if (above == 0)
        {
            return;
        }
        final long value = measure.value(row.body());
        while (above != 0)
        {
            final long address = arena.writable(above);
            Aggregate.add(aggregate(address, InnerNodes.indexOf(address, node)), value);
            node = above;
            above = parent(address);
        }
    }

    /**
     * Follows a change of the numbers of rows.
     *
     * @param leaf that holds them.
     */
    public void changed(final int leaf)
    {
        refresh(leaf);
    }

    /**
     * Aggregates rows.
     *
     * @param root   of a measured tree, or 0.
     * @param from   first start that counts.
     * @param to     last start that counts.
     * @param target address of the {@link Aggregate} that they are added to.
     */
    public void addRows(final int root, final long from, final long to, final long target)
    {
        if (root != 0)
        {
            addRows(arena.address(root), Long.MIN_VALUE, Long.MAX_VALUE, from, to, target);
        }
    }

    /** Computes anew what the nodes above a node hold of it and of one another. */
    void refresh(final int changedNode)
    {
        int node = changedNode;
        int above = parent(arena.address(node));
        while (above != 0)
        {
            final long address = arena.writable(above);
            final long target = aggregate(address, InnerNodes.indexOf(address, node));
            Aggregate.clear(target);
            addAll(arena.address(node), target);
            node = above;
            above = parent(address);
        }
    }

    private void addAll(final long node, final long target)
    {
        final int count = count(node);
        if (level(node) == 0)
        {
            for (int i = 0; i < count; i++)
            {
                Aggregate.add(target, measure.value(NodeDescriptor.body(node, i)));
            }
            return;
        }
        assert isMeasured(node);
        for (int i = 0; i < count; i++)
        {
            Aggregate.addAll(target, aggregate(node, i));
        }
    }

    /** {@code least} and {@code most} bound the starts of the node's rows. */
    private void addRows(
        final long node, final long least, final long most, final long from, final long to, final long target)
    {
        final int count = count(node);
        if (level(node) == 0)
        {
            int i = NodeDescriptor.countBefore(node, from);
            for (; i < count && start(node, i) <= to; i++)
            {
                Aggregate.add(target, measure.value(NodeDescriptor.body(node, i)));
            }
            return;
        }
        for (int i = Math.max(0, NodeDescriptor.countBefore(node, from) - 1); i < count; i++)
        {
            final long childLeast = i == 0 ? least : start(node, i);
            final long childMost = i + 1 < count ? start(node, i + 1) : most;
            if (childLeast > to)
            {
                return;
            }
            if (childLeast >= from && childMost <= to)
            {
                Aggregate.addAll(target, aggregate(node, i));
            }
            else if (childMost >= from)
            {
                addRows(arena.address(child(node, i)), childLeast, childMost, from, to, target);
            }
        }
    }
}
