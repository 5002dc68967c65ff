package io.tidemark.sink.repair.build;

import io.tidemark.sink.SourceRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.RowName;

/**
 * An upsert or retraction of a key, valid by itself, as the source logs have it.
 *
 * @param position     in the total order.
 * @param side         0 left or the input of sessions, 1 right.
 * @param partition    of its stream.
 * @param index        queue index in the source log.
 * @param isRetraction whether it withdraws the row.
 * @param id           of the row.
 * @param revision     of the row.
 * @param time         event time, nanoseconds.
 * @param start        of an upsert of an overlap join.
 * @param end          of an upsert of an overlap join.
 * @param value        of the row.
 * @param isLate       whether it changed nothing when its turn came, because it was late.
 */
public record RawEvent(
    long position,
    int side,
    int partition,
    long index,
    boolean isRetraction,
    Utf8 id,
    int revision,
    long time,
    long start,
    long end,
    long value,
    boolean isLate)
{
    RowName row()
    {
        return new RowName(side, id);
    }

    SourceRow image()
    {
        return new SourceRow(id, revision, time, value, partition, index);
    }

    /** Whether it replaces another event of its row; of equal ones the first in the order stands. */
    boolean supersedes(final RawEvent that)
    {
        if (revision != that.revision)
        {
            return revision > that.revision;
        }
        return isRetraction == that.isRetraction ? position < that.position : isRetraction;
    }
}
