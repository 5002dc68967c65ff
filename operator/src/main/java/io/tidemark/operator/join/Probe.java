package io.tidemark.operator.join;

import io.tidemark.store.RowCursor;
import io.tidemark.store.TimeIndex;

/**
 * Walks over the rows of one side whose intervals meet a given one, in order of their starts. As long as either of two
 * rows that meet is open, a pair of them is current, so these are the partners (SEMANTICS.md section 5).
 */
final class Probe
{
    private final JoinPolicy policy;
    private final RowCursor cursor = new RowCursor();
    private TimeIndex rows;
    private long start;
    private long end;

    Probe(final JoinPolicy policy)
    {
        this.policy = policy;
    }

    /** Address of the first row, or 0. */
    long first(final TimeIndex trees, final int root, final int side, final long from, final long to)
    {
        rows = trees;
        start = from;
        end = to;
        return trees.seek(cursor, root, policy.earliestPartnerStart(side, from)) ? matching() : 0;
    }

    /** Address of the next row, or 0. */
    long next()
    {
        return rows.next(cursor) ? matching() : 0;
    }

    /** Leaf of the row that was found last. */
    int leaf()
    {
        return cursor.leaf();
    }

    private long matching()
    {
        do
        {
            if (cursor.start() > end)
            {
                return 0;
            }
            final long row = cursor.body();
            if (RowDescriptor.end(row) >= start && !RowDescriptor.isTombstone(row))
            {
                return row;
            }
        }
        while (rows.next(cursor));
        return 0;
    }
}
