package io.tidemark.operator.spec;

/**
 * A session rule (SEMANTICS.md section 7). All durations are nanoseconds, not negative.
 *
 * @param version     the rule's version, at least 0; part of every row id.
 * @param gapNs       how far apart neighbours of one session may be (inclusive).
 * @param provisional true for {@code emit: provisional}, where every change is published; false for {@code final}.
 * @param aggregate   true for {@code members: aggregate}, where old members are kept as sums only.
 * @param latenessNs  the accepted lateness, {@code L}.
 * @param joint       as it was configured; there is one input, so it changes nothing.
 * @param maxMoveNs   how far apart the times of one row's revisions may lie; 0 with {@code aggregate}.
 */
public record SessionRule(
    int version,
    long gapNs,
    boolean provisional,
    boolean aggregate,
    long latenessNs,
    boolean joint,
    long maxMoveNs) implements Rule
{
    /** The only input. */
    public static final int INPUT = 0;

    /** Refuses what the configuration reader reports before with its line. */
    public SessionRule
    {
        if (gapNs < 0 || latenessNs < 0 || maxMoveNs < 0)
        {
            throw new IllegalArgumentException(
                "no duration may be negative: gap=" + gapNs + " ns, lateness=" + latenessNs + " ns, max_move=" +
                maxMoveNs + " ns");
        }
        if (aggregate && maxMoveNs != 0)
        {
            throw new IllegalArgumentException("aggregated members cannot move: max_move=" + maxMoveNs + " ns");
        }
    }

    @Override
    public int inputs()
    {
        return 1;
    }
}
