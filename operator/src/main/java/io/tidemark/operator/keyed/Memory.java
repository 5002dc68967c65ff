package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/**
 * Comparison of bytes in native memory. Lengths of keys and ids vary, so loops over single bytes would end where no
 * processor guesses it.
 */
public final class Memory
{
    private Memory()
    {
    }

    public static boolean equal(final long a, final long b, final int length)
    {
        if (length < Long.BYTES)
        {
            return length == 0 || word(a, length) == word(b, length);
        }
        final int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES)
        {
            if (UnsafeApi.getLong(a + i) != UnsafeApi.getLong(b + i))
            {
                return false;
            }
        }
        return UnsafeApi.getLong(a + last) == UnsafeApi.getLong(b + last);
    }

    /** One to seven bytes as a number, the first the least significant. */
    static long word(final long address, final int length)
    {
        if (length >= Integer.BYTES)
        {
            final int rest = length - Integer.BYTES;
            return (UnsafeApi.getInt(address) & 0xFFFF_FFFFL) |
                (UnsafeApi.getInt(address + rest) & 0xFFFF_FFFFL) << (rest << 3);
        }
        final int middle = length >>> 1;
        final int last = length - 1;
        return (UnsafeApi.getByte(address) & 0xFF) |
            (UnsafeApi.getByte(address + middle) & 0xFF) << (middle << 3) |
            (UnsafeApi.getByte(address + last) & 0xFF) << (last << 3);
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
