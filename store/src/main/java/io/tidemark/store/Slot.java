package io.tidemark.store;

/**
 * State of one slot: blocks, an index of keys, trees of rows and two calendars, all in the slot's own pages, so that it
 * can be enumerated, dropped and moved by itself. For one writer thread.
 */
public final class Slot
{
    private static final int KIND_KEYS = 0;
    private static final int KIND_ROWS = 1;
    private static final int KIND_CALENDAR = 2;

    private static final int KEYS_SIZE = 0;
    private static final int ROWS_SIZE = 8;
    private static final int CALENDAR_SIZE = 16;
    private static final int CALENDAR_TABLE = 32;
    private static final int FIELDS = 40;

    private final int number;
    private final Arena arena;
    private final HashIndex keys;
    private final HashIndex rowIndex;
    private final TimeIndex rows;
    private final Calendar calendar0;
    private final Calendar calendar1;
    private final long fields;

    /** A slot without pages, to be {@link #begin begun} or installed. */
    private Slot(final Arena arena, final int number, final Shared shared, final Buckets buckets)
    {
        this.number = number;
        this.arena = arena;
        final long header = arena.headerAddress();
        keys = new HashIndex(arena, KIND_KEYS, header + KEYS_SIZE);
        rowIndex = new HashIndex(arena, KIND_ROWS, header + ROWS_SIZE);
        rows = new TimeIndex(arena, rowIndex, shared);
        calendar0 = new Calendar(
            arena, KIND_CALENDAR, header + CALENDAR_SIZE, header + CALENDAR_TABLE, buckets, arena.besideHeader());
        calendar1 = new Calendar(arena, KIND_CALENDAR + 1, header + CALENDAR_SIZE + 8, header + CALENDAR_TABLE + 4,
            buckets, arena.besideHeader() + Calendar.ENDS_LENGTH);
        fields = header + FIELDS;
    }

    /** An empty slot in an arena without pages. */
    static Slot begin(final Arena arena, final int number, final Shared shared, final Buckets buckets)
    {
        arena.begin();
        final Slot slot = new Slot(arena, number, shared, buckets);
        slot.keys.begin();
        slot.rowIndex.begin();
        return slot;
    }

    /** A slot in an arena whose pages were all installed. */
    static Slot installed(final Arena arena, final int number, final Shared shared, final Buckets buckets)
    {
        if (!arena.installed())
        {
            throw new IllegalStateException("slot " + number + " can't be installed: its header counts other pages " +
                "than were given; the snapshot is damaged, use an older one");
        }
        final Slot slot = new Slot(arena, number, shared, buckets);
        slot.keys.installed();
        slot.rowIndex.installed();
        slot.calendar0.installed();
        slot.calendar1.installed();
        return slot;
    }

    /**
     * Number of the slot.
     *
     * @return from 0.
     */
    public int number()
    {
        return number;
    }

    /**
     * Blocks of the slot.
     *
     * @return the arena.
     */
    public Arena arena()
    {
        return arena;
    }

    /**
     * Index of keys.
     *
     * @return the index.
     */
    public HashIndex keys()
    {
        return keys;
    }

    /**
     * Rows of the slot's keys.
     *
     * @return the trees.
     */
    public TimeIndex rows()
    {
        return rows;
    }

    /**
     * What is due on a clock.
     *
     * @param clock 0 or 1.
     * @return the calendar.
     */
    public Calendar calendar(final int clock)
    {
        return clock == 0 ? calendar0 : calendar1;
    }

    /**
     * Where the operator keeps fields of its own in the slot's header: 256 bytes, zeroed at first.
     *
     * @return an address.
     */
    public long fields()
    {
        return fields;
    }

    /** Writes to their pages what is worked on elsewhere. */
    void writeBack()
    {
        calendar0.writeBack();
        calendar1.writeBack();
        arena.writeBack();
    }

    /** Index of the rows of trees with several leaves. */
    HashIndex rowIndex()
    {
        return rowIndex;
    }

    void drop()
    {
        closeDerived();
        arena.release();
        arena.free();
    }

    void close()
    {
        closeDerived();
        arena.free();
    }

    private void closeDerived()
    {
        keys.close();
        rowIndex.close();
        calendar0.close();
        calendar1.close();
    }

    static
    {
        assert Arena.BESIDE_LENGTH == 2 * Calendar.ENDS_LENGTH;
    }
}
