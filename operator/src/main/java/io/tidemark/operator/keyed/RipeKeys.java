package io.tidemark.operator.keyed;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/** Keys as entries of a {@link Calendar} name them, sorted by the part of a bucket that they fall into, and by key. */
final class RipeKeys implements AutoCloseable
{
    /** Parts of a bucket. */
    static final int PARTS = 64;

    private static final long FACTOR = 0x9E37_79B9_7F4A_7C15L;
    private static final int PART_SHIFT = 58;
    private static final int GAP_FACTOR = 3;

    private final int[] ends = new int[PARTS];
    private long capacity = 64;
    private long keys = UnsafeApi.allocateMemory(capacity << 3);
    private long unsorted = UnsafeApi.allocateMemory(capacity << 3);
    private int size;

    /** The part of a key, 0 to {@link #PARTS} - 1; it follows from the key alone. */
    static int part(final long key)
    {
        return (int)((key * FACTOR) >>> PART_SHIFT);
    }

    void clear()
    {
        size = 0;
    }

    void add(final long key)
    {
        if (size == capacity)
        {
            capacity <<= 1;
            keys = UnsafeApi.reallocateMemory(keys, capacity << 3);
            unsorted = UnsafeApi.reallocateMemory(unsorted, capacity << 3);
        }
        UnsafeApi.putLong(unsorted + ((long)size++ << 3), key);
    }

    void sort()
    {
        Arrays.fill(ends, 0);
        for (int i = 0; i < size; i++)
        {
            ends[part(UnsafeApi.getLong(unsorted + ((long)i << 3)))]++;
        }
        int end = 0;
        for (int part = 0; part < ends.length; part++)
        {
            end += ends[part];
            ends[part] = end;
        }
        for (int i = 0; i < size; i++)
        {
            final long key = UnsafeApi.getLong(unsorted + ((long)i << 3));
            UnsafeApi.putLong(keys + ((long)--ends[part(key)] << 3), key);
        }
        for (int part = 0; part < PARTS; part++)
        {
            sort(ends[part], part + 1 < PARTS ? ends[part + 1] : size);
        }
    }

    /** Few keys are in a part, but for those of times when very many came at once. */
    private void sort(final int from, final int end)
    {
        int gap = 1;
        while (gap < (end - from) / GAP_FACTOR)
        {
            gap = gap * GAP_FACTOR + 1;
        }
        while (gap > 0)
        {
            for (int i = from + gap; i < end; i++)
            {
                final long key = key(i);
                int hole = i;
                while (hole - gap >= from && key(hole - gap) > key)
                {
                    key(hole, key(hole - gap));
                    hole -= gap;
                }
                key(hole, key);
            }
            gap /= GAP_FACTOR;
        }
    }

    private void key(final int i, final long key)
    {
        UnsafeApi.putLong(keys + ((long)i << 3), key);
    }

    int size()
    {
        return size;
    }

    long key(final int i)
    {
        return UnsafeApi.getLong(keys + ((long)i << 3));
    }

    long bytes()
    {
        return capacity << 4;
    }

    @Override
    public void close()
    {
        UnsafeApi.freeMemory(keys);
        UnsafeApi.freeMemory(unsorted);
        keys = 0;
        unsorted = 0;
    }
}
