package io.tidemark.operator.clock;

import io.tidemark.operator.spec.Times;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.util.Arrays;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Merges the partitions of one input into its watermark {@code W} and its mark {@code V} (SEMANTICS.md section 3).
 * <p>
 * What always holds:
 * <ul>
 * <li>{@code W} and {@code V} never go back;</li>
 * <li>{@code minClock} is the smallest clock of an active partition and {@code atMinClock} the number of active
 *     partitions that stand there; likewise for marks. So only a partition that blocks can move the minimum, and an
 *     event of any other costs two comparisons;</li>
 * <li>only active partitions are raised: an event makes its partition active before it is looked at.</li>
 * </ul>
 */
final class InputClock
{
    private final long[] clocks;
    private final long[] marks;
    private final boolean[] active;
    private int activeCount;
    private long minClock = Times.MINUS_INFINITY;
    private int atMinClock;
    private long maxClock = Times.MINUS_INFINITY;
    private long minMark = Times.MINUS_INFINITY;
    private int atMinMark;
    private long watermark = Times.MINUS_INFINITY;
    private long mark = Times.MINUS_INFINITY;

    InputClock(final int partitions)
    {
        clocks = new long[partitions];
        marks = new long[partitions];
        active = new boolean[partitions];
        Arrays.fill(clocks, Times.MINUS_INFINITY);
        Arrays.fill(marks, Times.MINUS_INFINITY);
        Arrays.fill(active, true);
        activeCount = partitions;
        atMinClock = partitions;
        atMinMark = partitions;
    }

    boolean isAllIdle()
    {
        return activeCount == 0;
    }

    boolean isActive(final int partition)
    {
        return active[partition];
    }

    long clock(final int partition)
    {
        return clocks[partition];
    }

    long mark(final int partition)
    {
        return marks[partition];
    }

    long watermark()
    {
        return watermark;
    }

    long mark()
    {
        return mark;
    }

    /** Returns whether the minimum of the active partitions moved, so that {@link #update} has something to do. */
    boolean raiseClock(final int partition, final long time)
    {
        assert active[partition] : "an event makes its partition active before it moves a clock: " + partition;
        final long before = clocks[partition];
        if (time <= before)
        {
            return false;
        }
        clocks[partition] = time;
        maxClock = Math.max(maxClock, time);
        if (before != minClock || --atMinClock > 0)
        {
            return false;
        }
        findMinClock();
        return true;
    }

    /** As {@link #raiseClock}, for the largest watermark event. */
    boolean raiseMark(final int partition, final long time)
    {
        assert active[partition] : "an event makes its partition active before it moves a mark: " + partition;
        final long before = marks[partition];
        if (time <= before)
        {
            return false;
        }
        marks[partition] = time;
        if (before != minMark || --atMinMark > 0)
        {
            return false;
        }
        findMinMark();
        return true;
    }

    void activate(final int partition)
    {
        active[partition] = true;
        activeCount++;
        findMinClock();
        findMinMark();
    }

    void idle(final int partition)
    {
        active[partition] = false;
        activeCount--;
        findMinClock();
        findMinMark();
    }

    /**
     * Moves {@code W} and {@code V} to what the partitions say now.
     *
     * @param otherWatermark the watermark of the other input where that is not all idle, else minus infinity; looked
     *                       at only while this input is all idle.
     */
    void update(final long otherWatermark)
    {
        if (activeCount == 0)
        {
            watermark = Math.max(watermark, Math.max(maxClock, otherWatermark));
        }
        else
        {
            watermark = Math.max(watermark, minClock);
            mark = Math.max(mark, minMark);
        }
    }

    /** Bytes that {@link #save} writes. */
    int savedLength()
    {
        return Long.BYTES * (2 + 3 * clocks.length);
    }

    /** Writes what the clock is made of; the rest follows from it. */
    void save(final MutableDirectBuffer to, final int offset)
    {
        to.putLong(offset, watermark, LITTLE_ENDIAN);
        to.putLong(offset + 8, mark, LITTLE_ENDIAN);
        int at = offset + 16;
        for (int partition = 0; partition < clocks.length; partition++)
        {
            to.putLong(at, clocks[partition], LITTLE_ENDIAN);
            to.putLong(at + 8, marks[partition], LITTLE_ENDIAN);
            to.putLong(at + 16, active[partition] ? 1 : 0, LITTLE_ENDIAN);
            at += 24;
        }
    }

    void restore(final DirectBuffer from, final int offset)
    {
        watermark = from.getLong(offset, LITTLE_ENDIAN);
        mark = from.getLong(offset + 8, LITTLE_ENDIAN);
        activeCount = 0;
        maxClock = Times.MINUS_INFINITY;
        int at = offset + 16;
        for (int partition = 0; partition < clocks.length; partition++)
        {
            clocks[partition] = from.getLong(at, LITTLE_ENDIAN);
            marks[partition] = from.getLong(at + 8, LITTLE_ENDIAN);
            active[partition] = from.getLong(at + 16, LITTLE_ENDIAN) != 0;
            activeCount += active[partition] ? 1 : 0;
            maxClock = Math.max(maxClock, clocks[partition]);
            at += 24;
        }
        findMinClock();
        findMinMark();
    }

    private void findMinClock()
    {
        long min = Times.PLUS_INFINITY;
        int atMin = 0;
        for (int partition = 0; partition < clocks.length; partition++)
        {
            if (active[partition] && clocks[partition] <= min)
            {
                atMin = clocks[partition] == min ? atMin + 1 : 1;
                min = clocks[partition];
            }
        }
        minClock = min;
        atMinClock = atMin;
    }

    private void findMinMark()
    {
        long min = Times.PLUS_INFINITY;
        int atMin = 0;
        for (int partition = 0; partition < marks.length; partition++)
        {
            if (active[partition] && marks[partition] <= min)
            {
                atMin = marks[partition] == min ? atMin + 1 : 1;
                min = marks[partition];
            }
        }
        minMark = min;
        atMinMark = atMin;
    }
}
