package io.tidemark.sink;

/**
 * One change of the current table.
 *
 * @param isInsertion true for an insertion, false for a retraction, which repeats the row that was inserted.
 * @param row         the row.
 */
public record Change(boolean isInsertion, ResultRow row)
{
}
