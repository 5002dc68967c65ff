package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/**
 * The fixed hash of keys and ids: it decides a key's slot (SEMANTICS.md section 9), so it is part of the format and
 * never changes. Eight bytes at a time, each step a multiplication whose halves are folded together.
 */
public final class KeyHash
{
    private static final long SEED = 0x2D35_8DCC_AA6C_78A5L;
    private static final long FACTOR = 0x8BB8_4B93_962E_ACC9L;
    private static final long LAST = 0x4B33_A62E_D433_D4A3L;

    private KeyHash()
    {
    }

    /**
     * Hashes bytes.
     *
     * @param address where they are.
     * @param length  how many.
     * @return 64 bits.
     */
    public static long hash(final long address, final int length)
    {
        long state = SEED ^ length;
        long at = address;
        int left = length;
        while (left >= 8)
        {
            state = fold(state ^ UnsafeApi.getLong(at), FACTOR);
            at += 8;
            left -= 8;
        }
        if (left > 0)
        {
            state = fold(state ^ Memory.word(at, left), FACTOR);
        }
        return fold(state ^ LAST, FACTOR);
    }

    /**
     * The slot of a key.
     *
     * @param hash  of the key.
     * @param slots number of slots, a power of two.
     * @return from 0.
     */
    public static int slot(final long hash, final int slots)
    {
        return (int)hash & slots - 1;
    }

    /**
     * Spreads a number.
     *
     * @param number any.
     * @return 32 bits.
     */
    public static int mix(final long number)
    {
        return (int)(fold(number ^ SEED, FACTOR) >>> 32);
    }

    private static long fold(final long a, final long b)
    {
        return a * b ^ Math.multiplyHigh(a, b);
    }
}
