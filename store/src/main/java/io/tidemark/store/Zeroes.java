package io.tidemark.store;

import org.agrona.UnsafeApi;

/** Clears memory that is short, which takes a call into the virtual machine longer than it takes to write it. */
final class Zeroes
{
    /** Bytes from which on the call is worth while. */
    private static final int LONG = 1024;

    private Zeroes()
    {
    }

    /** Clears memory of eight bytes or more, or of none. */
    static void put(final long address, final int length)
    {
        if (length >= LONG)
        {
            UnsafeApi.setMemory(address, length, (byte)0);
            return;
        }
        final int last = length - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES)
        {
            UnsafeApi.putLong(address + i, 0);
        }
        if (last >= 0)
        {
            UnsafeApi.putLong(address + last, 0);
        }
    }
}
