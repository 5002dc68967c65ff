package io.tidemark.sink.view;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;

/** Hashes of row ids and keys, which never meet in one search for they are seeded apart. */
final class ViewHash
{
    private static final long ROW_SEED = 0x9E37_79B9_7F4A_7C15L;
    private static final long KEY_SEED = 0xC2B2_AE3D_27D4_EB4FL;
    private static final long MULTIPLIER = 0xD6E8_FEB8_6659_FD93L;

    private ViewHash()
    {
    }

    static long ofRowId(final DirectBuffer rowId, final int length)
    {
        long hash = ROW_SEED ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            hash = (hash ^ rowId.getLong(i)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        for (; i < length; i++)
        {
            hash = (hash ^ (rowId.getByte(i) & 0xFF)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return finish(hash);
    }

    static long ofKey(final DirectBuffer buffer, final int offset, final int length)
    {
        long hash = KEY_SEED ^ length;
        for (int i = 0; i < length; i++)
        {
            hash = (hash ^ (buffer.getByte(offset + i) & 0xFF)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return finish(hash);
    }

    static long ofKey(final long address, final int length)
    {
        long hash = KEY_SEED ^ length;
        for (int i = 0; i < length; i++)
        {
            hash = (hash ^ (UnsafeApi.getByte(address + i) & 0xFF)) * MULTIPLIER;
            hash ^= hash >>> 32;
        }
        return finish(hash);
    }

    private static long finish(final long hash)
    {
        final long mixed = hash * ROW_SEED;
        return mixed ^ (mixed >>> 29);
    }
}
