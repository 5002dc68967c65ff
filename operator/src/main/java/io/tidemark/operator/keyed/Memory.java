package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/** Comparison of bytes in native memory. */
public final class Memory
{
    private Memory()
    {
    }

    public static boolean equal(final long a, final long b, final int length)
    {
        int i = 0;
        for (; i + 8 <= length; i += 8)
        {
            if (UnsafeApi.getLong(a + i) != UnsafeApi.getLong(b + i))
            {
                return false;
            }
        }
        for (; i < length; i++)
        {
            if (UnsafeApi.getByte(a + i) != UnsafeApi.getByte(b + i))
            {
                return false;
            }
        }
        return true;
    }

    /** Number of bytes from the front that are equal. */
    public static int commonLength(final long a, final long b, final int length)
    {
        int i = 0;
        for (; i + 8 <= length; i += 8)
        {
            final long difference = UnsafeApi.getLong(a + i) ^ UnsafeApi.getLong(b + i);
            if (difference != 0)
            {
                return i + (Long.numberOfTrailingZeros(difference) >>> 3);
            }
        }
        while (i < length && UnsafeApi.getByte(a + i) == UnsafeApi.getByte(b + i))
        {
            i++;
        }
        return i;
    }

    /** As unsigned bytes; what is a prefix of the other comes first. */
    public static int compare(final long a, final int aLength, final long b, final int bLength)
    {
        final int length = Math.min(aLength, bLength);
        for (int i = 0; i < length; i++)
        {
            final int difference = (UnsafeApi.getByte(a + i) & 0xFF) - (UnsafeApi.getByte(b + i) & 0xFF);
            if (difference != 0)
            {
                return difference;
            }
        }
        return aLength - bLength;
    }
}
