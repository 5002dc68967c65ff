package io.tidemark.operator.join;

import io.tidemark.operator.keyed.KeyHash;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Names of 24 letters whose {@link KeyHash} is the same in all 64 bits, made as one who means harm would: the second
 * eight bytes undo what the first did. Whoever knows the hash can make as many as he likes.
 */
final class Collisions
{
    private static final int LENGTH = 24;

    private Collisions()
    {
    }

    /** So many different names of one hash. */
    static List<String> names(final int count)
    {
        final UnsafeBuffer name = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
        final List<String> names = new ArrayList<>();
        for (long number = 0; names.size() < count; number++)
        {
            name.putLong(0, 0x6161_6161_6161_6161L + spread(number), ByteOrder.LITTLE_ENDIAN);
            name.putLong(8, stateAfter(name.getLong(0, ByteOrder.LITTLE_ENDIAN)), ByteOrder.LITTLE_ENDIAN);
            name.putLong(16, 0x7A7A_7A7A_7A7A_7A7AL, ByteOrder.LITTLE_ENDIAN);
            if ((name.getLong(8) & 0x8080_8080_8080_8080L) == 0)
            {
                final byte[] bytes = new byte[LENGTH];
                name.getBytes(0, bytes);
                names.add(new String(bytes, StandardCharsets.US_ASCII));
            }
        }
        return names;
    }

    /** Hash of a name, to see that they collide. */
    static long hash(final String name)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
        buffer.putBytes(0, bytes);
        return KeyHash.hash(buffer.addressOffset(), bytes.length);
    }

    /** What the hash of a name of this length has come to after eight bytes. */
    private static long stateAfter(final long bytes)
    {
        final long a = 0x2D35_8DCC_AA6C_78A5L ^ LENGTH ^ bytes;
        final long b = 0x8BB8_4B93_962E_ACC9L;
        return a * b ^ Math.multiplyHigh(a, b);
    }

    /** Four bits in each byte. */
    private static long spread(final long number)
    {
        long spread = 0;
        for (int i = 0; i < 8; i++)
        {
            spread |= ((number >>> (4 * i)) & 15) << (8 * i);
        }
        return spread;
    }
}
