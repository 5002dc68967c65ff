package io.tidemark.sink.verify;

import java.util.Arrays;
import java.util.List;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;

/**
 * The acceptance clocks {@code A(s)} as one key sees them. In scope {@code partition} they are the history's; in scope
 * {@code key} they also follow what was accepted of the key, from one change of the partitions to the next. Positions
 * are visited in order, each first before and then after its event.
 */
final class KeyClocks
{
    private static final long NONE = Times.MINUS_INFINITY;

    private final PipelineSpec spec;
    private final ClockHistory history;
    private final List<ClockHistory.Change> changes;
    private final boolean[] isHeld = new boolean[2];
    private final long[] clock = {NONE, NONE};
    private final long[] fallback = {NONE, NONE};
    private final long[] reached;
    private final boolean[] everActive;
    private final long[] noPromise;
    private int nextChange;

    KeyClocks(final PipelineSpec spec, final ClockHistory history)
    {
        this.spec = spec;
        this.history = history;
        changes = history.changes();
        final int sources = spec.topology().sources();
        reached = new long[sources];
        everActive = new boolean[sources];
        noPromise = new long[sources];
        Arrays.fill(reached, NONE);
        Arrays.fill(everActive, true);
        Arrays.fill(noPromise, NONE);
    }

    /** Clocks as the event at a position was judged. */
    void moveBefore(final long position)
    {
        passChanges(ClockHistory.momentBefore(position));
        for (int side = 0; side < 2; side++)
        {
            fallback[side] = history.fallbackBefore(side, position);
            forgetWhenReached(side);
        }
    }

    /**
     * Clocks after the position's step 5.
     *
     * @param position       of an event of this key.
     * @param acceptedSource source of an accepted upsert, or -1.
     * @param time           its time.
     */
    void moveAfter(final long position, final int acceptedSource, final long time)
    {
        if (spec.watermark().keyScoped() && acceptedSource >= 0)
        {
            final long moved = Times.minus(time, spec.watermark().delayNs());
            reached[acceptedSource] = Math.max(reached[acceptedSource], moved);
            isHeld[sideOf(acceptedSource)] = true;
        }
        passChanges(ClockHistory.momentAfter(position));
        for (int side = 0; side < 2; side++)
        {
            fallback[side] = history.fallbackAfter(side, position);
            recompute(side, active(), promise());
        }
    }

    /** Clocks after the last position of all. */
    void moveToEnd()
    {
        if (history.position() > 0)
        {
            moveAfter(history.position(), -1, NONE);
        }
    }

    /** {@code A(s)}. */
    long acceptance(final int side)
    {
        return spec.rule().joint() && spec.rule().inputs() == 2 ?
            Math.min(watermark(0), watermark(1)) : watermark(side);
    }

    /** Whether the key has a clock of its own for a side. */
    boolean holds(final int side)
    {
        return isHeld[side];
    }

    private long watermark(final int side)
    {
        return isHeld[side] ? Math.max(clock[side], fallback[side]) : fallback[side];
    }

    private void passChanges(final long moment)
    {
        if (!isHeld[0] && !isHeld[1])
        {
            nextChange = Math.max(nextChange, firstAfter(moment));
            return;
        }
        while (nextChange < changes.size() && changes.get(nextChange).moment <= moment)
        {
            final ClockHistory.Change change = changes.get(nextChange++);
            for (int side = 0; side < 2; side++)
            {
                fallback[side] = change.earlier[side];
                forgetWhenReached(side);
                fallback[side] = change.fallback[side];
                recompute(side, change.active, change.promise);
            }
        }
    }

    private int firstAfter(final long moment)
    {
        int low = 0;
        int high = changes.size();
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (changes.get(middle).moment <= moment)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low;
    }

    private void recompute(final int side, final boolean[] active, final long[] promise)
    {
        if (isHeld[side])
        {
            long minimum = Long.MAX_VALUE;
            boolean isEmpty = true;
            for (int source = 0; source < reached.length; source++)
            {
                if (reached[source] != NONE && sideOf(source) == side && active[source])
                {
                    minimum = Math.min(minimum, Math.max(reached[source], promise[source]));
                    isEmpty = false;
                }
            }
            clock[side] = Math.max(clock[side], isEmpty ? NONE : minimum);
            forgetWhenReached(side);
        }
    }

    private void forgetWhenReached(final int side)
    {
        if (isHeld[side] && fallback[side] >= clock[side])
        {
            isHeld[side] = false;
            clock[side] = NONE;
            for (int source = 0; source < reached.length; source++)
            {
                if (sideOf(source) == side)
                {
                    reached[source] = NONE;
                }
            }
        }
    }

    private boolean[] active()
    {
        return nextChange == 0 ? everActive : changes.get(nextChange - 1).active;
    }

    private long[] promise()
    {
        return nextChange == 0 ? noPromise : changes.get(nextChange - 1).promise;
    }

    private int sideOf(final int source)
    {
        return spec.side(spec.topology().streamOf(source));
    }
}
