package io.tidemark.operator.keyed;

import io.tidemark.store.Slot;
import org.agrona.UnsafeApi;

/**
 * Layout of what the join keeps in a slot's header.
 *
 * <pre>
 *    0  clocks (32)        first block of the list of keys' own clocks, see {@link KeyClocks}
 *    4  clockBlocks (32)   length of that list
 *    8  rows (64)          rows and tombstones of all keys
 * </pre>
 */
public final class SlotDescriptor
{
    private static final int CLOCKS = 0;
    private static final int CLOCK_BLOCKS = 4;
    private static final int ROWS = 8;

    private SlotDescriptor()
    {
    }

    public static int clocks(final Slot slot)
    {
        return UnsafeApi.getInt(slot.fields() + CLOCKS);
    }

    public static void clocks(final Slot slot, final int ref)
    {
        UnsafeApi.putInt(slot.fields() + CLOCKS, ref);
    }

    public static int clockBlocks(final Slot slot)
    {
        return UnsafeApi.getInt(slot.fields() + CLOCK_BLOCKS);
    }

    public static void addClockBlocks(final Slot slot, final int delta)
    {
        UnsafeApi.putInt(slot.fields() + CLOCK_BLOCKS, clockBlocks(slot) + delta);
    }

    public static long rows(final Slot slot)
    {
        return UnsafeApi.getLong(slot.fields() + ROWS);
    }

    public static void addRows(final Slot slot, final int delta)
    {
        UnsafeApi.putLong(slot.fields() + ROWS, rows(slot) + delta);
    }
}
