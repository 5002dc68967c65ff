package io.tidemark.sink.verify;

import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.tidemark.operator.spec.Times;

/**
 * All rows of one side of one key, by start of their intervals. As no interval is longer than a bound, those that meet
 * a given one start in a window.
 */
final class IntervalIndex
{
    private record Place(long start, long serial) implements Comparable<Place>
    {
        @Override
        public int compareTo(final Place that)
        {
            final int byStart = Long.compare(start, that.start);
            return byStart != 0 ? byStart : Long.compare(serial, that.serial);
        }
    }

    private final TreeMap<Place, RowRecord> rows = new TreeMap<>();
    private final long longestNs;
    private long serial;

    IntervalIndex(final long longestNs)
    {
        this.longestNs = longestNs;
    }

    void add(final RowRecord row)
    {
        row.place(serial);
        rows.put(new Place(row.start(), serial++), row);
    }

    void remove(final RowRecord row)
    {
        rows.remove(new Place(row.start(), row.place()));
    }

    void forEach(final Consumer<RowRecord> visitor)
    {
        rows.values().forEach(visitor);
    }

    /**
     * Visits the rows whose closed interval meets {@code [start, end]}.
     *
     * @param visitor returns false to end the visit.
     * @return false when the visitor ended it.
     */
    boolean forEachMeeting(final long start, final long end, final Predicate<RowRecord> visitor)
    {
        final Place from = new Place(Times.minus(start, longestNs), 0);
        final Place to = new Place(end, Long.MAX_VALUE);
        for (final RowRecord row : rows.subMap(from, true, to, true).values())
        {
            if (row.end() >= start && !visitor.test(row))
            {
                return false;
            }
        }
        return true;
    }

    boolean meetsAny(final RowRecord other)
    {
        return !forEachMeeting(other.start(), other.end(), row -> false);
    }
}
