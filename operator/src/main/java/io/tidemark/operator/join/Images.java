package io.tidemark.operator.join;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.spec.JoinRule;
import org.agrona.UnsafeApi;

/** Addresses of row images of one side, sorted as the row ids that they lead to. */
final class Images extends NativeRecords
{
    private boolean ofPairs;
    private int side;

    Images()
    {
        super(1);
    }

    void add(final long image)
    {
        UnsafeApi.putLong(add(), image);
    }

    long image(final int i)
    {
        return UnsafeApi.getLong(at(i));
    }

    void sortAsPartners(final int partnerSide)
    {
        ofPairs = true;
        side = partnerSide;
        sort();
    }

    void sortAsUnmatched()
    {
        ofPairs = false;
        side = JoinRule.LEFT;
        sort();
    }

    @Override
    int compare(final long a, final long b)
    {
        final long left = UnsafeApi.getLong(a);
        final long right = UnsafeApi.getLong(b);
        return ofPairs ? RowIds.comparePairs(left, right, side) : RowIds.compareUnmatched(side, left, side, right);
    }
}
