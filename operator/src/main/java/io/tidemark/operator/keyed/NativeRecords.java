package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/**
 * A growing list of records of longs in native memory, which the collector never sees, with a merge sort that is a
 * single pass over what is in order already. Scratch of one event; keeps its memory for the next.
 */
public abstract class NativeRecords implements AutoCloseable
{
    private static final int RUN = 8;

    private final int width;
    private long capacity = 64;
    private long records;
    private long spare;
    private int size;

    public NativeRecords(final int longs)
    {
        width = longs << 3;
        records = UnsafeApi.allocateMemory(capacity * width);
        spare = UnsafeApi.allocateMemory(capacity * width);
    }

    /** Order of two records, by their addresses. */
    protected abstract int compare(long a, long b);

    public final int size()
    {
        return size;
    }

    public final void clear()
    {
        size = 0;
    }

    /** Address of a record. */
    protected final long at(final int i)
    {
        return records + (long)i * width;
    }

    /** Address of a new last record, to be written. */
    protected final long add()
    {
        if (size == capacity)
        {
            capacity <<= 1;
            records = UnsafeApi.reallocateMemory(records, capacity * width);
            spare = UnsafeApi.reallocateMemory(spare, capacity * width);
        }
        return at(size++);
    }

    /** Takes the last record off. */
    protected final void removeLast()
    {
        size--;
    }

    public void sort()
    {
        if (isSorted())
        {
            return;
        }
        for (int from = 0; from < size; from += RUN)
        {
            insertionSort(from, Math.min(from + RUN, size));
        }
        for (int run = RUN; run < size; run <<= 1)
        {
            for (int from = 0; from < size; from += run << 1)
            {
                merge(from, Math.min(from + run, size), Math.min(from + (run << 1), size));
            }
            useSpare();
        }
    }

    /** Address of as much memory again, in which a sort may leave its result. */
    protected final long spare()
    {
        return spare;
    }

    /** Lets the spare memory be the records. */
    protected final void useSpare()
    {
        final long merged = spare;
        spare = records;
        records = merged;
    }

    @Override
    public final void close()
    {
        UnsafeApi.freeMemory(records);
        UnsafeApi.freeMemory(spare);
        records = 0;
        spare = 0;
    }

    private boolean isSorted()
    {
        for (int i = 1; i < size; i++)
        {
            if (compare(at(i - 1), at(i)) > 0)
            {
                return false;
            }
        }
        return true;
    }

    private void insertionSort(final int from, final int end)
    {
        for (int i = from + 1; i < end; i++)
        {
            copy(at(i), spare);
            int hole = i;
            while (hole > from && compare(at(hole - 1), spare) > 0)
            {
                copy(at(hole - 1), at(hole));
                hole--;
            }
            copy(spare, at(hole));
        }
    }

    private void merge(final int from, final int middle, final int end)
    {
        int left = from;
        int right = middle;
        for (int i = from; i < end; i++)
        {
            final boolean takeLeft = right >= end || (left < middle && compare(at(left), at(right)) <= 0);
            copy(at(takeLeft ? left++ : right++), spare + (long)i * width);
        }
    }

    private void copy(final long from, final long to)
    {
        for (int i = 0; i < width; i += 8)
        {
            UnsafeApi.putLong(to + i, UnsafeApi.getLong(from + i));
        }
    }
}
