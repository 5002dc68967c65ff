package io.tidemark.store.snapshot;

import org.agrona.UnsafeApi;

/**
 * A 128-bit digest of memory, for finding damage and differences, not for keeping out forgers. Four lanes of multiply
 * and fold, so that a page takes some hundred nanoseconds. Holds the digest that was computed last; allocates nothing.
 */
public final class Digest
{
    private static final long K0 = 0xA076_1D64_78BD_642FL;
    private static final long K1 = 0xE703_7ED1_A0B4_28DBL;
    private static final long K2 = 0x8EBC_6AF0_9C88_C6E3L;
    private static final long K3 = 0x5899_65CC_7537_4CC3L;
    private static final long K4 = 0x1D8E_4E27_C47D_124FL;

    private long high;
    private long low;

    /**
     * Digests memory.
     *
     * @param address where it starts.
     * @param length  in bytes.
     * @param seed    that goes into the digest.
     * @return this.
     */
    public Digest of(final long address, final long length, final long seed)
    {
        long a = seed ^ K0;
        long b = seed ^ K1;
        long c = length ^ K2;
        long d = length ^ K3;
        long at = address;
        long left = length;
        for (; left >= 64; left -= 64, at += 64)
        {
            a = fold(a ^ UnsafeApi.getLong(at), K1 ^ UnsafeApi.getLong(at + 8)) + b;
            b = fold(b ^ UnsafeApi.getLong(at + 16), K2 ^ UnsafeApi.getLong(at + 24)) + c;
            c = fold(c ^ UnsafeApi.getLong(at + 32), K3 ^ UnsafeApi.getLong(at + 40)) + d;
            d = fold(d ^ UnsafeApi.getLong(at + 48), K4 ^ UnsafeApi.getLong(at + 56)) + a;
        }
        for (; left >= 8; left -= 8, at += 8)
        {
            a = fold(a ^ UnsafeApi.getLong(at), K1) + d;
            d = b ^ Long.rotateLeft(a, 23);
        }
        long rest = 0;
        for (; left > 0; left--, at++)
        {
            rest = (rest << 8) | (UnsafeApi.getByte(at) & 0xFF);
        }
        finish(fold(a ^ rest, K2 ^ b), fold(c ^ K3, K4 ^ d ^ rest));
        return this;
    }

    /**
     * Adds one digest to a running one, in which order counts.
     *
     * @param runningHigh of the running digest.
     * @param runningLow  of the running digest.
     * @param tag         what the added one belongs to.
     * @param addedHigh   of the added digest.
     * @param addedLow    of the added digest.
     * @return this, the running digest from now on.
     */
    Digest chain(
        final long runningHigh, final long runningLow, final long tag, final long addedHigh, final long addedLow)
    {
        final long a = fold(runningHigh ^ tag ^ K0, addedHigh ^ K1) + runningLow;
        final long b = fold(runningLow ^ K2, addedLow ^ K3) + runningHigh;
        finish(fold(a ^ addedLow, K4 ^ tag), fold(b ^ addedHigh, K0 ^ tag) + a);
        return this;
    }

    /**
     * Upper half.
     *
     * @return 64 bits.
     */
    public long high()
    {
        return high;
    }

    /**
     * Lower half.
     *
     * @return 64 bits.
     */
    public long low()
    {
        return low;
    }

    /**
     * The digest in words.
     *
     * @return 32 hexadecimal digits.
     */
    public String text()
    {
        return text(high, low);
    }

    static String text(final long high, final long low)
    {
        return hex(high) + hex(low);
    }

    private static String hex(final long bits)
    {
        final String digits = Long.toHexString(bits);
        return "0".repeat(16 - digits.length()) + digits;
    }

    private void finish(final long x, final long y)
    {
        high = fold(x ^ K3, y ^ K1);
        low = fold(x + K4, y ^ K0) ^ Long.rotateLeft(x, 31);
    }

    private static long fold(final long x, final long y)
    {
        return x * y ^ Math.multiplyHigh(x, y);
    }
}
