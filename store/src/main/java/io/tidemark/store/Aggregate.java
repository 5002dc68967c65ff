package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * Count, exact sum, smallest and largest of any number of longs, 40 bytes wherever an address says.
 *
 * <pre>
 *   0       8        16        24    32    40
 *  +-------+--------+---------+-----+-----+
 *  | count | high   | low     | min | max |
 *  +-------+--------+---------+-----+-----+
 * </pre>
 * High and low are the halves of the sum, a signed number of 128 bits, which 2^63 longs can't overflow. Of nothing all
 * is zero, min and max too.
 */
public final class Aggregate
{
    /** Bytes. */
    public static final int LENGTH = 40;

    private static final int COUNT = 0;
    private static final int HIGH = 8;
    private static final int LOW = 16;
    private static final int MIN = 24;
    private static final int MAX = 32;

    private Aggregate()
    {
    }

    /**
     * Makes it that of nothing.
     *
     * @param address of the aggregate.
     */
    public static void clear(final long address)
    {
        UnsafeApi.setMemory(address, LENGTH, (byte)0);
    }

    /**
     * Makes it the same as another.
     *
     * @param address of the aggregate.
     * @param from    address of the other.
     */
    public static void copy(final long address, final long from)
    {
        UnsafeApi.copyMemory(from, address, LENGTH);
    }

    /**
     * Adds a number.
     *
     * @param address of the aggregate.
     * @param value   the number.
     */
    public static void add(final long address, final long value)
    {
        final long count = count(address);
        UnsafeApi.putLong(address + COUNT, count + 1);
        addToSum(address, value, value >> 63);
        UnsafeApi.putLong(address + MIN, count == 0 ? value : Math.min(min(address), value));
        UnsafeApi.putLong(address + MAX, count == 0 ? value : Math.max(max(address), value));
    }

    /**
     * Adds all numbers of another.
     *
     * @param address of the aggregate.
     * @param from    address of the other.
     */
    public static void addAll(final long address, final long from)
    {
        if (count(from) == 0)
        {
            return;
        }
        final long count = count(address);
        UnsafeApi.putLong(address + COUNT, count + count(from));
        addToSum(address, low(from), high(from));
        UnsafeApi.putLong(address + MIN, count == 0 ? min(from) : Math.min(min(address), min(from)));
        UnsafeApi.putLong(address + MAX, count == 0 ? max(from) : Math.max(max(address), max(from)));
    }

    /**
     * Takes a number off count and sum.
     *
     * @param address of the aggregate.
     * @param value   one of its numbers.
     * @return whether it was the smallest or largest, so that these are known no more.
     */
    public static boolean take(final long address, final long value)
    {
        UnsafeApi.putLong(address + COUNT, count(address) - 1);
        // Its complement and one more, which is exact for the smallest long too.
        addToSum(address, ~value, ~(value >> 63));
        addToSum(address, 1, 0);
        return value == min(address) || value == max(address);
    }

    /**
     * How many numbers.
     *
     * @param address of the aggregate.
     * @return the count.
     */
    public static long count(final long address)
    {
        return UnsafeApi.getLong(address + COUNT);
    }

    /**
     * Lower half of the sum.
     *
     * @param address of the aggregate.
     * @return unsigned.
     */
    public static long low(final long address)
    {
        return UnsafeApi.getLong(address + LOW);
    }

    /**
     * Upper half of the sum.
     *
     * @param address of the aggregate.
     * @return signed.
     */
    public static long high(final long address)
    {
        return UnsafeApi.getLong(address + HIGH);
    }

    /**
     * The smallest number.
     *
     * @param address of the aggregate.
     * @return 0 of nothing.
     */
    public static long min(final long address)
    {
        return UnsafeApi.getLong(address + MIN);
    }

    /**
     * The largest number.
     *
     * @param address of the aggregate.
     * @return 0 of nothing.
     */
    public static long max(final long address)
    {
        return UnsafeApi.getLong(address + MAX);
    }

    private static void addToSum(final long address, final long low, final long high)
    {
        final long sum = low(address) + low;
        final int carry = Long.compareUnsigned(sum, low) < 0 ? 1 : 0;
        UnsafeApi.putLong(address + LOW, sum);
        UnsafeApi.putLong(address + HIGH, high(address) + high + carry);
    }
}
