package io.tidemark.store.snapshot;

/**
 * Where a log stands at a checkpoint.
 *
 * @param name   of the log, relative to the data directory.
 * @param number of the last record that counts, -1 when there is none.
 * @param index  queue index of that record; means nothing when there is none.
 */
public record LogMark(String name, long number, long index)
{
}
