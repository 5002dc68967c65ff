package io.tidemark.operator.session;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Times;

/**
 * The arithmetic of a session rule, immutable (SEMANTICS.md sections 4 and 7). Every condition on the clock is brought
 * into the form that it holds once the clock is past a threshold.
 */
final class SessionPolicy
{
    private static final int BUCKETS_PER_RETENTION = 32;

    private final SessionRule rule;
    private final long recordNs;
    private final long bucketNs;

    SessionPolicy(final SessionRule rule)
    {
        this.rule = rule;
        this.recordNs = Times.plus(rule.latenessNs(), rule.maxMoveNs());
        final long retention = Times.plus(Times.plus(rule.gapNs(), rule.latenessNs()), rule.maxMoveNs());
        this.bucketNs = Math.max(1, Math.min(retention, 1L << 60) / BUCKETS_PER_RETENTION);
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

    /** Width of a calendar's bucket: clean-up of what nobody waits for is put off by up to so much. */
    long bucketNs()
    {
        return bucketNs;
    }
}
