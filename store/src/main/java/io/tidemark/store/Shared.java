package io.tidemark.store;

/**
 * What all slots share, since one thread works on all of them.
 *
 * @param scratch  a page of memory that holds nothing between calls.
 * @param inserted where the last insert into any tree went.
 * @param measure  gives what the rows of measured trees count with; null where there are none.
 */
record Shared(long scratch, RowCursor inserted, RowMeasure measure)
{
}
