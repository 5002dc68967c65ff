package io.tidemark.sink;

/**
 * A row of the result (SEMANTICS.md sections 6 and 7). Two rows with equal {@link #id()} are versions of one logical
 * row; two equal rows are the same row byte for byte.
 */
public sealed interface ResultRow permits PairRow, UnmatchedRow, SessionRow
{
    /**
     * Version of the rule that made the row.
     *
     * @return the version.
     */
    int rule();

    /**
     * The key that the row belongs to.
     *
     * @return the key.
     */
    Utf8 key();

    /**
     * What identifies the row in the current table.
     *
     * @return an object with equality of its own.
     */
    RowId id();
}
