package io.tidemark.operator.session;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Times;

/**
 * The arithmetic of a session rule, immutable (SEMANTICS.md sections 4 and 7). Every condition on the clock is brought
 * into the form that it holds once the clock is past a threshold.
 */
final class SessionPolicy
{
    private static final int BUNDLES_PER_WAIT = 5;

    private final SessionRule rule;
    private final long recordNs;
    private final long waitNs;

    SessionPolicy(final SessionRule rule)
    {
        this.rule = rule;
        this.recordNs = Times.plus(rule.latenessNs(), rule.maxMoveNs());
        final long retention = Times.plus(Times.plus(rule.gapNs(), rule.latenessNs()), rule.maxMoveNs());
        this.waitNs = Math.max(1, Math.min(retention, 1L << 60));
    }

    /** Whether an event at a time is on time, or early, by a clock. */
    boolean isOnTime(final long time, final long clock)
    {
        return time >= Times.minus(clock, rule.latenessNs());
    }

    /** A session with this end is final once the clock is past this. */
    long finalAfter(final long end)
    {
        return Times.plus(Times.plus(end, rule.gapNs()), rule.latenessNs());
    }

    boolean isFinal(final long end, final long clock)
    {
        return clock > finalAfter(end);
    }

    /** A record, by itself, is known until the clock is past this. */
    long forgottenAfter(final long largestTime)
    {
        return Times.plus(largestTime, recordNs);
    }

    boolean isForgotten(final long largestTime, final long clock)
    {
        return clock > forgottenAfter(largestTime);
    }

    /** Members are kept one by one until the clock is past this, where old ones are kept as sums. */
    long aggregatedAfter(final long time)
    {
        return Times.plus(time, rule.latenessNs());
    }

    /** Whether two times, the first not after the second, are too far apart for neighbours of one session. */
    boolean isGap(final long earlier, final long later)
    {
        return Long.compareUnsigned(later - earlier, rule.gapNs()) > 0;
    }

    /** Whether two times are farther apart than the times of one row may be, exact over the whole range. */
    boolean isTooFar(final long a, final long b)
    {
        return Long.compareUnsigned(a < b ? b - a : a - b, rule.maxMoveNs()) > 0;
    }

    boolean aggregates()
    {
        return rule.aggregate();
    }

    boolean isProvisional()
    {
        return rule.provisional();
    }

    /** For how long a member usually waits for what the clock brings about. */
    long waitNs()
    {
        return waitNs;
    }

    /** A key with several members is cleaned up in intervals of at least this, so that several leave at once. */
    long bundleNs()
    {
        return waitNs / BUNDLES_PER_WAIT;
    }
}
