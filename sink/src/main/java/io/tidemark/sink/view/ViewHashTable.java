package io.tidemark.sink.view;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.TableException;
import org.agrona.UnsafeApi;

/**
 * The writer's side of the hash table of row ids and keys: linear probing over words of hash and reference. A word is
 * stored in one piece when its record is complete. When more than half of the places are taken, or given up, a new
 * table is made beside the old one and then named in its place; that takes time in the number of rows, during which
 * readers go on.
 */
final class ViewHashTable
{
    private static final int FIRST_BITS = HeaderDescriptor.WORDS_A_PAGE_BITS;

    private final ViewPages pages;
    private final ViewAllocator allocator;
    private final Retirement retirement;
    private long directory;
    private int directoryPage;
    private int bits;
    private long taken;
    private long given;

    ViewHashTable(final ViewPages pages, final ViewAllocator allocator, final Retirement retirement)
    {
        this.pages = pages;
        this.allocator = allocator;
        this.retirement = retirement;
        make(FIRST_BITS);
        publish();
    }

    /** Takes the pages of an old table back when no reader can be in them. */
    @FunctionalInterface
    interface Retirement
    {
        void retirePage(int page);
    }

    long places()
    {
        return 1L << bits;
    }

    /** First place of a hash; the next is {@link #after}. */
    long place(final long hash)
    {
        return (hash >>> 7) & (places() - 1);
    }

    long after(final long place)
    {
        return (place + 1) & (places() - 1);
    }

    long word(final long place)
    {
        return UnsafeApi.getLong(address(place));
    }

    void insert(final long hash, final int ref)
    {
        if (2 * (taken + given) >= places())
        {
            resize();
        }
        put(hash, ref);
        taken++;
    }

    private void put(final long hash, final int ref)
    {
        long place = place(hash);
        while ((int)word(place) != 0)
        {
            place = after(place);
        }
        if (word(place) == HeaderDescriptor.GIVEN_UP)
        {
            given--;
        }
        UnsafeApi.putLongRelease(null, address(place), HeaderDescriptor.word(hash, ref));
    }

    void remove(final long hash, final int ref)
    {
        final long wanted = HeaderDescriptor.word(hash, ref);
        long place = place(hash);
        while (word(place) != wanted)
        {
            if (word(place) == HeaderDescriptor.EMPTY)
            {
                throw new IllegalStateException("record " + Integer.toHexString(ref) + " is not in the table");
            }
            place = after(place);
        }
        UnsafeApi.putLongRelease(null, address(place), HeaderDescriptor.GIVEN_UP);
        taken--;
        given++;
    }

    private void resize()
    {
        final int oldBits = bits;
        final int oldPage = directoryPage;
        final long oldDirectory = directory;
        int newBits = FIRST_BITS;
        while (1L << newBits < 4 * (taken + 1))
        {
            newBits++;
        }
        make(newBits);
        for (long place = 0; place < 1L << oldBits; place++)
        {
            final long word = UnsafeApi.getLong(address(oldDirectory, place));
            if ((int)word != 0)
            {
                put(hash((int)word), (int)word);
            }
        }
        CrashPoint.hit("view.table-made");
        publish();
        CrashPoint.hit("view.table-shown");
        for (int i = 0; i < 1 << (oldBits - HeaderDescriptor.WORDS_A_PAGE_BITS); i++)
        {
            retirement.retirePage(UnsafeApi.getInt(
                oldDirectory + HeaderDescriptor.TABLE_PAGES_OFFSET + (long)i * Integer.BYTES));
        }
        retirement.retirePage(oldPage);
    }

    /** The whole hash, of which the table has the upper half. */
    private long hash(final int ref)
    {
        final long record = pages.record(ref);
        if (UnsafeApi.getByte(record) == RecordDescriptor.ROW)
        {
            return UnsafeApi.getLong(record + RecordDescriptor.HASH_OFFSET);
        }
        return ViewHash.ofKey(record + RecordDescriptor.KEY_OFFSET,
            UnsafeApi.getByte(record + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF);
    }

    private void make(final int newBits)
    {
        if (newBits > HeaderDescriptor.MAX_TABLE_BITS)
        {
            throw new TableException("the view is full: it has " + taken + " rows and keys; use another type of sink");
        }
        directoryPage = allocator.allocatePage();
        directory = pages.address(directoryPage);
        bits = newBits;
        given = 0;
        UnsafeApi.putLong(directory + HeaderDescriptor.TABLE_BITS_OFFSET, newBits);
        for (int i = 0; i < 1 << (newBits - HeaderDescriptor.WORDS_A_PAGE_BITS); i++)
        {
            UnsafeApi.putInt(directory + HeaderDescriptor.TABLE_PAGES_OFFSET + (long)i * Integer.BYTES,
                allocator.allocatePage());
        }
    }

    private void publish()
    {
        UnsafeApi.putLongRelease(null, pages.address(0) + HeaderDescriptor.TABLE_OFFSET, directoryPage);
    }

    private long address(final long place)
    {
        return address(directory, place);
    }

    private long address(final long ofDirectory, final long place)
    {
        final int page = UnsafeApi.getInt(ofDirectory + HeaderDescriptor.tablePageOffset(place));
        return pages.address(page) + HeaderDescriptor.wordOffset(place);
    }
}
