package io.tidemark.operator.join;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.Memory;
import io.tidemark.operator.keyed.NativeRecords;
import io.tidemark.store.Arena;
import io.tidemark.store.Slots;
import org.agrona.UnsafeApi;

/** Rows that became final at one position, by slot and in the order of their ordinals (SEMANTICS.md section 9). */
final class FinalRows extends NativeRecords
{
    private static final int END = 0;
    private static final int IMAGE = 8;
    private static final int KEY = 16;
    private static final int SLOT_AND_SIDE = 20;

    private final Slots slots;

    FinalRows(final Slots slots)
    {
        super(3);
        this.slots = slots;
    }

    void add(final int slot, final long end, final long image, final int key, final int side)
    {
        final long record = add();
        UnsafeApi.putLong(record + END, end);
        UnsafeApi.putLong(record + IMAGE, image);
        UnsafeApi.putInt(record + KEY, key);
        UnsafeApi.putInt(record + SLOT_AND_SIDE, slot << 1 | side);
    }

    long image(final int i)
    {
        return UnsafeApi.getLong(at(i) + IMAGE);
    }

    int key(final int i)
    {
        return UnsafeApi.getInt(at(i) + KEY);
    }

    int slot(final int i)
    {
        return slot(at(i));
    }

    int side(final int i)
    {
        return side(at(i));
    }

    @Override
    protected int compare(final long a, final long b)
    {
        final int slot = slot(a);
        if (slot != slot(b))
        {
            return Integer.compare(slot, slot(b));
        }
        final int byEnd = Long.compare(UnsafeApi.getLong(a + END), UnsafeApi.getLong(b + END));
        if (byEnd != 0)
        {
            return byEnd;
        }
        final int aKey = UnsafeApi.getInt(a + KEY);
        final int bKey = UnsafeApi.getInt(b + KEY);
        if (aKey != bKey)
        {
            final Arena arena = slots.existing(slot).arena();
            final long aAddress = arena.address(aKey);
            final long bAddress = arena.address(bKey);
            return Memory.compare(
                aAddress + KeyDescriptor.KEY, KeyDescriptor.keyLength(aAddress),
                bAddress + KeyDescriptor.KEY, KeyDescriptor.keyLength(bAddress));
        }
        return RowIds.compareUnmatched(
            side(a), UnsafeApi.getLong(a + IMAGE), side(b), UnsafeApi.getLong(b + IMAGE));
    }

    private static int slot(final long record)
    {
        return UnsafeApi.getInt(record + SLOT_AND_SIDE) >>> 1;
    }

    private static int side(final long record)
    {
        return UnsafeApi.getInt(record + SLOT_AND_SIDE) & 1;
    }
}
