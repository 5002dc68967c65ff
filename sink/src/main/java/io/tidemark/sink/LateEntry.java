package io.tidemark.sink;

import io.tidemark.operator.LateReason;

/**
 * An event in the repair queue (SEMANTICS.md section 8).
 *
 * @param position        in the total order.
 * @param stream          ordinal of its stream.
 * @param partition       of that stream.
 * @param index           queue index in the source log.
 * @param kind            0 upsert, 1 retract.
 * @param id              of the row.
 * @param revision        of the event.
 * @param key             of the row.
 * @param time            event time.
 * @param acceptanceClock that refused it.
 * @param reason          why.
 * @param dueDay          UTC day of its time, in days since the epoch.
 */
public record LateEntry(
    long position,
    int stream,
    int partition,
    long index,
    int kind,
    Utf8 id,
    int revision,
    Utf8 key,
    long time,
    long acceptanceClock,
    LateReason reason,
    int dueDay)
{
}
