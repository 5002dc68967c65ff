package io.tidemark.sink;

/**
 * A current row.
 *
 * @param row        the row.
 * @param generation that inserted it.
 */
public record TableRow(ResultRow row, long generation)
{
}
