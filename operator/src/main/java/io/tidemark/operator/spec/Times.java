package io.tidemark.operator.spec;

/**
 * Arithmetic on event times and clocks, signed 64-bit nanoseconds since the Unix epoch (SEMANTICS.md, opening).
 * The two ends of the range are the infinities, so every finite time lies in between and one comparison of longs
 * orders times and clocks alike. Finite results saturate just inside the infinities; an infinity less anything is
 * itself.
 */
public final class Times
{
    /** A clock that has not started. No event has this time. */
    public static final long MINUS_INFINITY = Long.MIN_VALUE;

    /** A clock at the end of input. No event has this time, but a watermark event that ends its input carries it. */
    public static final long PLUS_INFINITY = Long.MAX_VALUE;

    /** The smallest finite time. */
    public static final long MIN = Long.MIN_VALUE + 1;

    /** The largest finite time. */
    public static final long MAX = Long.MAX_VALUE - 1;

    private Times()
    {
    }

    /**
     * Adds a duration to a time.
     *
     * @param time       a finite time or an infinity.
     * @param durationNs not negative.
     * @return the saturated sum.
     */
    public static long plus(final long time, final long durationNs)
    {
        if (time == MINUS_INFINITY || time == PLUS_INFINITY)
        {
            return time;
        }
        final long sum = time + durationNs;
        return sum < time || sum > MAX ? MAX : sum;
    }

    /**
     * Takes a duration off a time.
     *
     * @param time       a finite time or an infinity.
     * @param durationNs not negative.
     * @return the saturated difference.
     */
    public static long minus(final long time, final long durationNs)
    {
        if (time == MINUS_INFINITY || time == PLUS_INFINITY)
        {
            return time;
        }
        final long difference = time - durationNs;
        return difference > time || difference < MIN ? MIN : difference;
    }

    /**
     * Tells whether a value can be the time of an event.
     *
     * @param time any long.
     * @return false for the two infinities.
     */
    public static boolean isFinite(final long time)
    {
        return time != MINUS_INFINITY && time != PLUS_INFINITY;
    }
}
