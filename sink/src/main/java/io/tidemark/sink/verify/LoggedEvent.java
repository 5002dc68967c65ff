package io.tidemark.sink.verify;

import io.tidemark.sink.SourceRow;
import io.tidemark.sink.Utf8;

/**
 * One event as the source logs and the order log have it, on the heap.
 *
 * @param position  in the total order.
 * @param source    ordinal of the source log.
 * @param index     queue index in it.
 * @param arrival   when it reached the log.
 * @param kind      0 upsert, 1 retract, 2 watermark.
 * @param key       empty for a watermark.
 * @param id        empty for a watermark.
 * @param revision  0 for a watermark.
 * @param time      event time.
 * @param hasStart  whether {@code start} was given.
 * @param start     of an overlap row.
 * @param hasEnd    whether {@code end} was given.
 * @param end       of an overlap row.
 * @param value     signed.
 */
record LoggedEvent(
    long position,
    int source,
    long index,
    long arrival,
    int kind,
    Utf8 key,
    Utf8 id,
    int revision,
    long time,
    boolean hasStart,
    long start,
    boolean hasEnd,
    long end,
    long value)
{
    static final int UPSERT = 0;
    static final int RETRACT = 1;
    static final int WATERMARK = 2;

    SourceRow image(final int partition)
    {
        return new SourceRow(id, revision, time, value, partition, index);
    }
}
