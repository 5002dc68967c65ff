package io.tidemark.sink.candidate;

import java.util.Comparator;

import io.tidemark.sink.Utf8;

/**
 * An input row of one key, whatever its revision.
 *
 * @param side 0 left or the input of sessions, 1 right.
 * @param id   of the row.
 */
public record RowName(int side, Utf8 id) implements Comparable<RowName>
{
    private static final Comparator<RowName> ORDER =
        Comparator.comparing(RowName::id).thenComparing(RowName::side);

    @Override
    public int compareTo(final RowName that)
    {
        return ORDER.compare(this, that);
    }
}
