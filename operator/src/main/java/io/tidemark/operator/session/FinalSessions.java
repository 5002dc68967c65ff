package io.tidemark.operator.session;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.SessionImage;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.Memory;
import io.tidemark.operator.keyed.NativeRecords;
import io.tidemark.store.Arena;
import io.tidemark.store.Slots;
import org.agrona.UnsafeApi;

/** Sessions that became final at one position, by slot and in the order of their ordinals (SEMANTICS.md section 9). */
final class FinalSessions extends NativeRecords
{
    private static final int SLOT = 0;
    private static final int KEY = 4;
    private static final int IMAGE = 8;

    private final Slots slots;

    FinalSessions(final Slots slots)
    {
        super((IMAGE + SessionImage.LENGTH + Long.BYTES - 1) / Long.BYTES);
        this.slots = slots;
    }

    void add(final int slot, final int key, final long image)
    {
        final long record = add();
        UnsafeApi.putInt(record + SLOT, slot);
        UnsafeApi.putInt(record + KEY, key);
        UnsafeApi.copyMemory(image, record + IMAGE, SessionImage.LENGTH);
    }

    int slot(final int i)
    {
        return UnsafeApi.getInt(at(i) + SLOT);
    }

    int key(final int i)
    {
        return UnsafeApi.getInt(at(i) + KEY);
    }

    long image(final int i)
    {
        return at(i) + IMAGE;
    }

    @Override
    protected int compare(final long a, final long b)
    {
        final int slot = UnsafeApi.getInt(a + SLOT);
        if (slot != UnsafeApi.getInt(b + SLOT))
        {
            return Integer.compare(slot, UnsafeApi.getInt(b + SLOT));
        }
        final int byEnd = Long.compare(SessionImage.end(a + IMAGE), SessionImage.end(b + IMAGE));
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
        return RowIds.compareSessions(SessionImage.start(a + IMAGE), SessionImage.start(b + IMAGE));
    }
}
