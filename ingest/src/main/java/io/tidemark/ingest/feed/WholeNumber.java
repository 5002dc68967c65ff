package io.tidemark.ingest.feed;

/**
 * Reads a signed 64-bit whole number in decimal digits. One of {@link #value()} and {@link #problem()} holds after
 * {@link #parse}. Makes no garbage where there is no problem.
 */
final class WholeNumber
{
    private static final String NOT_WHOLE = "is not a whole number";
    private static final String TOO_LARGE = "is outside the signed 64-bit range";

    private long value;
    private String problem;

    boolean parse(final byte[] bytes, final int offset, final int length)
    {
        final boolean negative = length > 0 && bytes[offset] == '-';
        final int end = offset + length;
        int i = negative ? offset + 1 : offset;
        if (i == end)
        {
            return fail(NOT_WHOLE);
        }
        // Summed up as a negative number, of which there is one more.
        long sum = 0;
        boolean overflow = false;
        for (; i < end; i++)
        {
            final int digit = bytes[i] - '0';
            if (digit < 0 || digit > 9)
            {
                return fail(NOT_WHOLE);
            }
            overflow |= sum < (Long.MIN_VALUE + digit) / 10;
            sum = sum * 10 - digit;
        }
        if (overflow || (!negative && sum == Long.MIN_VALUE))
        {
            return fail(TOO_LARGE);
        }
        value = negative ? sum : -sum;
        problem = null;
        return true;
    }

    long value()
    {
        return value;
    }

    String problem()
    {
        return problem;
    }

    private boolean fail(final String reason)
    {
        problem = reason;
        return false;
    }
}
