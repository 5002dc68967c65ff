package io.tidemark.sink;

import io.tidemark.operator.RejectReason;

/**
 * An event that was rejected in its place in the order (SEMANTICS.md section 1), as it stood.
 *
 * @param position  in the total order.
 * @param stream    ordinal of its stream.
 * @param partition of that stream.
 * @param index     queue index in the source log.
 * @param reason    why.
 * @param kind      as it stood in the event.
 * @param id        of the row.
 * @param revision  of the event.
 * @param key       of the row.
 * @param time      event time.
 * @param start     {@link Long#MIN_VALUE} where there is none.
 * @param end       {@link Long#MIN_VALUE} where there is none.
 * @param value     of the row.
 * @param arrival   when it reached the log.
 */
public record RejectEntry(
    long position,
    int stream,
    int partition,
    long index,
    RejectReason reason,
    int kind,
    Utf8 id,
    int revision,
    Utf8 key,
    long time,
    long start,
    long end,
    long value,
    long arrival)
{
}
