package io.tidemark.operator.change;

/** What a row of a change-set is. */
public enum RowKind
{
    /** Two rows that match. */
    PAIR,
    /** A row of a join without a pair. */
    UNMATCHED,
    /** A session of a key. */
    SESSION
}
