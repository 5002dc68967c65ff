package io.tidemark.sink.repair.build;

import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;

/**
 * Rows of one side of one key, sorted by the start of their intervals, with the largest end of each prefix: those that
 * meet an interval are found from its end backwards, until no earlier row can reach it.
 */
final class Intervals
{
    private final JoinRow[] rows;
    private final long[] largestEnd;

    Intervals(final List<JoinRow> unsorted)
    {
        rows = unsorted.toArray(JoinRow[]::new);
        Arrays.sort(rows, Comparator.comparingLong(JoinRow::start));
        largestEnd = new long[rows.length];
        long largest = Long.MIN_VALUE;
        for (int i = 0; i < rows.length; i++)
        {
            largest = Math.max(largest, rows[i].end());
            largestEnd[i] = largest;
        }
    }

    void forEachMeeting(final JoinRow row, final Consumer<JoinRow> visitor)
    {
        for (int i = lastStartingBy(row.end()); i >= 0 && largestEnd[i] >= row.start(); i--)
        {
            if (rows[i].end() >= row.start())
            {
                visitor.accept(rows[i]);
            }
        }
    }

    private int lastStartingBy(final long time)
    {
        int low = 0;
        int high = rows.length;
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (rows[middle].start() <= time)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low - 1;
    }
}
