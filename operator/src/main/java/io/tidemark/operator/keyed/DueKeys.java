package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/** Entries of a {@link Calendar} that were taken at one position, in the order of due times and keys once sorted. */
final class DueKeys extends NativeRecords
{
    private static final int DUE = 8;

    DueKeys()
    {
        super(2);
    }

    void add(final long key, final long due)
    {
        final long record = add();
        UnsafeApi.putLong(record, key);
        UnsafeApi.putLong(record + DUE, due);
    }

    long key(final int i)
    {
        return UnsafeApi.getLong(at(i));
    }

    long due(final int i)
    {
        return UnsafeApi.getLong(at(i) + DUE);
    }

    @Override
    protected int compare(final long a, final long b)
    {
        final int byDue = Long.compare(UnsafeApi.getLong(a + DUE), UnsafeApi.getLong(b + DUE));
        return byDue != 0 ? byDue : Long.compare(UnsafeApi.getLong(a), UnsafeApi.getLong(b));
    }
}
