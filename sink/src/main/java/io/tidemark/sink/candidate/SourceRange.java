package io.tidemark.sink.candidate;

/**
 * What was read of a source log.
 *
 * @param stream     ordinal of its stream.
 * @param partition  of that stream.
 * @param firstIndex queue index of the first record that was read.
 * @param lastIndex  queue index of the last.
 * @param records    how many were read; with none the indices mean nothing.
 */
public record SourceRange(int stream, int partition, long firstIndex, long lastIndex, long records)
{
}
