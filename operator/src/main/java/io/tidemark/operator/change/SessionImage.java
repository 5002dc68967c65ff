package io.tidemark.operator.change;

import org.agrona.UnsafeApi;

/**
 * The bytes of a session, as it was published: little endian, not aligned.
 * <pre>
 *   0       8       16      24       32       40      48      56            64      65
 *  +-------+-------+-------+--------+--------+-------+-------+-------------+-------+
 *  | start | end   | count | high   | low    | min   | max   | publication | final |
 *  +-------+-------+-------+--------+--------+-------+-------+-------------+-------+
 * </pre>
 * Start and end are event times in nanoseconds; high and low are the two halves of the sum, a signed number of 128
 * bits; min and max are of values; publication is the position at which the row was published.
 */
public final class SessionImage
{
    /** Offset of the time of the first member, int64. */
    public static final int START_OFFSET = 0;

    /** Offset of the time of the last member, int64. */
    public static final int END_OFFSET = START_OFFSET + Long.BYTES;

    /** Offset of the number of members, int64. */
    public static final int COUNT_OFFSET = END_OFFSET + Long.BYTES;

    /** Offset of the sum's upper half, int64. */
    public static final int SUM_HIGH_OFFSET = COUNT_OFFSET + Long.BYTES;

    /** Offset of the sum's lower half, uint64. */
    public static final int SUM_LOW_OFFSET = SUM_HIGH_OFFSET + Long.BYTES;

    /** Offset of the smallest value, int64. */
    public static final int MIN_OFFSET = SUM_LOW_OFFSET + Long.BYTES;

    /** Offset of the largest value, int64. */
    public static final int MAX_OFFSET = MIN_OFFSET + Long.BYTES;

    /** Offset of the position of publication, int64. */
    public static final int PUBLICATION_OFFSET = MAX_OFFSET + Long.BYTES;

    /** Offset of whether it is final, uint8. */
    public static final int FINAL_OFFSET = PUBLICATION_OFFSET + Long.BYTES;

    /** Bytes of an image. */
    public static final int LENGTH = FINAL_OFFSET + Byte.BYTES;

    private SessionImage()
    {
    }

    /**
     * Writes the extent and the aggregates of a session.
     *
     * @param address of the image.
     * @param start   time of the first member.
     * @param end     time of the last member.
     * @param count   number of members.
     * @param sumHigh upper half of the sum of values.
     * @param sumLow  lower half.
     * @param min     smallest value.
     * @param max     largest value.
     */
    public static void put(
        final long address,
        final long start,
        final long end,
        final long count,
        final long sumHigh,
        final long sumLow,
        final long min,
        final long max)
    {
        UnsafeApi.putLong(address + START_OFFSET, start);
        UnsafeApi.putLong(address + END_OFFSET, end);
        UnsafeApi.putLong(address + COUNT_OFFSET, count);
        UnsafeApi.putLong(address + SUM_HIGH_OFFSET, sumHigh);
        UnsafeApi.putLong(address + SUM_LOW_OFFSET, sumLow);
        UnsafeApi.putLong(address + MIN_OFFSET, min);
        UnsafeApi.putLong(address + MAX_OFFSET, max);
    }

    /**
     * Writes how it is published.
     *
     * @param address     of the image.
     * @param publication position of the publication.
     * @param isFinal     whether it stands for ever.
     */
    public static void putPublication(final long address, final long publication, final boolean isFinal)
    {
        UnsafeApi.putLong(address + PUBLICATION_OFFSET, publication);
        UnsafeApi.putByte(address + FINAL_OFFSET, (byte)(isFinal ? 1 : 0));
    }

    /**
     * Time of the first member.
     *
     * @param address of the image.
     * @return nanoseconds.
     */
    public static long start(final long address)
    {
        return UnsafeApi.getLong(address + START_OFFSET);
    }

    /**
     * Time of the last member.
     *
     * @param address of the image.
     * @return nanoseconds.
     */
    public static long end(final long address)
    {
        return UnsafeApi.getLong(address + END_OFFSET);
    }

    /**
     * Number of members.
     *
     * @param address of the image.
     * @return at least 1.
     */
    public static long count(final long address)
    {
        return UnsafeApi.getLong(address + COUNT_OFFSET);
    }
}
