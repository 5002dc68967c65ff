package io.tidemark.operator.change;

import org.agrona.UnsafeApi;

import java.nio.ByteOrder;

/**
 * Copies of a few dozen bytes between native addresses. {@code copyMemory} is a call into a stub that costs as much as
 * the copy of a row; a few moves of eight bytes, of which the last may overlap the one before, do not.
 */
public final class Bytes
{
    /** From here on the stub is as good. */
    private static final int LONG_COPY = 160;

    static
    {
        if (ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN)
        {
            throw new IllegalStateException(
                "Tidemark writes its records in place and so needs a little-endian processor");
        }
    }

    private Bytes()
    {
    }

    /**
     * Copies bytes.
     *
     * @param from   where they are.
     * @param to     where they go, not overlapping.
     * @param length how many.
     */
    public static void copy(final long from, final long to, final int length)
    {
        if (length >= Long.BYTES)
        {
            if (length >= LONG_COPY)
            {
                UnsafeApi.copyMemory(from, to, length);
                return;
            }
            final int last = length - Long.BYTES;
            for (int i = 0; i < last; i += Long.BYTES)
            {
                UnsafeApi.putLong(to + i, UnsafeApi.getLong(from + i));
            }
            UnsafeApi.putLong(to + last, UnsafeApi.getLong(from + last));
        }
        else
        {
            for (int i = 0; i < length; i++)
            {
                UnsafeApi.putByte(to + i, UnsafeApi.getByte(from + i));
            }
        }
    }
}
