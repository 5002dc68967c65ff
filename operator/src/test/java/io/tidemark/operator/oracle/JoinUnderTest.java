package io.tidemark.operator.oracle;

import java.util.List;

import io.tidemark.ingest.fixture.FeedEvent;

/**
 * A join that can be fed one position at a time and asked what came of it: the oracle itself, or an adapter to the
 * engine. Positions count from 1; an event's index is its ordinal in its source log. Not thread safe.
 */
public interface JoinUnderTest extends AutoCloseable
{
    /**
     * A change-set with its identity; the position is in the change-set.
     *
     * @param slot      the key's slot.
     * @param ordinal   0 for the direct effect, 1, 2, ... for those of the clock.
     * @param changeSet the rest.
     */
    record Emitted(int slot, long ordinal, ChangeSet changeSet)
    {
    }

    /**
     * What one position caused.
     *
     * @param changeSets in the order in which they were written.
     * @param late       at most one.
     * @param rejected   at most one.
     */
    record Effect(List<Emitted> changeSets, List<Outcome.Late> late, List<Outcome.Rejected> rejected)
    {
    }

    /** Feeds the next position. */
    Effect next(FeedEvent event);

    /** What was counted so far. */
    Outcome.Counters counters();

    /** What is held now, by definition. */
    Outcome.Census census();

    /** P(s,p) of a source. */
    long partitionClock(int source);

    /** W(s) of a side. */
    long watermark(int side);

    /** A(s) of a side, in scope key that of a key without clocks of its own. */
    long acceptance(int side);

    @Override
    void close();
}
