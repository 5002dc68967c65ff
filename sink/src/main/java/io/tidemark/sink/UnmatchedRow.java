package io.tidemark.sink;

/**
 * A row without a pair.
 *
 * @param rule    rule version.
 * @param key     its key.
 * @param side    0 left, 1 right.
 * @param row     the row.
 * @param isFinal whether it can still get a pair (provisional) or not any more (final).
 */
public record UnmatchedRow(int rule, Utf8 key, int side, SourceRow row, boolean isFinal) implements ResultRow
{
    @Override
    public RowId id()
    {
        return new RowId.OfUnmatched(rule, side, row.id(), row.revision());
    }
}
