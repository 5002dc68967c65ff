package io.tidemark.operator.oracle;

/**
 * What a result says of one of its rows: its content and where it came from.
 *
 * @param id        id of the row.
 * @param revision  revision of the row.
 * @param time      event time in nanoseconds.
 * @param value     amount or score.
 * @param stream    ordinal of the stream of the event that made it so.
 * @param partition partition of that event.
 * @param index     index of that event in its source log.
 */
public record RowImage(String id, int revision, long time, long value, int stream, int partition, long index)
{
}
