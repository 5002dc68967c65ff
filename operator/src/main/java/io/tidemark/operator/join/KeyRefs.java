package io.tidemark.operator.join;

import org.agrona.UnsafeApi;

/** Keys that something is to be done with at one position, each with the clocks that it had before. */
final class KeyRefs extends NativeRecords
{
    private static final int SLOT = 0;
    private static final int KEY = 4;
    private static final int CLOCK_0 = 8;
    private static final int CLOCK_1 = 16;

    KeyRefs()
    {
        super(3);
    }

    void add(final int slot, final int key, final long clock0, final long clock1)
    {
        final long record = add();
        UnsafeApi.putInt(record + SLOT, slot);
        UnsafeApi.putInt(record + KEY, key);
        UnsafeApi.putLong(record + CLOCK_0, clock0);
        UnsafeApi.putLong(record + CLOCK_1, clock1);
    }

    int slot(final int i)
    {
        return UnsafeApi.getInt(at(i) + SLOT);
    }

    int key(final int i)
    {
        return UnsafeApi.getInt(at(i) + KEY);
    }

    long clock0(final int i)
    {
        return UnsafeApi.getLong(at(i) + CLOCK_0);
    }

    long clock1(final int i)
    {
        return UnsafeApi.getLong(at(i) + CLOCK_1);
    }

    @Override
    int compare(final long a, final long b)
    {
        return Long.compareUnsigned(UnsafeApi.getLong(a), UnsafeApi.getLong(b));
    }
}
