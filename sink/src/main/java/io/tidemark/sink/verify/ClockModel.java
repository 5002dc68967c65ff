package io.tidemark.sink.verify;

import java.util.Arrays;

import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;

/**
 * Section 3 of SEMANTICS.md, written down the plain way: after every step everything is computed anew from the
 * partitions. Feeds each state to a {@link ClockHistory}.
 */
final class ClockModel
{
    private static final long NOT_STARTED = Times.MINUS_INFINITY;

    private final PipelineSpec spec;
    private final Topology topology;
    private final WatermarkSpec settings;
    private final ClockHistory history;
    private final long[] partitionClock;
    private final long[] promise;
    private final long[] lastArrival;
    private final boolean[] isIdle;
    private final long[] watermark = {NOT_STARTED, NOT_STARTED};
    private final long[] promised = {NOT_STARTED, NOT_STARTED};
    private long arrivalNow = NOT_STARTED;

    ClockModel(final PipelineSpec spec, final ClockHistory history)
    {
        this.spec = spec;
        this.history = history;
        topology = spec.topology();
        settings = spec.watermark();
        partitionClock = new long[topology.sources()];
        promise = new long[topology.sources()];
        lastArrival = new long[topology.sources()];
        isIdle = new boolean[topology.sources()];
        Arrays.fill(partitionClock, NOT_STARTED);
        Arrays.fill(promise, NOT_STARTED);
    }

    /** An event is next: idleness comes first, then its partition is active. */
    void before(final LoggedEvent event)
    {
        if (arrivalNow == NOT_STARTED)
        {
            arrivalNow = event.arrival();
            Arrays.fill(lastArrival, arrivalNow);
        }
        arrivalNow = Math.max(arrivalNow, event.arrival());
        passDeadlines();
        if (isIdle[event.source()])
        {
            isIdle[event.source()] = false;
            recompute();
            history.changed(this);
        }
        lastArrival[event.source()] = arrivalNow;
        history.before(this);
    }

    /** The event has been judged: its own effect on the clocks. */
    void after(final LoggedEvent event, final boolean isValid)
    {
        final int source = event.source();
        if (isValid && event.kind() == LoggedEvent.UPSERT)
        {
            final long reached = Times.minus(event.time(), settings.delayNs());
            partitionClock[source] = Math.max(partitionClock[source], reached);
        }
        final boolean isPromise = isValid && event.kind() == LoggedEvent.WATERMARK;
        if (isPromise)
        {
            partitionClock[source] = Math.max(partitionClock[source], event.time());
            promise[source] = Math.max(promise[source], event.time());
        }
        recompute();
        if (isPromise)
        {
            history.changed(this);
        }
        history.after(this);
    }

    /** Time passes without an event. */
    void tick(final long nowNs)
    {
        if (arrivalNow != NOT_STARTED)
        {
            arrivalNow = Math.max(arrivalNow, nowNs);
            passDeadlines();
        }
        history.before(this);
        history.after(this);
    }

    private void passDeadlines()
    {
        if (settings.idleAfterNs() == WatermarkSpec.NEVER)
        {
            return;
        }
        // No deadline is left when all are idle: then the next one is at the end of time.
        for (long next = nextDeadline(); next <= arrivalNow; next = nextDeadline())
        {
            for (int source = 0; source < isIdle.length; source++)
            {
                isIdle[source] |= deadline(source) <= next;
            }
            recompute();
            history.changed(this);
        }
    }

    private long nextDeadline()
    {
        long next = Long.MAX_VALUE;
        for (int source = 0; source < isIdle.length; source++)
        {
            if (!isIdle[source])
            {
                next = Math.min(next, deadline(source));
            }
        }
        return next;
    }

    private long deadline(final int source)
    {
        return Times.plus(Times.plus(lastArrival[source], settings.idleAfterNs()), 1);
    }

    private void recompute()
    {
        final boolean[] isQuiet = {sideIsIdle(0), sideIsIdle(1)};
        for (int side = 0; side < 2; side++)
        {
            promised[side] = Math.max(promised[side], minimumOfActive(side, promise));
            if (!isQuiet[side])
            {
                watermark[side] = Math.max(watermark[side], minimumOfActive(side, partitionClock));
            }
        }
        for (int side = 0; side < 2; side++)
        {
            if (isQuiet[side])
            {
                long reached = maximum(side, partitionClock);
                if (!isQuiet[1 - side])
                {
                    reached = Math.max(reached, watermark[1 - side]);
                }
                watermark[side] = Math.max(watermark[side], reached);
            }
        }
    }

    private boolean sideIsIdle(final int side)
    {
        for (int source = 0; source < isIdle.length; source++)
        {
            if (sideOf(source) == side && !isIdle[source])
            {
                return false;
            }
        }
        return true;
    }

    private long minimumOfActive(final int side, final long[] clocks)
    {
        long minimum = Long.MAX_VALUE;
        boolean isEmpty = true;
        for (int source = 0; source < isIdle.length; source++)
        {
            if (sideOf(source) == side && !isIdle[source])
            {
                minimum = Math.min(minimum, clocks[source]);
                isEmpty = false;
            }
        }
        return isEmpty ? NOT_STARTED : minimum;
    }

    private long maximum(final int side, final long[] clocks)
    {
        long maximum = NOT_STARTED;
        for (int source = 0; source < isIdle.length; source++)
        {
            if (sideOf(source) == side)
            {
                maximum = Math.max(maximum, clocks[source]);
            }
        }
        return maximum;
    }

    int sideOf(final int source)
    {
        return spec.side(topology.streamOf(source));
    }

    int sources()
    {
        return isIdle.length;
    }

    boolean isActive(final int source)
    {
        return !isIdle[source];
    }

    long partitionClock(final int source)
    {
        return partitionClock[source];
    }

    /** Largest watermark event of a partition. */
    long promise(final int source)
    {
        return promise[source];
    }

    /** {@code W(s)}. */
    long watermark(final int side)
    {
        return watermark[side];
    }

    /** {@code F(s)} of key scope; the watermark itself in scope partition. */
    long fallback(final int side)
    {
        if (!settings.keyScoped())
        {
            return watermark[side];
        }
        return Math.max(Times.minus(watermark[side], settings.keySkewNs()), promised[side]);
    }
}
