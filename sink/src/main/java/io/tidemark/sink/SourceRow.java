package io.tidemark.sink;

/**
 * One input row as a result shows it: content and where it came from.
 *
 * @param id        the row's id.
 * @param revision  its revision.
 * @param time      event time, nanoseconds since the epoch.
 * @param value     its value.
 * @param partition partition of its stream.
 * @param index     queue index of the event in the source log of that partition.
 */
public record SourceRow(Utf8 id, int revision, long time, long value, int partition, long index)
{
}
