package io.tidemark.operator.spec;

/**
 * A join rule (SEMANTICS.md sections 4 to 6). All durations are nanoseconds, not negative.
 *
 * @param version        the rule's version, at least 0; part of every row id.
 * @param overlap        true for an overlap join, whose rows carry start and end; false for an interval join.
 * @param lookBackNs     interval join: a right row matches from this long before the left row's time (inclusive).
 * @param lookAheadNs    interval join: up to this long after it (inclusive).
 * @param maxLengthNs    overlap join: largest {@code end - start}.
 * @param maxBeforeNs    overlap join: largest {@code time - start}.
 * @param unmatched      when rows without a pair are published.
 * @param unmatchedLeft  whether the left side publishes them.
 * @param unmatchedRight whether the right side publishes them.
 * @param latenessNs     the accepted lateness, {@code L}.
 * @param joint          true when both sides are judged by the smaller of the two watermarks.
 * @param maxMoveNs      how far apart the times of one row's revisions may lie.
 * @param retentionNs    a row is forgotten this long after its time, however much longer it is needed; loses results,
 *                       and is there to show that. {@link #NEEDED} otherwise.
 */
public record JoinRule(
    int version,
    boolean overlap,
    long lookBackNs,
    long lookAheadNs,
    long maxLengthNs,
    long maxBeforeNs,
    Unmatched unmatched,
    boolean unmatchedLeft,
    boolean unmatchedRight,
    long latenessNs,
    boolean joint,
    long maxMoveNs,
    long retentionNs) implements Rule
{
    /** Rows are kept as long as they are needed. */
    public static final long NEEDED = Long.MAX_VALUE;

    /** The left input. */
    public static final int LEFT = 0;

    /** The right input. */
    public static final int RIGHT = 1;

    /** Refuses negative durations, which the configuration reader reports before with their line. */
    public JoinRule
    {
        requireNotNegative("look_back", lookBackNs);
        requireNotNegative("look_ahead", lookAheadNs);
        requireNotNegative("max_length", maxLengthNs);
        requireNotNegative("max_before", maxBeforeNs);
        requireNotNegative("lateness", latenessNs);
        requireNotNegative("max_move", maxMoveNs);
        requireNotNegative("retention", retentionNs);
    }

    /**
     * A rule that keeps rows as long as they are needed.
     *
     * @param version        as above.
     * @param overlap        as above.
     * @param lookBackNs     as above.
     * @param lookAheadNs    as above.
     * @param maxLengthNs    as above.
     * @param maxBeforeNs    as above.
     * @param unmatched      as above.
     * @param unmatchedLeft  as above.
     * @param unmatchedRight as above.
     * @param latenessNs     as above.
     * @param joint          as above.
     * @param maxMoveNs      as above.
     */
    public JoinRule(
        final int version,
        final boolean overlap,
        final long lookBackNs,
        final long lookAheadNs,
        final long maxLengthNs,
        final long maxBeforeNs,
        final Unmatched unmatched,
        final boolean unmatchedLeft,
        final boolean unmatchedRight,
        final long latenessNs,
        final boolean joint,
        final long maxMoveNs)
    {
        this(
            version, overlap, lookBackNs, lookAheadNs, maxLengthNs, maxBeforeNs, unmatched, unmatchedLeft,
            unmatchedRight, latenessNs, joint, maxMoveNs, NEEDED);
    }

    /**
     * The same rule, but for how long rows are kept.
     *
     * @param newRetentionNs as above.
     * @return a rule that loses results where this is too short.
     */
    public JoinRule withRetention(final long newRetentionNs)
    {
        return new JoinRule(
            version, overlap, lookBackNs, lookAheadNs, maxLengthNs, maxBeforeNs, unmatched, unmatchedLeft,
            unmatchedRight, latenessNs, joint, maxMoveNs, newRetentionNs);
    }

    @Override
    public int inputs()
    {
        return 2;
    }

    /**
     * The largest possible {@code time - interval.start} of a side, {@code before(s)}.
     *
     * @param side {@link #LEFT} or {@link #RIGHT}.
     * @return nanoseconds.
     */
    public long beforeNs(final int side)
    {
        if (overlap)
        {
            return maxBeforeNs;
        }
        return side == LEFT ? lookBackNs : 0;
    }

    /**
     * Whether rows of a side are published when they have no pair, be it provisionally or finally.
     *
     * @param side {@link #LEFT} or {@link #RIGHT}.
     * @return true when they are.
     */
    public boolean publishesUnmatched(final int side)
    {
        return unmatched != Unmatched.NONE && (side == LEFT ? unmatchedLeft : unmatchedRight);
    }

    private static void requireNotNegative(final String name, final long durationNs)
    {
        if (durationNs < 0)
        {
            throw new IllegalArgumentException(name + " must not be negative: " + durationNs + " ns");
        }
    }
}
