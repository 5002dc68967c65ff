package io.tidemark.sink.candidate;

import java.util.List;

import io.tidemark.operator.spec.Times;
import io.tidemark.sink.ResultRow;

/**
 * A candidate as its builder leaves it, not judged yet.
 *
 * @param region      that it concerns.
 * @param retractions current rows that should not be, by row id.
 * @param insertions  rows that should be and are not current, by row id.
 * @param totals      of all results of the region, once it is applied; null where nothing is claimed of them.
 * @param membership  digest of who belongs to which of its sessions, {@link Membership#NONE} for joins.
 * @param leftNeeds   {@code A(left)}, of sessions {@code A}, must be past this time before the live path can no longer
 *                    touch anything in the region.
 * @param rightNeeds  the same for {@code A(right)}; minus infinity for sessions.
 */
public record Draft(
    Region region,
    List<ResultRow> retractions,
    List<ResultRow> insertions,
    Totals totals,
    String membership,
    long leftNeeds,
    long rightNeeds)
{
    /** Copies the lists. */
    public Draft
    {
        retractions = List.copyOf(retractions);
        insertions = List.copyOf(insertions);
    }

    /**
     * Whether the live path has left the region for good.
     *
     * @param leftClock  {@code A(left)}.
     * @param rightClock {@code A(right)}.
     * @return false when the repair has to wait.
     */
    public boolean isDue(final long leftClock, final long rightClock)
    {
        return isPast(leftClock, leftNeeds) && isPast(rightClock, rightNeeds);
    }

    /** Minus infinity is no need at all. */
    private static boolean isPast(final long clock, final long needs)
    {
        return needs == Times.MINUS_INFINITY || clock > needs;
    }

    /**
     * Whether nothing is to be changed: the late events were duplicates, or without effect.
     *
     * @return true when there is no difference.
     */
    public boolean isEmpty()
    {
        return retractions.isEmpty() && insertions.isEmpty();
    }
}
