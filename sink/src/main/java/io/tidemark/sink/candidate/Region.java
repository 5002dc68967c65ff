package io.tidemark.sink.candidate;

import java.util.List;

import io.tidemark.sink.Utf8;

/**
 * What one repair may touch: results of one key in which a late event has a say. Of a join these are the pairs of the
 * rows that have late events, and the unmatched rows of those and of their partners, before and after. Of sessions they
 * are all that lie within the times, which reach from the first to the last session that late events touch.
 *
 * @param key      of all its rows.
 * @param fromTime earliest time that a late event, one of its rows or of their results has; nanoseconds.
 * @param toTime   the latest.
 * @param rows     the rows that late events concern, sorted.
 * @param late     positions of those events, ascending.
 */
public record Region(Utf8 key, long fromTime, long toTime, List<RowName> rows, List<Long> late)
{
    /** Copies the lists. */
    public Region
    {
        rows = List.copyOf(rows);
        late = List.copyOf(late);
    }
}
