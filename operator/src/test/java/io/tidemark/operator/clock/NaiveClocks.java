package io.tidemark.operator.clock;

import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;

import java.util.TreeSet;

/**
 * Section 3 of SEMANTICS.md word by word, for comparison: everything is computed anew from the partitions each time.
 */
final class NaiveClocks
{
    private final int[] sides;
    private final WatermarkSpec spec;
    private final long[] clocks;
    private final long[] marks;
    private final boolean[] idle;
    private final boolean[] delivered;
    private final long[] lastArrivals;
    private final long[] watermarks = {Times.MINUS_INFINITY, Times.MINUS_INFINITY};
    private final long[] marksOfSide = {Times.MINUS_INFINITY, Times.MINUS_INFINITY};
    private long arrivalNow = Times.MINUS_INFINITY;
    private long firstArrival = Times.MINUS_INFINITY;

    NaiveClocks(final int[] sides, final WatermarkSpec spec)
    {
        this.sides = sides;
        this.spec = spec;
        this.clocks = new long[sides.length];
        this.marks = new long[sides.length];
        this.idle = new boolean[sides.length];
        this.delivered = new boolean[sides.length];
        this.lastArrivals = new long[sides.length];
        java.util.Arrays.fill(clocks, Times.MINUS_INFINITY);
        java.util.Arrays.fill(marks, Times.MINUS_INFINITY);
    }

    void beforeEvent(final int source, final long arrival)
    {
        passDeadlines(arrival);
        arrivalNow = Math.max(arrivalNow, arrival);
        if (firstArrival == Times.MINUS_INFINITY)
        {
            firstArrival = arrivalNow;
        }
        delivered[source] = true;
        lastArrivals[source] = arrivalNow;
        idle[source] = false;
    }

    void tick(final long nowNs)
    {
        passDeadlines(nowNs);
        arrivalNow = Math.max(arrivalNow, nowNs);
    }

    void afterValidUpsert(final int source, final long time)
    {
        clocks[source] = Math.max(clocks[source], Times.minus(time, spec.delayNs()));
        update();
    }

    void afterWatermark(final int source, final long time)
    {
        clocks[source] = Math.max(clocks[source], time);
        marks[source] = Math.max(marks[source], time);
        update();
    }

    void afterOther()
    {
        update();
    }

    long watermark(final int side)
    {
        return watermarks[side];
    }

    long fallback(final int side)
    {
        return spec.keyScoped() ?
            Math.max(Times.minus(watermarks[side], spec.keySkewNs()), marksOfSide[side]) :
            watermarks[side];
    }

    boolean isActive(final int source)
    {
        return !idle[source];
    }

    private void passDeadlines(final long until)
    {
        if (spec.idleAfterNs() == WatermarkSpec.NEVER || firstArrival == Times.MINUS_INFINITY)
        {
            return;
        }
        final TreeSet<Long> deadlines = new TreeSet<>();
        for (int source = 0; source < sides.length; source++)
        {
            if (!idle[source] && deadline(source) <= Math.max(arrivalNow, until))
            {
                deadlines.add(deadline(source));
            }
        }
        for (final long deadline : deadlines)
        {
            for (int source = 0; source < sides.length; source++)
            {
                if (!idle[source] && deadline(source) == deadline)
                {
                    idle[source] = true;
                }
            }
            update();
        }
    }

    private long deadline(final int source)
    {
        return (delivered[source] ? lastArrivals[source] : firstArrival) + spec.idleAfterNs() + 1;
    }

    /** Updates both sides over and over until nothing moves, in no clever order. */
    private void update()
    {
        boolean moved = true;
        while (moved)
        {
            moved = update(0) | update(1);
        }
    }

    private boolean update(final int side)
    {
        long minClock = Times.PLUS_INFINITY;
        long minMark = Times.PLUS_INFINITY;
        long maxClock = Times.MINUS_INFINITY;
        for (int source = 0; source < sides.length; source++)
        {
            if (sides[source] == side)
            {
                maxClock = Math.max(maxClock, clocks[source]);
                if (!idle[source])
                {
                    minClock = Math.min(minClock, clocks[source]);
                    minMark = Math.min(minMark, marks[source]);
                }
            }
        }
        final long before = watermarks[side];
        final long markBefore = marksOfSide[side];
        if (!isAllIdle(side))
        {
            watermarks[side] = Math.max(before, minClock);
            marksOfSide[side] = Math.max(markBefore, minMark);
        }
        else
        {
            final long other = isAllIdle(1 - side) ? Times.MINUS_INFINITY : watermarks[1 - side];
            watermarks[side] = Math.max(before, Math.max(maxClock, other));
        }
        return watermarks[side] != before || marksOfSide[side] != markBefore;
    }

    private boolean isAllIdle(final int side)
    {
        boolean allIdle = true;
        for (int source = 0; source < sides.length; source++)
        {
            allIdle &= sides[source] != side || idle[source];
        }
        return allIdle;
    }
}
