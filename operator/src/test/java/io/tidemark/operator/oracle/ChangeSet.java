package io.tidemark.operator.oracle;

import java.util.List;

/**
 * A change-set without what depends on slots (SEMANTICS.md section 9): the direct effect of an event, or a row that
 * became final because of the clock.
 *
 * @param position    position of the event or tick that caused it.
 * @param direct      true for ordinal 0, false for those of the clock.
 * @param key         the one key that it concerns.
 * @param cause       source and index of the event, or {@link Cause#CLOCK}.
 * @param retractions what goes, by row id.
 * @param insertions  what comes, by row id.
 */
public record ChangeSet(
    long position, boolean direct, String key, Cause cause, List<ResultRow> retractions, List<ResultRow> insertions)
{
    /**
     * Where a change-set comes from.
     *
     * @param source ordinal of the source log, -1 for the clock.
     * @param index  index in that log.
     */
    public record Cause(int source, long index)
    {
        /** The clock. */
        public static final Cause CLOCK = new Cause(-1, -1);
    }

    /** Copies the lists. */
    public ChangeSet
    {
        retractions = List.copyOf(retractions);
        insertions = List.copyOf(insertions);
    }
}
