package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.Utf8;

/**
 * The whole answer from the ordered input: clocks in one pass, then the keys in portions that fit into memory.
 */
final class Recomputation
{
    private final PipelineSpec spec;
    private final OrderedInput input;
    private final ValidityRules rules;
    private final ClockHistory history;
    private final ClockModel clocks;
    private final List<LoggedEvent> invalid = new ArrayList<>();
    private long events;

    Recomputation(final PipelineSpec spec, final OrderedInput input)
    {
        this.spec = spec;
        this.input = input;
        rules = new ValidityRules(spec);
        history = new ClockHistory(spec.watermark().keyScoped());
        clocks = new ClockModel(spec, history);
    }

    /** First pass: the clocks at every position, and what is invalid by itself. */
    void readClocks()
    {
        input.replay(new OrderedInput.Visitor()
        {
            @Override
            public void onEvent(final LoggedEvent event)
            {
                final boolean isValid = rules.isValid(event);
                clocks.before(event);
                clocks.after(event, isValid);
                events++;
                if (!isValid)
                {
                    invalid.add(event);
                }
            }

            @Override
            public void onTick(final long position, final long nowNs)
            {
                clocks.tick(nowNs);
            }
        });
    }

    /**
     * Reads the events of one portion of the keys.
     *
     * @param portion  0 to {@code portions - 1}.
     * @param portions how many there are.
     * @return valid events of each key in order, by key.
     */
    SortedMap<Utf8, List<LoggedEvent>> read(final int portion, final int portions)
    {
        final SortedMap<Utf8, List<LoggedEvent>> byKey = new TreeMap<>();
        input.replay(new OrderedInput.Visitor()
        {
            @Override
            public void onEvent(final LoggedEvent event)
            {
                if (event.kind() != LoggedEvent.WATERMARK && portionOf(event.key(), portions) == portion &&
                    rules.isValid(event))
                {
                    byKey.computeIfAbsent(event.key(), key -> new ArrayList<>()).add(event);
                }
            }

            @Override
            public void onTick(final long position, final long nowNs)
            {
                // Ticks concern no key.
            }
        });
        return byKey;
    }

    /**
     * Recomputes one key.
     *
     * @param events of the key.
     * @param share  which of its rows are wanted.
     * @return what should have come of them.
     */
    KeyOutcome recompute(final List<LoggedEvent> events, final RowShare share)
    {
        if (spec.rule() instanceof SessionRule)
        {
            final SessionModel sessions = new SessionModel(spec, history);
            events.forEach(sessions::onEvent);
            return sessions.finish(share);
        }
        final KeyModel model = new KeyModel(spec, history);
        events.forEach(model::onEvent);
        return model.finish(share);
    }

    /** Which portion a key falls into. */
    static int portionOf(final Utf8 key, final int portions)
    {
        return Math.floorMod(key.hashCode(), portions);
    }

    ClockModel clocks()
    {
        return clocks;
    }

    List<LoggedEvent> invalid()
    {
        return invalid;
    }

    long events()
    {
        return events;
    }

    long position()
    {
        return history.position();
    }
}
