package io.tidemark.sink.export;

import java.time.Instant;

import io.tidemark.operator.spec.Times;

/**
 * Times and clocks as exports show them.
 */
public final class TimeText
{
    private static final long NANOS = 1_000_000_000L;

    private TimeText()
    {
    }

    /**
     * An event time or arrival.
     *
     * @param time nanoseconds since the epoch.
     * @return ISO-8601 UTC with 0, 3, 6 or 9 fractional digits.
     */
    public static String ofTime(final long time)
    {
        return Instant.ofEpochSecond(Math.floorDiv(time, NANOS), Math.floorMod(time, NANOS)).toString();
    }

    /**
     * A clock, or the time of a watermark event.
     *
     * @param clock nanoseconds since the epoch, or an infinity.
     * @return null for a clock that has not started, {@code end} for one at the end of input, otherwise its time.
     */
    public static String ofClock(final long clock)
    {
        if (clock == Times.MINUS_INFINITY)
        {
            return null;
        }
        return clock == Times.PLUS_INFINITY ? "end" : ofTime(clock);
    }
}
