package io.tidemark.ingest.log;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

import java.nio.ByteOrder;

/**
 * The word of a record that says which one it is, and whether it is still what was written: the lower 40 bits are its
 * number in its log, the upper 24 a checksum over number and all other bytes. So a record that was changed on its way
 * to the disk and back is noticed by whoever reads it, at no byte and some nanoseconds; a changed bit passes once in 16
 * million times.
 * <pre>
 *   0               8                  16
 *  +---------------+-------+----------+-----------------
 *  | SBE header    | sum   | number   | rest of the message
 *  +---------------+-------+----------+-----------------
 * </pre>
 */
public final class RecordNumber
{
    private static final int BITS = 40;
    private static final long MASK = (1L << BITS) - 1;
    private static final int BEHIND = RecordLimits.NUMBER_OFFSET + Long.BYTES;

    private static final long K0 = 0xA076_1D64_78BD_642FL;
    private static final long K1 = 0xE703_7ED1_A0B4_28DBL;
    private static final long K2 = 0x8EBC_6AF0_9C88_C6E3L;
    private static final long K3 = 0x5899_65CC_7537_4CC3L;

    private RecordNumber()
    {
    }

    /**
     * The number in a record's word.
     *
     * @param word as it stands in the record.
     * @return number of the record in its log.
     */
    public static long of(final long word)
    {
        return word & MASK;
    }

    /**
     * Reads a record's number, without looking whether the record is whole.
     *
     * @param record that holds it.
     * @param offset of the record.
     * @return its number in its log.
     */
    public static long of(final DirectBuffer record, final int offset)
    {
        return record.getLong(offset + RecordLimits.NUMBER_OFFSET, ByteOrder.LITTLE_ENDIAN) & MASK;
    }

    /**
     * Writes number and checksum into a record.
     *
     * @param record that holds it.
     * @param offset of the record.
     * @param length of the record; at least {@link RecordLimits#MIN_LENGTH}.
     * @param number of the record in its log.
     */
    public static void stamp(final MutableDirectBuffer record, final int offset, final int length, final long number)
    {
        record.putLong(offset + RecordLimits.NUMBER_OFFSET,
            word(record.byteArray(), record.addressOffset() + offset, length, number), ByteOrder.LITTLE_ENDIAN);
    }

    /** Whether a record in native memory is what was written. */
    static boolean holds(final long address, final int length)
    {
        final long word = UnsafeApi.getLong(address + RecordLimits.NUMBER_OFFSET);
        return word == word(null, address, length, word & MASK);
    }

    private static long word(final Object base, final long address, final int length, final long number)
    {
        long a = fold(UnsafeApi.getLong(base, address) ^ K0, number ^ K1);
        long b = length * K2;
        long at = address + BEHIND;
        int left = length - BEHIND;
        for (; left >= 32; left -= 32, at += 32)
        {
            a = fold(a ^ UnsafeApi.getLong(base, at), K1 ^ UnsafeApi.getLong(base, at + 8));
            b = fold(b ^ UnsafeApi.getLong(base, at + 16), K2 ^ UnsafeApi.getLong(base, at + 24));
        }
        for (; left >= 8; left -= 8, at += 8)
        {
            a = fold(a ^ UnsafeApi.getLong(base, at), K3 ^ b);
            b = Long.rotateLeft(b, 27) + a;
        }
        long rest = 0;
        for (; left > 0; left--, at++)
        {
            rest = (rest << 8) | (UnsafeApi.getByte(base, at) & 0xFF);
        }
        final long sum = fold(a ^ rest, b ^ K0);
        return number | ((sum ^ (sum >>> 24)) << BITS);
    }

    private static long fold(final long x, final long y)
    {
        return x * y ^ Math.multiplyHigh(x, y);
    }
}
