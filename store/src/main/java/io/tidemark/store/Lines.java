package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * Lines of memory that are fetched together: no cache miss waits for another one, nor for a branch that depends on it,
 * so that as many are on their way as the processor can have. Changes nothing.
 */
public final class Lines
{
    /** Several for each event of a batch. */
    private static final int CAPACITY = 512;

    private final long[] addresses = new long[CAPACITY];
    private int size;
    private long read;

    /**
     * Adds a line; fetches those that were added when they are many.
     *
     * @param address of any byte of it.
     */
    public void add(final long address)
    {
        if (size == CAPACITY)
        {
            fetch();
        }
        addresses[size++] = address;
    }

    /** Fetches the lines that were added. */
    public void fetch()
    {
        long sum = 0;
        for (int i = 0; i < size; i++)
        {
            sum += UnsafeApi.getByte(addresses[i]);
        }
        read = sum;
        size = 0;
    }

    /**
     * Where what was read goes, lest the compiler leaves the reads out.
     *
     * @return something read, to be used or not.
     */
    public long read()
    {
        return read;
    }
}
