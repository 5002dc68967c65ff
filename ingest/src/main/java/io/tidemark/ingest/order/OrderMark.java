package io.tidemark.ingest.order;

import java.util.Arrays;

/**
 * A place in the order, after a position, with what whoever goes on from there has to know of what came before it. So
 * nobody has to read the order from its beginning. Immutable.
 */
public final class OrderMark
{
    private final long position;
    private final long[] ordered;
    private final long requests;
    private final long arrivalNow;
    private final long[] lastArrivals;

    /**
     * @param position     after which it stands.
     * @param ordered      per source, how many of its records have a position up to that one.
     * @param requests     how many records of the control log were taken into the order, or passed over, up to there.
     * @param arrivalNow   largest arrival or tick up to there, nanoseconds since the epoch.
     * @param lastArrivals per source, {@code arrivalNow} at its last event; of one without an event, at the first of
     *                     all.
     */
    public OrderMark(
        final long position,
        final long[] ordered,
        final long requests,
        final long arrivalNow,
        final long[] lastArrivals)
    {
        this.position = position;
        this.ordered = ordered.clone();
        this.requests = requests;
        this.arrivalNow = arrivalNow;
        this.lastArrivals = lastArrivals.clone();
    }

    /**
     * @param sources number of sources.
     * @return the place before position 1.
     */
    public static OrderMark start(final int sources)
    {
        final long[] none = new long[sources];
        Arrays.fill(none, IdleTracker.NOT_STARTED);
        return new OrderMark(0, new long[sources], 0, IdleTracker.NOT_STARTED, none);
    }

    /**
     * @return the position after which it stands, 0 before position 1.
     */
    public long position()
    {
        return position;
    }

    /**
     * @param source ordinal.
     * @return how many of its records have a position up to there.
     */
    public long ordered(final int source)
    {
        return ordered[source];
    }

    /**
     * @return per source, how many of its records have a position up to there.
     */
    public long[] ordered()
    {
        return ordered.clone();
    }

    /**
     * @return how many records of the control log are behind it.
     */
    public long requests()
    {
        return requests;
    }

    long arrivalNow()
    {
        return arrivalNow;
    }

    long lastArrival(final int source)
    {
        return lastArrivals[source];
    }
}
