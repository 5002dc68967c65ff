package io.tidemark.sink.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.function.LongPredicate;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;

/**
 * The second opinion on drafts of repairs (SEMANTICS.md section 8): reads the raw logs anew, works out by brute force
 * what the results of each region should be, and says what is wrong with the draft. Shares no code with who built it.
 */
public final class RepairCheck
{
    private final PipelineSpec spec;
    private final OrderedInput input;
    private final ValidityRules rules;

    /**
     * @param spec          of the pipeline.
     * @param dataDirectory of the pipeline.
     * @param start         before which nothing concerns the drafts.
     * @param lastPosition  up to which the drafts were built.
     */
    public RepairCheck(
        final PipelineSpec spec, final Path dataDirectory, final OrderStart start, final long lastPosition)
    {
        this(spec, new LoggedInput(dataDirectory, spec.topology(), start, lastPosition));
    }

    RepairCheck(final PipelineSpec spec, final OrderedInput input)
    {
        this.spec = spec;
        this.input = input;
        rules = new ValidityRules(spec);
    }

    /**
     * Judges drafts, all in one pass over the logs.
     *
     * @param drafts    each of its own region.
     * @param leftOut   tells positions of events that count for nothing: rejected ones, and expired late ones.
     * @param tables    current rows of a key, as of the same position; those far from every draft may be left out.
     * @return for each draft what is wrong with it, in words; empty for a valid one.
     */
    public List<List<String>> complaints(
        final List<Draft> drafts,
        final LongPredicate leftOut,
        final Function<Utf8, Collection<ResultRow>> tables)
    {
        final Map<Utf8, List<LoggedEvent>> events = new HashMap<>();
        drafts.forEach(draft -> events.put(draft.region().key(), new ArrayList<>()));
        input.replay(new OrderedInput.Visitor()
        {
            @Override
            public void onEvent(final LoggedEvent event)
            {
                final List<LoggedEvent> ofKey =
                    event.kind() == LoggedEvent.WATERMARK ? null : events.get(event.key());
                if (ofKey != null && !leftOut.test(event.position()) && rules.isValid(event))
                {
                    ofKey.add(event);
                }
            }

            @Override
            public void onTick(final long position, final long nowNs)
            {
                // Ticks concern no key.
            }
        });
        final List<List<String>> complaints = new ArrayList<>();
        for (final Draft draft : drafts)
        {
            final Utf8 key = draft.region().key();
            complaints.add(complaints(draft, events.get(key), tables.apply(key)));
        }
        return complaints;
    }

    private List<String> complaints(
        final Draft draft, final List<LoggedEvent> events, final Collection<ResultRow> table)
    {
        return spec.rule() instanceof final SessionRule sessions ?
            new SessionCheck(sessions, draft).complaints(events, table) :
            new JoinCheck(spec, spec.join(), draft).complaints(events, table);
    }

    /** The event whose revision stands; of equal ones a retraction, of equal ones the first in the order. */
    static LoggedEvent higher(final LoggedEvent first, final LoggedEvent later)
    {
        final boolean isHigher = later.revision() > first.revision() ||
            (later.revision() == first.revision() && later.kind() > first.kind());
        return isHigher ? later : first;
    }
}
