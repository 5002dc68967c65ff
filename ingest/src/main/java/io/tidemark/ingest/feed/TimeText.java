package io.tidemark.ingest.feed;

/**
 * Reads a time: whole nanoseconds since the epoch, or ISO-8601 with a zone and up to nine fractional digits
 * ({@code 2026-10-06T11:00:00.25Z}, {@code 2026-10-06 13:00+02:00}). Seconds may be left out; a space may stand for
 * the T. What is not a time of a calendar (a 30th of February, hour 24, second 60) is a problem, not a repair.
 * Makes no garbage where there is no problem.
 */
final class TimeText
{
    private static final String NOT_A_TIME =
        "is neither whole nanoseconds since the epoch nor ISO-8601 such as 2026-10-06T11:00:00Z";
    private static final String NO_ZONE = "has no zone: end it with Z or an offset such as +02:00";
    private static final String NOT_IN_CALENDAR = "is no time of the calendar";
    private static final String TOO_FINE = "has more than nine fractional digits";
    private static final String OUT_OF_RANGE = "is outside 1677-09-21 to 2262-04-11, what 64-bit nanoseconds hold";
    private static final String INFINITE = "is an impossible time";

    private static final long SECONDS_PER_DAY = 86_400;
    private static final long NS_PER_SECOND = 1_000_000_000L;

    private final WholeNumber wholeNumber = new WholeNumber();
    private byte[] bytes;
    private int at;
    private int end;
    private long timeNs;
    private String problem;

    /**
     * Reads a finite time: {@link Long#MIN_VALUE} and {@link Long#MAX_VALUE} are the infinities of the clocks.
     */
    boolean parse(final byte[] text, final int offset, final int length)
    {
        return parseAny(text, offset, length) &&
            ((timeNs != Long.MIN_VALUE && timeNs != Long.MAX_VALUE) || fail(INFINITE));
    }

    /**
     * As {@link #parse}, but plus infinity is allowed: what the watermark at the end of input says.
     */
    boolean parseWatermark(final byte[] text, final int offset, final int length)
    {
        return parseAny(text, offset, length) && (timeNs != Long.MIN_VALUE || fail(INFINITE));
    }

    long timeNs()
    {
        return timeNs;
    }

    String problem()
    {
        return problem;
    }

    private boolean parseAny(final byte[] text, final int offset, final int length)
    {
        bytes = text;
        at = offset;
        end = offset + length;
        if (isNumber(text, offset, length))
        {
            if (!wholeNumber.parse(text, offset, length))
            {
                return fail(wholeNumber.problem());
            }
            timeNs = wholeNumber.value();
            return true;
        }
        return parseIso();
    }

    private static boolean isNumber(final byte[] text, final int offset, final int length)
    {
        for (int i = length > 0 && text[offset] == '-' ? offset + 1 : offset; i < offset + length; i++)
        {
            if (text[i] < '0' || text[i] > '9')
            {
                return false;
            }
        }
        return length > 0;
    }

    private boolean parseIso()
    {
        final int year = digits(4);
        final int month = skip('-') ? digits(2) : -1;
        final int day = skip('-') ? digits(2) : -1;
        final int hour = skip('T') || skip(' ') ? digits(2) : -1;
        final int minute = skip(':') ? digits(2) : -1;
        if (year < 0 || month < 0 || day < 0 || hour < 0 || minute < 0)
        {
            return fail(NOT_A_TIME);
        }
        int second = 0;
        long fractionNs = 0;
        if (skip(':'))
        {
            second = digits(2);
            if (second < 0)
            {
                return fail(NOT_A_TIME);
            }
            if (skip('.'))
            {
                fractionNs = fraction();
                if (fractionNs < 0)
                {
                    return false;
                }
            }
        }
        if (month < 1 || month > 12 || day < 1 || day > daysOf(year, month) || hour > 23 || minute > 59 || second > 59)
        {
            return fail(NOT_IN_CALENDAR);
        }
        final int offsetSeconds = zone();
        if (offsetSeconds == Integer.MIN_VALUE)
        {
            return false;
        }
        final long seconds =
            epochDay(year, month, day) * SECONDS_PER_DAY + hour * 3_600L + minute * 60L + second - offsetSeconds;
        return toNs(seconds, fractionNs);
    }

    private boolean toNs(final long seconds, final long fractionNs)
    {
        // Before the epoch: count from the next second down, so that the very first nanoseconds do not overflow.
        final boolean borrow = seconds < 0 && fractionNs > 0;
        final long whole = borrow ? seconds + 1 : seconds;
        final long rest = borrow ? fractionNs - NS_PER_SECOND : fractionNs;
        final long limit = Long.MAX_VALUE / NS_PER_SECOND;
        if (whole > limit || whole < -limit)
        {
            return fail(OUT_OF_RANGE);
        }
        final long wholeNs = whole * NS_PER_SECOND;
        final long sumNs = wholeNs + rest;
        if (((wholeNs ^ sumNs) & (rest ^ sumNs)) < 0)
        {
            return fail(OUT_OF_RANGE);
        }
        timeNs = sumNs;
        return true;
    }

    /** The fraction in ns, or -1 with the problem set. */
    private long fraction()
    {
        long fractionNs = 0;
        int count = 0;
        while (at < end && bytes[at] >= '0' && bytes[at] <= '9')
        {
            if (++count > 9)
            {
                fail(TOO_FINE);
                return -1;
            }
            fractionNs = fractionNs * 10 + (bytes[at++] - '0');
        }
        if (count == 0)
        {
            fail(NOT_A_TIME);
            return -1;
        }
        for (; count < 9; count++)
        {
            fractionNs *= 10;
        }
        return fractionNs;
    }

    /** The zone's offset in seconds, or MIN_VALUE with the problem set. */
    private int zone()
    {
        if (at == end)
        {
            fail(NO_ZONE);
            return Integer.MIN_VALUE;
        }
        if (skip('Z'))
        {
            return endOr(0);
        }
        final boolean east = skip('+');
        if (!east && !skip('-'))
        {
            fail(NOT_A_TIME);
            return Integer.MIN_VALUE;
        }
        final int hours = digits(2);
        skip(':');
        final int minutes = at == end && bytes[at - 1] != ':' ? 0 : digits(2);
        if (hours < 0 || minutes < 0)
        {
            fail(NOT_A_TIME);
            return Integer.MIN_VALUE;
        }
        if (hours > 18 || minutes > 59 || (hours == 18 && minutes > 0))
        {
            fail(NOT_IN_CALENDAR);
            return Integer.MIN_VALUE;
        }
        final int seconds = hours * 3_600 + minutes * 60;
        return endOr(east ? seconds : -seconds);
    }

    private int endOr(final int offsetSeconds)
    {
        if (at == end)
        {
            return offsetSeconds;
        }
        fail(NOT_A_TIME);
        return Integer.MIN_VALUE;
    }

    private int digits(final int count)
    {
        if (at + count > end)
        {
            return -1;
        }
        int sum = 0;
        for (int i = 0; i < count; i++)
        {
            final int digit = bytes[at + i] - '0';
            if (digit < 0 || digit > 9)
            {
                return -1;
            }
            sum = sum * 10 + digit;
        }
        at += count;
        return sum;
    }

    private boolean skip(final char expected)
    {
        final boolean isThere = at < end && bytes[at] == expected;
        at += isThere ? 1 : 0;
        return isThere;
    }

    private static int daysOf(final int year, final int month)
    {
        return switch (month)
        {
            case 2 -> year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28;
            case 4, 6, 9, 11 -> 30;
            default -> 31;
        };
    }

    /** Days since 1970-01-01 of the proleptic Gregorian calendar; years begin in March, so leap days come last. */
    private static long epochDay(final int year, final int month, final int day)
    {
        final int y = month <= 2 ? year - 1 : year;
        final int monthFromMarch = (month + 9) % 12;
        final int dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1;
        return 365L * y + Math.floorDiv(y, 4) - Math.floorDiv(y, 100) + Math.floorDiv(y, 400) + dayOfYear - 719_468;
    }

    private boolean fail(final String reason)
    {
        problem = reason;
        return false;
    }
}
