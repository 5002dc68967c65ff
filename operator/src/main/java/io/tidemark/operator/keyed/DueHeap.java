package io.tidemark.operator.keyed;

import org.agrona.UnsafeApi;

/**
 * A heap with four children a node, in native memory: a key, a due time and a note an entry. What is due at the same
 * time comes out in the order of keys; what differs in the note only, in no order that means anything.
 */
final class DueHeap implements AutoCloseable
{
    /** Bytes of an entry: key (64), due (64), note (32). */
    static final int ENTRY = 20;

    private static final int DUE = 8;
    private static final int NOTE = 16;

    private long capacity = 64;
    private long entries = UnsafeApi.allocateMemory(capacity * ENTRY);
    private long size;

    static void put(final long entry, final long due, final long key, final int note)
    {
        UnsafeApi.putLong(entry, key);
        UnsafeApi.putLong(entry + DUE, due);
        UnsafeApi.putInt(entry + NOTE, note);
    }

    static void visit(final long entry, final Calendar.Visitor visitor)
    {
        final long key = UnsafeApi.getLong(entry);
        visitor.entry(due(entry), Calendar.slot(key), Calendar.ref(key), UnsafeApi.getInt(entry + NOTE));
    }

    long firstDue()
    {
        return size == 0 ? Calendar.NOTHING_DUE : due(entries);
    }

    long firstKey()
    {
        return UnsafeApi.getLong(entries);
    }

    int firstNote()
    {
        return UnsafeApi.getInt(entries + NOTE);
    }

    void push(final long entry)
    {
        push(due(entry), UnsafeApi.getLong(entry), UnsafeApi.getInt(entry + NOTE));
    }

    void push(final long due, final long key, final int note)
    {
        if (size == capacity)
        {
            capacity <<= 1;
            entries = UnsafeApi.reallocateMemory(entries, capacity * ENTRY);
        }
        long hole = size++;
        while (hole > 0)
        {
            final long parent = (hole - 1) >> 2;
            if (!isBefore(due, key, at(parent)))
            {
                break;
            }
            copy(at(parent), at(hole));
            hole = parent;
        }
        put(at(hole), due, key, note);
    }

    /** Removes the earliest entry; there must be one. */
    void pop()
    {
        size--;
        final long moved = at(size);
        final long due = due(moved);
        final long key = UnsafeApi.getLong(moved);
        final int note = UnsafeApi.getInt(moved + NOTE);
        long hole = 0;
        long child = 1;
        while (child < size)
        {
            final long end = Math.min(child + 4, size);
            long least = child;
            for (long i = child + 1; i < end; i++)
            {
                least = isBefore(due(at(i)), UnsafeApi.getLong(at(i)), at(least)) ? i : least;
            }
            if (!isBefore(due(at(least)), UnsafeApi.getLong(at(least)), due, key))
            {
                break;
            }
            copy(at(least), at(hole));
            hole = least;
            child = (hole << 2) + 1;
        }
        put(at(hole), due, key, note);
    }

    void clear()
    {
        size = 0;
    }

    void forEach(final Calendar.Visitor visitor)
    {
        for (long i = 0; i < size; i++)
        {
            visit(at(i), visitor);
        }
    }

    long bytes()
    {
        return capacity * ENTRY;
    }

    @Override
    public void close()
    {
        UnsafeApi.freeMemory(entries);
        entries = 0;
    }

    private long at(final long i)
    {
        return entries + i * ENTRY;
    }

    private static long due(final long entry)
    {
        return UnsafeApi.getLong(entry + DUE);
    }

    private static boolean isBefore(final long due, final long key, final long entry)
    {
        return isBefore(due, key, due(entry), UnsafeApi.getLong(entry));
    }

    private static boolean isBefore(final long due, final long key, final long otherDue, final long otherKey)
    {
        return due < otherDue || (due == otherDue && key < otherKey);
    }

    private static void copy(final long from, final long to)
    {
        UnsafeApi.putLong(to, UnsafeApi.getLong(from));
        UnsafeApi.putLong(to + DUE, UnsafeApi.getLong(from + DUE));
        UnsafeApi.putInt(to + NOTE, UnsafeApi.getInt(from + NOTE));
    }
}
