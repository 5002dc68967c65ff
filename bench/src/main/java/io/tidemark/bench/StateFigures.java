package io.tidemark.bench;

import io.tidemark.operator.spec.Unmatched;

/**
 * How much room rows take.
 *
 * @param unmatched  setting of the rule; all but {@link Unmatched#NONE} have an entry in a calendar for each row.
 * @param measure    of putting the rows in, making the events included.
 * @param keys       in state.
 * @param rows       in state.
 * @param stateBytes of its pages, and of what is due when.
 * @param heapBefore bytes of the heap in use, after a collection, before the state was made.
 * @param heapAfter  the same with all rows in state.
 */
record StateFigures(
    Unmatched unmatched, Measure measure, long keys, long rows, long stateBytes, long heapBefore, long heapAfter)
{
    double bytesPerRow()
    {
        return (double)stateBytes / rows;
    }
}
