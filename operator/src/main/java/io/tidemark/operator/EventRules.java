package io.tidemark.operator;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;

/**
 * The rules of SEMANTICS.md section 1 that can be judged from an event alone; an event that keeps them is <i>valid</i>.
 * Ingest turns away what is no event at all; here that is judged once more, because a log may have been written by
 * another program. Immutable, allocates nothing.
 */
public final class EventRules
{
    private final boolean spans;
    private final long maxLengthNs;
    private final long maxBeforeNs;
    private final long maxAheadNs;

    private EventRules(
        final boolean spans, final long maxLengthNs, final long maxBeforeNs, final long maxAheadNs)
    {
        this.spans = spans;
        this.maxLengthNs = maxLengthNs;
        this.maxBeforeNs = maxBeforeNs;
        this.maxAheadNs = maxAheadNs;
    }

    /**
     * The rules of events that a rule reads: those of overlap joins are spans, all others are points in time.
     *
     * @param rule      a join or sessions.
     * @param watermark for {@code max_ahead}.
     * @return its rules.
     */
    public static EventRules of(final Rule rule, final WatermarkSpec watermark)
    {
        return rule instanceof final JoinRule join && join.overlap() ?
            new EventRules(true, join.maxLengthNs(), join.maxBeforeNs(), watermark.maxAheadNs()) :
            ofPoints(watermark);
    }

    /**
     * The rules of events that are points in time: interval joins and sessions.
     *
     * @param watermark for {@code max_ahead}.
     * @return their rules.
     */
    public static EventRules ofPoints(final WatermarkSpec watermark)
    {
        return new EventRules(false, 0, 0, watermark.maxAheadNs());
    }

    /**
     * Judges one event.
     *
     * @param event of the order.
     * @return the first rule that it breaks, or {@link RejectReason#NONE} when it is valid.
     */
    public RejectReason judge(final EventView event)
    {
        final int kind = event.kind();
        if (kind == EventKind.WATERMARK)
        {
            return RejectReason.NONE;
        }
        if (kind != EventKind.UPSERT && kind != EventKind.RETRACT)
        {
            return RejectReason.UNKNOWN_KIND;
        }
        if (event.keyLength() == 0 || event.idLength() == 0)
        {
            return RejectReason.EMPTY_NAME;
        }
        if (event.revision() < 0)
        {
            return RejectReason.NEGATIVE_REVISION;
        }
        final long time = event.time();
        if (!Times.isFinite(time))
        {
            return RejectReason.IMPOSSIBLE_TIME;
        }
        if (maxAheadNs != WatermarkSpec.OFF && isMoreThan(maxAheadNs, event.arrival(), time))
        {
            return RejectReason.TOO_FAR_AHEAD;
        }
        return judgeSpan(kind, time, event.start(), event.end());
    }

    private RejectReason judgeSpan(final int kind, final long time, final long start, final long end)
    {
        if (!spans || kind == EventKind.RETRACT)
        {
            final boolean none = start == EventView.NO_TIME && end == EventView.NO_TIME;
            return none ? RejectReason.NONE : RejectReason.SPAN_NOT_ALLOWED;
        }
        if (start == EventView.NO_TIME || end == EventView.NO_TIME)
        {
            return RejectReason.SPAN_MISSING;
        }
        if (!Times.isFinite(start) || !Times.isFinite(end))
        {
            return RejectReason.IMPOSSIBLE_TIME;
        }
        if (end < start)
        {
            return RejectReason.SPAN_REVERSED;
        }
        if (time < start || end < time)
        {
            return RejectReason.TIME_OUTSIDE_SPAN;
        }
        if (isMoreThan(maxLengthNs, start, end))
        {
            return RejectReason.SPAN_TOO_LONG;
        }
        return isMoreThan(maxBeforeNs, start, time) ? RejectReason.STARTS_TOO_EARLY : RejectReason.NONE;
    }

    /** Whether {@code to - from > lengthNs}, exact over the whole range: the difference is read as unsigned. */
    private static boolean isMoreThan(final long lengthNs, final long from, final long to)
    {
        return to > from && Long.compareUnsigned(to - from, lengthNs) > 0;
    }
}
