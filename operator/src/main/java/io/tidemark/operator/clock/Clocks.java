package io.tidemark.operator.clock;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.util.Arrays;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * All clocks that are a function of the order and of each event alone (SEMANTICS.md section 3): partition clocks
 * {@code P}, which partitions are idle, watermarks {@code W}, and for scope {@code key} the marks {@code V} and the
 * fallback {@code F}. Every worker and every tool that reads the same order sees the same ones.
 * <p>
 * For each event, in this order:
 * <ol>
 * <li>{@link #nextDeadline} until it returns false: idle deadlines up to the arrival pass in order of time, equal ones
 *     together, and the watermarks follow after each group;</li>
 * <li>{@link #activate}: the event's partition is active at once, with its old clock. Its own input's watermark cannot
 *     rise by that, but {@code V} can, and so can the other input's watermark, when that is all idle and this one was:
 *     they do, before the event is looked at;</li>
 * <li>steps 1 to 4 of section 4 read the clocks;</li>
 * <li>step 5: {@link #afterValidUpsert} or {@link #afterWatermark}. Other events move no clock there.</li>
 * </ol>
 * {@link #beforeEvent} is 1 and 2 for those who need no look between two deadlines.
 * <p>
 * <b>Two inputs.</b> An input with an active partition follows its own partitions only; one that is all idle follows
 * the largest of them and the other input's watermark, unless that is all idle too. So at most one input looks at the
 * other and never both at one another: the one that is not all idle is updated first, and a second round would change
 * nothing.
 * <p>
 * Times are nanoseconds; {@link Times#MINUS_INFINITY} is a clock that has not started. Single-threaded. No method
 * allocates. An event costs a constant number of steps except when its partition alone held its input back or a
 * deadline is near; then it costs one pass over the partitions.
 */
public final class Clocks
{
    private final int[] sides;
    private final int[] partitions;
    private final InputClock[] inputs;
    private final boolean joint;
    private final boolean keyScoped;
    private final long delayNs;
    private final long idleAfterNs;
    private final long keySkewNs;

    private final long[] lastArrivals;
    private long arrivalNow = Times.MINUS_INFINITY;
    private boolean started;
    private long activityChanges;

    /** No active partition has a deadline before this. Grows stale when partitions deliver, but never too late. */
    private long deadlineFloor = Times.PLUS_INFINITY;

    /**
     * Creates clocks that have not started.
     *
     * @param sideOfSource the input that each source belongs to, 0 or 1; the sources of one input in partition order.
     * @param inputs       how many inputs there are: two for a join, one for sessions.
     * @param spec         delay, idleness and scope.
     * @param joint        true when both inputs are judged by the smaller of the two clocks.
     */
    public Clocks(final int[] sideOfSource, final int inputs, final WatermarkSpec spec, final boolean joint)
    {
        this.sides = sideOfSource.clone();
        this.partitions = new int[sides.length];
        this.inputs = new InputClock[inputs];
        for (int side = 0; side < inputs; side++)
        {
            int count = 0;
            for (int source = 0; source < sides.length; source++)
            {
                if (sides[source] == side)
                {
                    partitions[source] = count++;
                }
            }
            this.inputs[side] = new InputClock(count);
        }
        this.joint = joint;
        this.keyScoped = spec.keyScoped();
        this.delayNs = spec.delayNs();
        this.idleAfterNs = spec.idleAfterNs();
        this.keySkewNs = spec.keySkewNs();
        this.lastArrivals = new long[sides.length];
        Arrays.fill(lastArrivals, Times.MINUS_INFINITY);
    }

    /**
     * The clocks of a pipeline.
     *
     * @param spec of the pipeline.
     * @return clocks that have not started.
     */
    public static Clocks of(final PipelineSpec spec)
    {
        final int[] sideOfSource = new int[spec.topology().sources()];
        for (int source = 0; source < sideOfSource.length; source++)
        {
            sideOfSource[source] = spec.side(spec.topology().streamOf(source));
        }
        return new Clocks(sideOfSource, spec.rule().inputs(), spec.watermark(), spec.rule().joint());
    }

    /**
     * Brings idleness up to date before an event is looked at: all deadlines up to its arrival pass, then its
     * partition is active.
     *
     * @param source  of the event.
     * @param arrival of the event.
     */
    public void beforeEvent(final int source, final long arrival)
    {
        while (nextDeadline(arrival))
        {
            // each group moves the watermarks before the next one passes
        }
        activate(source, arrival);
    }

    /**
     * Passes the earliest idle deadline that is not later than an arrival, and all that are equal to it.
     *
     * @param arrival of the event that comes next, or the time of a tick.
     * @return true when partitions became idle; the watermarks have followed.
     */
    public boolean nextDeadline(final long arrival)
    {
        final long now = Math.max(arrivalNow, arrival);
        return now >= deadlineFloor && passDeadline(now);
    }

    /**
     * Makes the partition of an event active, with its old clock.
     *
     * @param source  of the event.
     * @param arrival of the event.
     */
    public void activate(final int source, final long arrival)
    {
        arrivalNow = Math.max(arrivalNow, arrival);
        if (!started)
        {
            // partitions that have not delivered count from the pipeline's first event
            started = true;
            Arrays.fill(lastArrivals, arrivalNow);
            deadlineFloor = deadline(arrivalNow);
        }
        lastArrivals[source] = arrivalNow;
        final InputClock input = inputs[sides[source]];
        if (!input.isActive(partitions[source]))
        {
            input.activate(partitions[source]);
            activityChanges++;
            update();
            deadlineFloor = Math.min(deadlineFloor, deadline(arrivalNow));
        }
    }

    /**
     * Passes all deadlines up to a tick of the wall clock.
     *
     * @param nowNs of the tick.
     */
    public void tick(final long nowNs)
    {
        while (nextDeadline(nowNs))
        {
            // as in beforeEvent
        }
        arrivalNow = Math.max(arrivalNow, nowNs);
    }

    /**
     * Step 5 for a valid upsert, whatever became of it.
     *
     * @param source of the event.
     * @param time   of the event.
     */
    public void afterValidUpsert(final int source, final long time)
    {
        if (inputs[sides[source]].raiseClock(partitions[source], Times.minus(time, delayNs)))
        {
            update();
        }
    }

    /**
     * Step 5 for a watermark event.
     *
     * @param source of the event.
     * @param time   of the event; plus infinity is the end of input.
     */
    public void afterWatermark(final int source, final long time)
    {
        final InputClock input = inputs[sides[source]];
        final boolean clockMoved = input.raiseClock(partitions[source], time);
        final boolean markMoved = input.raiseMark(partitions[source], time);
        if (clockMoved || markMoved)
        {
            update();
        }
    }

    /**
     * The watermark {@code W} of an input.
     *
     * @param side of the input.
     * @return nanoseconds; never goes back.
     */
    public long watermark(final int side)
    {
        return inputs[side].watermark();
    }

    /**
     * What a key without clocks of its own goes by: {@code F} in scope key, {@code W} in scope partition.
     *
     * @param side of the input.
     * @return nanoseconds; never goes back.
     */
    public long fallback(final int side)
    {
        final InputClock input = inputs[side];
        return keyScoped ?
            Math.max(Times.minus(input.watermark(), keySkewNs), input.mark()) :
            input.watermark();
    }

    /**
     * The acceptance clock {@code A} that follows from {@link #fallback}: that of the input alone, or the smaller of
     * both.
     *
     * @param side of the input.
     * @return nanoseconds; never goes back.
     */
    public long acceptance(final int side)
    {
        return joint && inputs.length == 2 ? Math.min(fallback(0), fallback(1)) : fallback(side);
    }

    /**
     * The clock {@code P} of a partition.
     *
     * @param source of the partition.
     * @return nanoseconds; never goes back.
     */
    public long partitionClock(final int source)
    {
        return inputs[sides[source]].clock(partitions[source]);
    }

    /**
     * The largest watermark event of a partition.
     *
     * @param source of the partition.
     * @return nanoseconds, minus infinity when it has sent none.
     */
    public long largestWatermarkEvent(final int source)
    {
        return inputs[sides[source]].mark(partitions[source]);
    }

    /**
     * Whether a partition takes part in its input's minimum.
     *
     * @param source of the partition.
     * @return false while it is idle.
     */
    public boolean isActive(final int source)
    {
        return inputs[sides[source]].isActive(partitions[source]);
    }

    /**
     * Whether no partition of an input is active.
     *
     * @param side of the input.
     * @return true when its watermark may follow the other input.
     */
    public boolean isAllIdle(final int side)
    {
        return inputs[side].isAllIdle();
    }

    /**
     * How many inputs there are.
     *
     * @return two for a join, one for sessions.
     */
    public int inputs()
    {
        return inputs.length;
    }

    /**
     * The input that a source belongs to.
     *
     * @param source of the partition.
     * @return its side.
     */
    public int side(final int source)
    {
        return sides[source];
    }

    /**
     * Changes whenever a partition became idle or active, so that owners of key clocks know when to look at them.
     *
     * @return number of changes so far.
     */
    public long activityChanges()
    {
        return activityChanges;
    }

    /**
     * The largest arrival in the order so far, or tick.
     *
     * @return nanoseconds, minus infinity before the first.
     */
    public long arrivalNow()
    {
        return arrivalNow;
    }

    /**
     * {@link #arrivalNow} at the last event of a partition; of one that has not delivered, at the pipeline's first.
     *
     * @param source of the partition.
     * @return nanoseconds, minus infinity before the first event.
     */
    public long lastArrival(final int source)
    {
        return lastArrivals[source];
    }

    /**
     * Writes what the clocks are made of, as stands between two positions: the same order gives the same bytes.
     *
     * @param to     written to.
     * @param offset from where on.
     * @return bytes written.
     */
    public int save(final MutableDirectBuffer to, final int offset)
    {
        to.putLong(offset, started ? 1 : 0, LITTLE_ENDIAN);
        to.putLong(offset + 8, arrivalNow, LITTLE_ENDIAN);
        to.putLong(offset + 16, activityChanges, LITTLE_ENDIAN);
        int at = offset + 24;
        for (final long lastArrival : lastArrivals)
        {
            to.putLong(at, lastArrival, LITTLE_ENDIAN);
            at += Long.BYTES;
        }
        for (final InputClock input : inputs)
        {
            input.save(to, at);
            at += input.savedLength();
        }
        return at - offset;
    }

    /**
     * Goes back to clocks that were saved under the same specification.
     *
     * @param from   written by {@link #save}.
     * @param offset from where on.
     * @return bytes read.
     */
    public int restore(final DirectBuffer from, final int offset)
    {
        started = from.getLong(offset, LITTLE_ENDIAN) != 0;
        arrivalNow = from.getLong(offset + 8, LITTLE_ENDIAN);
        activityChanges = from.getLong(offset + 16, LITTLE_ENDIAN);
        int at = offset + 24;
        for (int source = 0; source < lastArrivals.length; source++)
        {
            lastArrivals[source] = from.getLong(at, LITTLE_ENDIAN);
            at += Long.BYTES;
        }
        for (final InputClock input : inputs)
        {
            input.restore(from, at);
            at += input.savedLength();
        }
        deadlineFloor = started ? earliestDeadline() : Times.PLUS_INFINITY;
        return at - offset;
    }

    private long earliestDeadline()
    {
        long earliest = Times.PLUS_INFINITY;
        for (int source = 0; source < sides.length; source++)
        {
            if (isActive(source))
            {
                earliest = Math.min(earliest, deadline(lastArrivals[source]));
            }
        }
        return earliest;
    }

    private boolean passDeadline(final long now)
    {
        final long earliest = earliestDeadline();
        deadlineFloor = earliest;
        if (earliest > now || earliest == Times.PLUS_INFINITY)
        {
            return false;
        }
        for (int source = 0; source < sides.length; source++)
        {
            if (isActive(source) && deadline(lastArrivals[source]) == earliest)
            {
                inputs[sides[source]].idle(partitions[source]);
            }
        }
        activityChanges++;
        update();
        return true;
    }

    private long deadline(final long lastArrival)
    {
        return idleAfterNs == WatermarkSpec.NEVER ?
            Times.PLUS_INFINITY :
            Times.plus(Times.plus(lastArrival, idleAfterNs), 1);
    }

    private void update()
    {
        if (inputs.length == 1)
        {
            inputs[0].update(Times.MINUS_INFINITY);
            return;
        }
        final InputClock first = inputs[0].isAllIdle() ? inputs[1] : inputs[0];
        final InputClock second = first == inputs[0] ? inputs[1] : inputs[0];
        first.update(Times.MINUS_INFINITY);
        second.update(first.isAllIdle() ? Times.MINUS_INFINITY : first.watermark());
    }
}
