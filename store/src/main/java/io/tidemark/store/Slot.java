package io.tidemark.store;

/**
 * State of one slot: blocks, an index of keys and trees of rows, all in the slot's own pages, so that it
 * can be enumerated, dropped and moved by itself. For one writer thread.
 */
public final class Slot
{
    private static final int KIND_KEYS = 0;
    private static final int KIND_ROWS = 1;

    private static final int KEYS_SIZE = 0;
    private static final int ROWS_SIZE = 8;
    private static final int FIELDS = 16;

    private final int number;
    private final Arena arena;
    private final HashIndex keys;
    private final HashIndex rowIndex;
    private final TimeIndex rows;
    private final long fields;

    /** A slot without pages, to be {@link #begin begun} or installed. */
    private Slot(final Arena arena, final int number, final Shared shared)
    {
        this.number = number;
        this.arena = arena;
        final long header = arena.headerAddress();
        keys = new HashIndex(arena, KIND_KEYS, header + KEYS_SIZE);
        rowIndex = new HashIndex(arena, KIND_ROWS, header + ROWS_SIZE);
        rows = new TimeIndex(arena, rowIndex, shared);
        fields = header + FIELDS;
    }

    /** An empty slot in an arena without pages. */
    static Slot begin(final Arena arena, final int number, final Shared shared)
    {
        arena.begin();
        final Slot slot = new Slot(arena, number, shared);
        slot.keys.begin();
        slot.rowIndex.begin();
        return slot;
    }

    /** A slot in an arena whose pages were all installed. */
    static Slot installed(final Arena arena, final int number, final Shared shared)
    {
        if (!arena.installed())
        {
            throw new IllegalStateException("slot " + number + " can't be installed: its header counts other pages " +
                "than were given; the snapshot is damaged, use an older one");
        }
        final Slot slot = new Slot(arena, number, shared);
        slot.keys.installed();
        slot.rowIndex.installed();
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
    }
}
