package io.tidemark.operator.join;

import org.agrona.UnsafeApi;

/** Keys that something is to be done with at one position, each with two numbers that say what. */
final class KeyRefs extends NativeRecords
{
    private static final int SLOT = 0;
    private static final int KEY = 4;
    private static final int FIRST = 8;
    private static final int SECOND = 16;

    KeyRefs()
    {
        super(3);
    }

    void add(final int slot, final int key, final long first, final long second)
    {
        final long record = add();
        UnsafeApi.putInt(record + SLOT, slot);
        UnsafeApi.putInt(record + KEY, key);
        UnsafeApi.putLong(record + FIRST, first);
        UnsafeApi.putLong(record + SECOND, second);
    }

    int slot(final int i)
    {
        return UnsafeApi.getInt(at(i) + SLOT);
    }

    int key(final int i)
    {
        return UnsafeApi.getInt(at(i) + KEY);
    }

    long first(final int i)
    {
        return UnsafeApi.getLong(at(i) + FIRST);
    }

    long second(final int i)
    {
        return UnsafeApi.getLong(at(i) + SECOND);
    }

    @Override
    int compare(final long a, final long b)
    {
        return Long.compareUnsigned(UnsafeApi.getLong(a), UnsafeApi.getLong(b));
    }
}
