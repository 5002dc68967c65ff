package io.tidemark.sink;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * A 64-bit hash of a record's bytes, eight at a time. It tells accidents apart, not attacks; sinks store it, so it
 * never changes.
 */
final class RecordDigest
{
    static final long EMPTY = 0x9E37_79B9_7F4A_7C15L;

    private static final long MULTIPLIER = 0xD6E8_FEB8_6659_FD93L;

    private RecordDigest()
    {
    }

    /** Goes on from the digest of what came before. */
    static long of(final long before, final DirectBuffer buffer, final int offset, final int length)
    {
        long digest = before ^ length;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            digest = mix(digest ^ buffer.getLong(offset + i, ByteOrder.LITTLE_ENDIAN));
        }
        long rest = 0;
        for (; i < length; i++)
        {
            rest = rest << 8 | (buffer.getByte(offset + i) & 0xFF);
        }
        return mix(digest ^ rest);
    }

    private static long mix(final long value)
    {
        final long mixed = (value ^ (value >>> 32)) * MULTIPLIER;
        return (mixed ^ (mixed >>> 29)) * EMPTY;
    }
}
