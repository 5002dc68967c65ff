package io.tidemark.sink.repair;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;

import io.tidemark.operator.spec.Times;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.candidate.Candidate;

/**
 * Late events with what became of them: a function of the late log, the change log and the candidates that are kept.
 */
public final class RepairQueue
{
    /**
     * A late event.
     *
     * @param event     as the late log has it.
     * @param state     what became of it.
     * @param candidate number of the newest candidate with it, 0 where there is none.
     */
    public record Item(LateEntry event, LateState state, long candidate)
    {
    }

    private final List<Item> items = new ArrayList<>();

    /**
     * Judges every late event.
     *
     * @param late         all late events, in order.
     * @param publications of the same table.
     * @param candidates   that are kept.
     * @param horizonNs    how far back from the largest time an event can be repaired.
     * @param largestTime  of all events; asked for only where something is still open.
     */
    RepairQueue(
        final List<LateEntry> late,
        final Publications publications,
        final List<Candidate> candidates,
        final long horizonNs,
        final LongSupplier largestTime)
    {
        final Map<Long, Candidate> newest = new HashMap<>();
        candidates.forEach(candidate ->
            candidate.draft().region().late().forEach(position -> newest.put(position, candidate)));
        long oldest = 0;
        boolean isOldestKnown = false;
        for (final LateEntry event : late)
        {
            final Candidate candidate = newest.get(event.position());
            LateState state = state(event, publications, candidate);
            if (state.isOpen())
            {
                oldest = isOldestKnown ? oldest : Times.minus(largestTime.getAsLong(), horizonNs);
                isOldestKnown = true;
                state = event.time() < oldest ? LateState.EXPIRED : state;
            }
            items.add(new Item(event, state, candidate == null ? 0 : candidate.number()));
        }
    }

    private static LateState state(
        final LateEntry event, final Publications publications, final Candidate candidate)
    {
        if (publications.hasLate(event.position()))
        {
            return LateState.REPAIRED;
        }
        if (candidate == null)
        {
            return LateState.WAITING;
        }
        if (!candidate.isValid())
        {
            return LateState.FAILED;
        }
        return candidate.draft().isEmpty() ? LateState.NO_CHANGE : LateState.WAITING;
    }

    /**
     * All late events, in order.
     *
     * @return not to be changed.
     */
    public List<Item> items()
    {
        return List.copyOf(items);
    }
}
