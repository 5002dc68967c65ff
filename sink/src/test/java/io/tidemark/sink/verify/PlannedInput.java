package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongPredicate;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;

/** An ordered input without logs, for tests of other packages. */
public final class PlannedInput implements OrderedInput
{
    private final List<LoggedEvent> events = new ArrayList<>();

    /** Appends the next position. */
    public void add(
        final int source, final long index, final long arrival, final int kind, final String key, final String id,
        final int revision, final long time, final boolean hasSpan, final long start, final long end,
        final long value)
    {
        events.add(new LoggedEvent(events.size() + 1, source, index, arrival, kind, Utf8.of(key), Utf8.of(id),
            revision, time, hasSpan, hasSpan ? start : 0, hasSpan, hasSpan ? end : 0, value));
    }

    /** What the check of repairs says of drafts made as of the last position. */
    public List<List<String>> complaints(
        final PipelineSpec spec,
        final List<Draft> drafts,
        final LongPredicate leftOut,
        final Function<Utf8, Collection<ResultRow>> tables)
    {
        return new RepairCheck(spec, this).complaints(drafts, leftOut, tables);
    }

    @Override
    public void replay(final Visitor visitor)
    {
        events.forEach(visitor::onEvent);
    }
}
