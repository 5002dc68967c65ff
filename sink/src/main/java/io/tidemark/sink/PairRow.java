package io.tidemark.sink;

/**
 * A matched pair.
 *
 * @param rule  rule version.
 * @param key   the key of both rows.
 * @param left  the left row.
 * @param right the right row.
 */
public record PairRow(int rule, Utf8 key, SourceRow left, SourceRow right) implements ResultRow
{
    @Override
    public RowId id()
    {
        return new RowId.OfPair(rule, left.id(), left.revision(), right.id(), right.revision());
    }
}
