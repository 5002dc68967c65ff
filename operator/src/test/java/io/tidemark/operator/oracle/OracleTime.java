package io.tidemark.operator.oracle;

import java.math.BigInteger;

/**
 * Arithmetic of clocks: the ends of the long range are the infinities, finite results saturate just inside them.
 * Durations are not negative.
 */
final class OracleTime
{
    static final long MINUS_INFINITY = Long.MIN_VALUE;
    static final long PLUS_INFINITY = Long.MAX_VALUE;

    private OracleTime()
    {
    }

    static long plus(final long time, final long duration)
    {
        final long exactUnlessSmaller = time + duration;
        return isInfinite(time) ? time :
            exactUnlessSmaller < time ? PLUS_INFINITY - 1 : Math.min(exactUnlessSmaller, PLUS_INFINITY - 1);
    }

    static long minus(final long time, final long duration)
    {
        final long exactUnlessLarger = time - duration;
        return isInfinite(time) ? time :
            exactUnlessLarger > time ? MINUS_INFINITY + 1 : Math.max(exactUnlessLarger, MINUS_INFINITY + 1);
    }

    /** The exact distance of two finite times compared with a duration. */
    static boolean furtherApartThan(final long duration, final long a, final long b)
    {
        return BigInteger.valueOf(a).subtract(BigInteger.valueOf(b)).abs().compareTo(BigInteger.valueOf(duration)) > 0;
    }

    private static boolean isInfinite(final long time)
    {
        return time == MINUS_INFINITY || time == PLUS_INFINITY;
    }
}
