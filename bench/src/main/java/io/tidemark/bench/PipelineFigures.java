package io.tidemark.bench;

import io.tidemark.operator.join.Census;
import io.tidemark.operator.join.JoinEngine;

/**
 * One round of the pipeline, and what its state held at the end.
 *
 * @param measure    what it cost.
 * @param accepted   events of all, prefix included, that were accepted.
 * @param refused    late, rejected and duplicate events; a workload has none.
 * @param rows       rows in state, gone ones that were not taken out yet included.
 * @param liveRows   open rows and ghosts.
 * @param keys       keys in state.
 * @param stateBytes of pages of state, and of what is due when.
 */
record PipelineFigures(
    Measure measure, long accepted, long refused, long rows, long liveRows, long keys, long stateBytes)
{
    static PipelineFigures of(final Measure measure, final JoinEngine engine)
    {
        final Census census = engine.census();
        return new PipelineFigures(
            measure,
            engine.tally().accepted(),
            engine.tally().late() + engine.tally().rejected() + engine.tally().duplicates(),
            engine.rows(),
            census.open() + census.ghosts(),
            engine.keyCount(),
            engine.stateBytes());
    }

    double bytesPerRow()
    {
        return rows == 0 ? 0 : (double)stateBytes / rows;
    }
}
