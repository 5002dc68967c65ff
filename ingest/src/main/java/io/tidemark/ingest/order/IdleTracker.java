package io.tidemark.ingest.order;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.LogTailer;

import java.util.Arrays;

/**
 * Knows when a tick would make a source idle that is not (SEMANTICS.md section 3): the sequencer's share of what the
 * clocks know. It sees arrivals only.
 */
final class IdleTracker
{
    static final long NEVER = Long.MAX_VALUE;

    /**
     * For who keeps a deadline: it has to be asked for.
     */
    static final long UNKNOWN = Long.MIN_VALUE;

    static final long NOT_STARTED = Long.MIN_VALUE;

    private final long idleAfterNs;
    private final long[] lastArrivals;
    private long firstArrivalNow = NOT_STARTED;
    private long arrivalNow = NOT_STARTED;

    /**
     * @param sources     number of sources.
     * @param idleAfterNs {@link #NEVER} where it is not set.
     */
    IdleTracker(final int sources, final long idleAfterNs)
    {
        this.idleAfterNs = idleAfterNs;
        lastArrivals = new long[sources];
        Arrays.fill(lastArrivals, NOT_STARTED);
    }

    /**
     * Takes up what the order log holds already, from the last ordered arrival of each source. Where a source's last
     * arrival went back behind others' this is earlier than the truth, and a tick may come that makes nobody idle: it
     * takes a position and does nothing.
     */
    void recover(final OrderProgress progress, final SourceLogs sources)
    {
        final OrderMark mark = progress.mark();
        arrivalNow = mark.arrivalNow();
        if (arrivalNow == NOT_STARTED && progress.firstSource() >= 0)
        {
            firstArrivalNow = arrivalOf(sources, progress.firstSource(), mark.ordered(progress.firstSource()));
        }
        for (int source = 0; source < lastArrivals.length; source++)
        {
            lastArrivals[source] = mark.lastArrival(source);
            if (progress.ordered(source) > mark.ordered(source))
            {
                lastArrivals[source] = arrivalOf(sources, source, progress.ordered(source) - 1);
                arrivalNow = Math.max(arrivalNow, lastArrivals[source]);
            }
        }
        arrivalNow = Math.max(arrivalNow, progress.lastTickNs());
    }

    private static long arrivalOf(final SourceLogs sources, final int source, final long number)
    {
        try (LogTailer tailer = sources.tailer(source))
        {
            tailer.moveBefore(number);
            return tailer.poll() ? EventView.arrival(tailer.buffer(), tailer.offset()) : NOT_STARTED;
        }
    }

    /**
     * The event was ordered.
     */
    void onEvent(final int source, final long arrival)
    {
        if (arrival > arrivalNow)
        {
            if (arrivalNow == NOT_STARTED)
            {
                firstArrivalNow = arrival;
            }
            arrivalNow = arrival;
        }
        lastArrivals[source] = arrivalNow;
    }

    void onTick(final long nowNs)
    {
        arrivalNow = Math.max(arrivalNow, nowNs);
    }

    /**
     * @return the earliest deadline that has not passed yet, {@link #NEVER} where there is none.
     */
    long nextDeadline()
    {
        long earliest = NEVER;
        if (idleAfterNs != NEVER && arrivalNow != NOT_STARTED)
        {
            for (final long last : lastArrivals)
            {
                final long deadline = deadline(last == NOT_STARTED ? firstArrivalNow : last);
                if (deadline > arrivalNow && deadline < earliest)
                {
                    earliest = deadline;
                }
            }
        }
        return earliest;
    }

    private long deadline(final long lastArrival)
    {
        final long deadline = lastArrival + idleAfterNs;
        // Saturates: idleAfterNs is not negative. MAX_VALUE is never reached by a clock.
        return deadline < lastArrival || deadline == NEVER ? NEVER : deadline + 1;
    }
}
