package io.tidemark.store.snapshot;

import org.agrona.UnsafeApi;

/**
 * The digests of all pages of all slots as of the newest checkpoint, off heap, 16 bytes each; those of slots follow
 * from them, so that a checkpoint need not look at pages that have not changed.
 */
final class PageDigests implements AutoCloseable
{
    private static final int ENTRY = 16;

    private final long[] tables;
    private final int[] capacities;
    private final Digest digest = new Digest();

    PageDigests(final int slots)
    {
        tables = new long[slots];
        capacities = new int[slots];
    }

    int slots()
    {
        return tables.length;
    }

    void put(final int slot, final int page, final long high, final long low)
    {
        reserve(slot, page);
        final long entry = tables[slot] + (long)page * ENTRY;
        UnsafeApi.putLong(entry, high);
        UnsafeApi.putLong(entry + 8, low);
    }

    /** Whether a page has a digest. */
    boolean has(final int slot, final int page)
    {
        return page < capacities[slot] && (high(slot, page) | low(slot, page)) != 0;
    }

    boolean is(final int slot, final int page, final long high, final long low)
    {
        return page < capacities[slot] && high(slot, page) == high && low(slot, page) == low;
    }

    /** Digests a slot of so many pages, all of which have a digest. */
    SlotDigest slot(final int slot, final int pages)
    {
        digest.of(tables[slot], (long)pages * ENTRY, slot);
        return new SlotDigest(slot, pages, digest.high(), digest.low());
    }

    void forget(final int slot)
    {
        if (tables[slot] != 0)
        {
            UnsafeApi.freeMemory(tables[slot]);
            tables[slot] = 0;
            capacities[slot] = 0;
        }
    }

    @Override
    public void close()
    {
        for (int slot = 0; slot < tables.length; slot++)
        {
            forget(slot);
        }
    }

    private long high(final int slot, final int page)
    {
        return UnsafeApi.getLong(tables[slot] + (long)page * ENTRY);
    }

    private long low(final int slot, final int page)
    {
        return UnsafeApi.getLong(tables[slot] + (long)page * ENTRY + 8);
    }

    private void reserve(final int slot, final int page)
    {
        final int before = capacities[slot];
        if (page >= before)
        {
            final int capacity = Math.max(16, Math.max(page + 1, before * 2));
            tables[slot] = tables[slot] == 0 ?
                UnsafeApi.allocateMemory((long)capacity * ENTRY) :
                UnsafeApi.reallocateMemory(tables[slot], (long)capacity * ENTRY);
            UnsafeApi.setMemory(tables[slot] + (long)before * ENTRY, (long)(capacity - before) * ENTRY, (byte)0);
            capacities[slot] = capacity;
        }
    }
}
