package io.tidemark.ingest.event;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes arrivals strictly increasing within one ingest run, over all its sources: one that does not grow is raised to
 * the last plus 1 ns (SEMANTICS.md section 1). A new run starts anew, with whatever arrival comes first: the stored
 * arrivals of a log may go back between two runs, and nobody minds, since a source is read in the order of its log. May
 * be shared by threads.
 */
public final class ArrivalClock
{
    private final AtomicLong lastNs = new AtomicLong(Long.MIN_VALUE);

    /**
     * @param arrivalNs proposed.
     * @return the arrival to store: the one proposed, or the last plus 1 ns where that is greater.
     * @throws IllegalStateException when there is no greater one: {@link Long#MAX_VALUE} is an infinity, not a time.
     */
    public long next(final long arrivalNs)
    {
        long last;
        long next;
        do
        {
            last = lastNs.get();
            next = Math.max(arrivalNs, last + 1);
            if (next == Long.MAX_VALUE)
            {
                throw new IllegalStateException("no possible arrival is greater than the last one, which was " + last);
            }
        }
        while (!lastNs.compareAndSet(last, next));
        return next;
    }

    /**
     * @return the largest arrival of this run, {@link Long#MIN_VALUE} before the first.
     */
    public long lastNs()
    {
        return lastNs.get();
    }
}
