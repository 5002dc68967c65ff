package io.tidemark.operator.join;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Times;

/**
 * The arithmetic of a join rule, immutable (SEMANTICS.md sections 4 and 5). Interval and overlap joins differ only
 * here.
 *
 * <p>Every condition on clocks is brought into one form: it holds once {@code clock(LEFT) > threshold(LEFT)} and
 * {@code clock(RIGHT) > threshold(RIGHT)}, where the clocks are the watermarks of the two inputs (a key's own in scope
 * key). With a joint lateness clock both thresholds are the same, for the smaller clock is past a threshold exactly if
 * both are. A threshold of {@link #NONE} is no condition on that clock.
 */
final class JoinPolicy
{
    /** A threshold that every clock counts as having passed, see {@link #isPast}. */
    static final long NONE = Times.MINUS_INFINITY;

    private static final int BUNDLES_PER_WAIT = 3;

    private final JoinRule rule;
    private final long spanNs;
    private final long[] matchableNs = new long[2];
    private final long[][] nearestNs = new long[2][2];
    private final long[][] farthestNs = new long[2][2];
    private final long[][] partnersFarthestNs = new long[2][2];

    /** Whether it follows from a row's start alone that all its partners are closed; times may be too far apart. */
    private final boolean[] startTells = new boolean[2];

    private final long recordNs;
    private final long waitNs;

    JoinPolicy(final JoinRule rule)
    {
        this.rule = rule;
        final long both = Times.plus(rule.lookBackNs(), rule.lookAheadNs());
        this.spanNs = rule.overlap() ? rule.maxLengthNs() : both;
        for (int side = 0; side < 2; side++)
        {
            matchableNs[side] = Times.plus(rule.latenessNs(), rule.beforeNs(1 - side));
        }
        for (int side = 0; side < 2; side++)
        {
            for (int clock = 0; clock < 2; clock++)
            {
                farthestNs[side][clock] = farthest(clock, side);
                nearestNs[side][clock] = rule.overlap() ? closes(clock, side, 0, 0) : farthestNs[side][clock];
                partnersFarthestNs[side][clock] = partnersFarthest(clock, side);
            }
            startTells[side] = !rule.overlap() &&
                Math.max(partnersFarthestNs[side][0], partnersFarthestNs[side][1]) < Times.MAX;
        }
        this.recordNs = Times.plus(rule.latenessNs(), rule.maxMoveNs());
        final long retention = Times.plus(Times.plus(spanNs, rule.overlap() ? rule.maxBeforeNs() : 0), recordNs);
        this.waitNs = Math.max(1, Math.min(retention, 1L << 60));
    }

    static boolean isPast(final long clock, final long threshold)
    {
        return threshold == NONE || clock > threshold;
    }

    /** Of the clocks that have not passed what is waited for, the one that is further behind. */
    static int waitingClock(final long clock0, final long clock1, final long due0, final long due1)
    {
        if (isPast(clock0, due0))
        {
            return 1;
        }
        return isPast(clock1, due1) || clock0 <= clock1 ? 0 : 1;
    }

    boolean publishesUnmatched(final int side)
    {
        return rule.publishesUnmatched(side);
    }

    /** Start of a row's interval. */
    long start(final int side, final long time, final long start)
    {
        if (rule.overlap())
        {
            return start;
        }
        return side == JoinRule.LEFT ? Times.minus(time, rule.lookBackNs()) : time;
    }

    /** End of a row's interval. */
    long end(final int side, final long time, final long end)
    {
        if (rule.overlap())
        {
            return end;
        }
        return side == JoinRule.LEFT ? Times.plus(time, rule.lookAheadNs()) : time;
    }

    /** No row of the opposite side that starts earlier can reach an interval with this start. */
    long earliestPartnerStart(final int side, final long start)
    {
        return rule.overlap() || side == JoinRule.RIGHT ? Times.minus(start, spanNs) : start;
    }

    /** The row is open until both clocks are past this. */
    long closes(final int clock, final int side, final long time, final long end)
    {
        final long matchable = Times.plus(end, matchableNs[side]);
        final long revisable = Times.plus(time, rule.latenessNs());
        if (rule.joint())
        {
            return retained(time, Math.max(matchable, revisable));
        }
        return retained(time, clock == side ? revisable : matchable);
    }

    /** What is kept for less than it is needed loses results: a negative control. */
    private long retained(final long time, final long needed)
    {
        return rule.retentionNs() == JoinRule.NEEDED ? needed : Math.min(needed, Times.plus(time, rule.retentionNs()));
    }

    /** The record, by itself, is known until both clocks are past this. */
    long forgets(final int clock, final int side, final long largestTime)
    {
        return rule.joint() || clock == side ? Times.plus(largestTime, recordNs) : NONE;
    }

    /** Records with a largest time before this are no longer known by themselves at these clocks. */
    long forgottenBefore(final int side, final long clock0, final long clock1)
    {
        return Times.minus(rule.joint() ? Math.min(clock0, clock1) : side == 0 ? clock0 : clock1, recordNs);
    }

    /** No partner of a row can be open when both clocks are past this; a bound that takes no look at the partners. */
    long partnersClose(final int clock, final int side, final long time, final long end)
    {
        final int other = 1 - side;
        final long partnerTime;
        final long partnerEnd;
        if (rule.overlap())
        {
            partnerEnd = Times.plus(end, rule.maxLengthNs());
            partnerTime = partnerEnd;
        }
        else if (side == JoinRule.LEFT)
        {
            partnerTime = end;
            partnerEnd = end;
        }
        else
        {
            partnerTime = Times.plus(time, rule.lookBackNs());
            partnerEnd = Times.plus(partnerTime, rule.lookAheadNs());
        }
        return closes(clock, other, partnerTime, partnerEnd);
    }

    /** A row that starts here or later can't be closed yet unless both clocks are past this. */
    long mayClose(final int clock, final int side, final long start)
    {
        if (rule.overlap())
        {
            return closes(clock, side, start, start);
        }
        // A start at the very beginning of time may stand for any earlier one.
        final boolean isShifted = side == JoinRule.LEFT && start != Times.MIN;
        final long time = isShifted ? Times.plus(start, rule.lookBackNs()) : start;
        return closes(clock, side, time, end(side, time, 0));
    }

    /** All rows that start at this or later are open at these clocks, unless they start at the beginning of time. */
    long openFrom(final int side, final long clock0, final long clock1)
    {
        return Math.min(Times.minus(clock0, nearestNs[side][0]), Times.minus(clock1, nearestNs[side][1]));
    }

    /** All rows that start before this are closed at these clocks; may be {@link Times#MINUS_INFINITY}. */
    long closedBefore(final int side, final long clock0, final long clock1)
    {
        // What is farther than time reaches was cut off, so that it would say too much.
        return Math.max(farthestNs[side][0], farthestNs[side][1]) < Times.MAX ?
            Math.min(Times.minus(clock0, farthestNs[side][0]), Times.minus(clock1, farthestNs[side][1])) :
            Times.MINUS_INFINITY;
    }

    /**
     * All rows that start before this are closed at these clocks, and all their partners; in an overlap join only if
     * their times are no further behind their starts than they may be long.
     */
    long goneBefore(final int side, final long clock0, final long clock1)
    {
        return Math.min(Times.minus(clock0, partnersFarthestNs[side][0]),
            Times.minus(clock1, partnersFarthestNs[side][1]));
    }

    /** As {@link #goneBefore}, without exceptions; {@link Times#MINUS_INFINITY} where the start does not tell. */
    long surelyGoneBefore(final int side, final long clock0, final long clock1)
    {
        return startTells[side] ? goneBefore(side, clock0, clock1) : Times.MINUS_INFINITY;
    }

    /**
     * No row that starts at this or later has only partners that are closed at these clocks, if it has any, unless it
     * starts at the beginning of time; {@link Times#PLUS_INFINITY} where the start does not tell.
     */
    long waitsFrom(final int side, final long clock0, final long clock1)
    {
        return rule.overlap() ? Times.PLUS_INFINITY : goneBefore(side, clock0, clock1);
    }

    /** For how long a row usually waits for what its clocks bring about. */
    long waitNs()
    {
        return waitNs;
    }

    /** A key with several rows is cleaned up in intervals of at least this, so that several leave at once. */
    long bundleNs()
    {
        return waitNs / BUNDLES_PER_WAIT;
    }

    /** How far a threshold can lie behind the start of a row. */
    private long farthest(final int clock, final int side)
    {
        if (rule.overlap())
        {
            return closes(clock, side, rule.maxLengthNs(), rule.maxLengthNs());
        }
        return Times.plus(closes(clock, side, 0, end(side, 0, 0)), side == JoinRule.LEFT ? rule.lookBackNs() : 0);
    }

    private long partnersFarthest(final int clock, final int side)
    {
        if (rule.overlap())
        {
            return partnersClose(clock, side, rule.maxLengthNs(), rule.maxLengthNs());
        }
        final long partners = partnersClose(clock, side, 0, end(side, 0, 0));
        return Times.plus(partners, side == JoinRule.LEFT ? rule.lookBackNs() : 0);
    }

    long latenessNs()
    {
        return rule.latenessNs();
    }

    /** Whether two times of a row are farther apart than its producer promises, exact over the whole range. */
    boolean movesTooFar(final long a, final long b)
    {
        return Long.compareUnsigned(a < b ? b - a : a - b, rule.maxMoveNs()) > 0;
    }

    boolean isJoint()
    {
        return rule.joint();
    }

    boolean isOverlap()
    {
        return rule.overlap();
    }
}
