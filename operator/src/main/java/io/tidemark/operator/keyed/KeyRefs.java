package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/** Keys that something is to be done with at one position, each with two numbers that say what. */
public final class KeyRefs extends NativeRecords
{
    private static final int SLOT = 0;
    private static final int KEY = 4;
    private static final int FIRST = 8;
    private static final int SECOND = 16;

    public KeyRefs()
    {
        super(3);
    }

    public void add(final int slot, final int key, final long first, final long second)
    {
        final long record = add();
        UnsafeApi.putInt(record + SLOT, slot);
        UnsafeApi.putInt(record + KEY, key);
        UnsafeApi.putLong(record + FIRST, first);
        UnsafeApi.putLong(record + SECOND, second);
    }

    public int slot(final int i)
    {
        return UnsafeApi.getInt(at(i) + SLOT);
    }

    public int key(final int i)
    {
        return UnsafeApi.getInt(at(i) + KEY);
    }

    public long first(final int i)
    {
        return UnsafeApi.getLong(at(i) + FIRST);
    }

    public long second(final int i)
    {
        return UnsafeApi.getLong(at(i) + SECOND);
    }

    @Override
    protected int compare(final long a, final long b)
    {
        return Long.compareUnsigned(UnsafeApi.getLong(a), UnsafeApi.getLong(b));
    }
}
