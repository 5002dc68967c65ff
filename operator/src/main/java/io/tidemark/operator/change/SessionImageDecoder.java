package io.tidemark.operator.change;

import org.agrona.DirectBuffer;

import java.math.BigInteger;
import java.nio.ByteOrder;

/**
 * Reads one session in place. Laid out by {@link SessionImage}.
 */
public final class SessionImageDecoder
{
    private DirectBuffer buffer;
    private int offset;

    SessionImageDecoder()
    {
    }

    void wrap(final DirectBuffer sessionBuffer, final int sessionOffset)
    {
        buffer = sessionBuffer;
        offset = sessionOffset;
    }

    /**
     * Time of the first member.
     *
     * @return nanoseconds since the Unix epoch.
     */
    public long start()
    {
        return int64(SessionImage.START_OFFSET);
    }

    /**
     * Time of the last member.
     *
     * @return nanoseconds since the Unix epoch.
     */
    public long end()
    {
        return int64(SessionImage.END_OFFSET);
    }

    /**
     * Number of members.
     *
     * @return at least 1.
     */
    public long count()
    {
        return int64(SessionImage.COUNT_OFFSET);
    }

    /**
     * Upper half of the exact sum of the members' values.
     *
     * @return signed.
     */
    public long sumHigh()
    {
        return int64(SessionImage.SUM_HIGH_OFFSET);
    }

    /**
     * Lower half of the exact sum of the members' values.
     *
     * @return unsigned.
     */
    public long sumLow()
    {
        return int64(SessionImage.SUM_LOW_OFFSET);
    }

    /**
     * The exact sum of the members' values; allocates.
     *
     * @return the whole number.
     */
    public BigInteger sum()
    {
        final BigInteger high = BigInteger.valueOf(sumHigh()).shiftLeft(Long.SIZE);
        final BigInteger low = BigInteger.valueOf(sumLow());
        return high.add(low.signum() < 0 ? low.add(BigInteger.ONE.shiftLeft(Long.SIZE)) : low);
    }

    /**
     * Smallest value of a member.
     *
     * @return the value.
     */
    public long min()
    {
        return int64(SessionImage.MIN_OFFSET);
    }

    /**
     * Largest value of a member.
     *
     * @return the value.
     */
    public long max()
    {
        return int64(SessionImage.MAX_OFFSET);
    }

    /**
     * Position at which the row was published.
     *
     * @return from 1.
     */
    public long publication()
    {
        return int64(SessionImage.PUBLICATION_OFFSET);
    }

    /**
     * Whether the session stands for ever.
     *
     * @return false for a provisional one.
     */
    public boolean isFinal()
    {
        return buffer.getByte(offset + SessionImage.FINAL_OFFSET) != 0;
    }

    private long int64(final int at)
    {
        return buffer.getLong(offset + at, ByteOrder.LITTLE_ENDIAN);
    }
}
