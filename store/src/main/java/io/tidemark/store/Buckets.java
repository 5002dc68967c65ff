package io.tidemark.store;

/**
 * How a {@link Calendar} cuts time: into buckets of {@code 1 << widthShift} nanoseconds that begin at a phase.
 *
 * @param widthShift of the buckets.
 * @param phaseNs    where one of them begins.
 * @param fewest     entries from which on it is worth while to cut.
 */
record Buckets(int widthShift, long phaseNs, int fewest)
{
    /** Number of the bucket that a time is in. */
    long of(final long time)
    {
        final long shifted = time - phaseNs;
        // What would be before the beginning of time has a bucket of its own.
        return shifted > time ? (Long.MIN_VALUE >> widthShift) - 1 : shifted >> widthShift;
    }

    /**
     * Beginning of a bucket, within the range of finite times; {@link Calendar#NOTHING_DUE} when it is behind all of
     * them.
     */
    long start(final long bucket)
    {
        final long low = bucket << widthShift;
        if (low >> widthShift != bucket)
        {
            return bucket < 0 ? Long.MIN_VALUE + 1 : Calendar.NOTHING_DUE;
        }
        final long start = low + phaseNs;
        return start < low ? Calendar.NOTHING_DUE : Math.max(start, Long.MIN_VALUE + 1);
    }

    /** Whether a bucket is one of the next few; exact for buckets at opposite ends of time too. */
    static boolean isWithin(final long bucket, final long opened, final int count)
    {
        return bucket > opened && Long.compareUnsigned(bucket - opened, count) < 0;
    }

    /** The next bucket after the opened one whose bit of 128 is set, or {@link Long#MIN_VALUE}. */
    static long next(final long opened, final long low, final long high)
    {
        final long after = opened + 1;
        final int shift = (int)(after & 127);
        final long first = shift < 64 ? low : high;
        final long second = shift < 64 ? high : low;
        final int rotation = shift & 63;
        if (first >>> rotation != 0)
        {
            return after + Long.numberOfTrailingZeros(first >>> rotation);
        }
        if (second != 0)
        {
            return after + 64 - rotation + Long.numberOfTrailingZeros(second);
        }
        final long wrapped = rotation == 0 ? 0 : first & ((1L << rotation) - 1);
        return wrapped == 0 ? Long.MIN_VALUE : after + 128 - rotation + Long.numberOfTrailingZeros(wrapped);
    }
}
