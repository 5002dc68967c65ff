package io.tidemark.sink.repair.build;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.candidate.RowName;

/**
 * A row of a join with its interval (SEMANTICS.md section 4).
 *
 * @param event that made it so.
 * @param name  of the row.
 * @param start of its interval.
 * @param end   of its interval.
 */
record JoinRow(RawEvent event, RowName name, long start, long end)
{
    static JoinRow of(final JoinRule rule, final RawEvent event)
    {
        if (rule.overlap())
        {
            return new JoinRow(event, event.row(), event.start(), event.end());
        }
        final boolean isLeft = event.side() == JoinRule.LEFT;
        return new JoinRow(event, event.row(),
            isLeft ? Times.minus(event.time(), rule.lookBackNs()) : event.time(),
            isLeft ? Times.plus(event.time(), rule.lookAheadNs()) : event.time());
    }
}
