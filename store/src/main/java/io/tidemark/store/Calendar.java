package io.tidemark.store;

import org.agrona.UnsafeApi;

/**
 * What is due when on one clock, in a slot. Time is cut into buckets of equal width, and there are two kinds of
 * entries:
 *
 * <ul>
 * <li>{@link #push}: due at its very time. It waits in its bucket's list; when the clock reaches the bucket, the list
 *     goes into a heap, which stays as small as a bucket;</li>
 * <li>{@link #pushLater}: put off to the beginning of a bucket, where all that was put off to it is due together. It
 *     never sees the heap.</li>
 * </ul>
 *
 * <p>So both cost a write at the end of a list, wherever in the future they are due, and nothing is scanned. Entries
 * beyond the buckets at hand wait in the heap too, and so does what comes while there are few: lists of one or two
 * entries would cost more. What is pushed twice is there twice. Buckets of different slots begin at different times,
 * lest all slots have something due at once.
 *
 * <pre>
 *   table    0 opened (64)         number of the last bucket that the clock has reached
 *            8 waiting (2 x 64)    a bit for each bucket that has a list
 *           24 unused (64)
 *           32 exact (32 a bucket), later (32 a bucket): last chunk of each list, buckets modulo 128
 *   entry    due (64), ref (32), note (32); or ref (32)
 * </pre>
 */
public final class Calendar
{
    /** Due time of an empty calendar. */
    public static final long NOTHING_DUE = Long.MAX_VALUE;

    static final int BUCKETS = 128;

    /** Bytes that a calendar needs for the ends of its lists. */
    static final int ENDS_LENGTH = 2 * BucketLists.ENDS_LENGTH;

    private static final int TABLE_CLASS = 5;
    private static final int OPENED = 0;
    private static final int WAITING = 8;
    private static final int EXACT = 32;
    private static final int LATER = EXACT + 4 * BUCKETS;

    private static final int EXACT_ENTRY = 16;
    private static final int EXACT_REF = 8;
    private static final int EXACT_NOTE = 12;
    private static final int LATER_ENTRY = 4;

    /** Says which entries of a calendar are to be kept. */
    public interface Selection
    {
        /**
         * Asked once of every entry, in no order that means anything; must not change the calendar.
         *
         * @param due  of the entry.
         * @param ref  of the entry.
         * @param note of the entry, 0 for one that was put off.
         * @return whether it stays.
         */
        boolean keeps(long due, int ref, int note);
    }

    /** Looks at entries. */
    public interface Visitor
    {
        /**
         * Called once for every entry, in no order that means anything; must not change the calendar.
         *
         * @param due  of the entry.
         * @param ref  of the entry.
         * @param note of the entry, 0 for one that was put off.
         */
        void entry(long due, int ref, int note);
    }

    private final Arena arena;
    private final DueHeap heap;
    private final Buckets buckets;
    private final BucketLists exact;
    private final BucketLists later;
    private final long tableAddress;
    private int tableRef;
    private long table;

    /** As in the table. */
    private long opened;
    private long firstDue = NOTHING_DUE;

    /** What the opened bucket had put off: a chunk, and how many of its entries were not taken yet. */
    private int ripe;
    private int ripeCount;

    Calendar(
        final Arena arena,
        final int kind,
        final long sizeAddress,
        final long tableRefAddress,
        final Buckets buckets,
        final long ends)
    {
        this.arena = arena;
        this.heap = new DueHeap(arena, kind, sizeAddress);
        this.buckets = buckets;
        this.exact = new BucketLists(arena, EXACT, EXACT_ENTRY, ends);
        this.later = new BucketLists(arena, LATER, LATER_ENTRY, ends + BucketLists.ENDS_LENGTH);
        this.tableAddress = tableRefAddress;
    }

    /** Goes on from pages that were installed. */
    void installed()
    {
        heap.installed();
        tableRef = UnsafeApi.getInt(tableAddress);
        if (tableRef != 0)
        {
            setTable();
            opened = UnsafeApi.getLong(table + OPENED);
            exact.installed(opened + 1, BUCKETS - 1);
            later.installed(opened + 1, BUCKETS - 1);
        }
        settle();
    }

    /** Writes to pages what is worked on elsewhere. */
    void writeBack()
    {
        exact.writeBack();
        later.writeBack();
    }

    /**
     * Something has to be done when the clock is past this, though it may be only to sort a bucket.
     *
     * @return nanoseconds, or {@link #NOTHING_DUE}.
     */
    public long firstDue()
    {
        return firstDue;
    }

    /**
     * Adds the memory that the next {@link #openBucket} will need.
     *
     * @param lines to add to.
     */
    public void addNext(final Lines lines)
    {
        final long bucket = table == 0 ? Long.MIN_VALUE : nextWaiting();
        if (bucket != Long.MIN_VALUE)
        {
            exact.addLast(lines, bucket);
            later.addLast(lines, bucket);
        }
    }

    /**
     * When an entry that is put off will be due.
     *
     * @param due what it waits for.
     * @return that or a bit later.
     */
    public long putOff(final long due)
    {
        final long bucket = buckets.of(due);
        final long start = bucket == Long.MAX_VALUE ? NOTHING_DUE : buckets.start(bucket + 1);
        return start == NOTHING_DUE ? due : Math.max(start, due);
    }

    /**
     * Adds an entry that is due at its very time.
     *
     * @param clock where the clock stands; it has not passed the time.
     * @param due   its time, less than {@link #NOTHING_DUE}.
     * @param ref   any reference, not 0.
     * @param note  any number.
     * @return whether it takes memory of its own, so that it is time to look at {@link #size}.
     */
    public boolean push(final long clock, final long due, final int ref, final int note)
    {
        assert due != NOTHING_DUE && (due >= clock || clock == NOTHING_DUE) : "due at " + due + ", now " + clock;
        final long bucket = buckets.of(due);
        if (areMany() && isAtHand(bucket, clock))
        {
            appendExact(bucket, due, ref, note);
            firstDue = Math.min(firstDue, buckets.start(bucket));
            return exact.hasBegunChunk(bucket);
        }
        heap.push(due, ref, note);
        firstDue = Math.min(firstDue, due);
        return true;
    }

    /**
     * Adds an entry that may wait.
     *
     * @param clock where the clock stands; it has not passed the time.
     * @param due   a time that {@link #putOff} gave.
     * @param ref   any reference, not 0.
     * @param note  any number, which only an entry that waits in the heap keeps: it comes out as an exact one.
     * @return whether it takes memory of its own, so that it is time to look at {@link #size}.
     */
    public boolean pushLater(final long clock, final long due, final int ref, final int note)
    {
        final long bucket = buckets.of(due);
        if (areMany() && buckets.start(bucket) == due && isAtHand(bucket, clock))
        {
            UnsafeApi.putInt(later.append(bucket), ref);
            firstDue = Math.min(firstDue, due);
            return later.hasBegunChunk(bucket);
        }
        return push(clock, due, ref, note);
    }

    /**
     * Opens the next bucket that the clock has reached, if there is one with entries. What it had put off is to be
     * taken with {@link #nextRipe} before the next call.
     *
     * @param clock the clock.
     * @return when what it had put off was due, or {@link #NOTHING_DUE} when no bucket was opened.
     */
    public long openBucket(final long clock)
    {
        final long bucket = table == 0 ? Long.MIN_VALUE : nextWaiting();
        if (bucket == Long.MIN_VALUE || buckets.start(bucket) >= clock)
        {
            return NOTHING_DUE;
        }
        opened(bucket);
        mark(table, bucket, false);
        int chunk = exact.take(bucket);
        while (chunk != 0)
        {
            chunk = sortChunk(chunk);
        }
        ripen(later.take(bucket));
        return buckets.start(bucket);
    }

    /**
     * Takes an entry that the bucket opened last had put off.
     *
     * @return its reference, or 0 when there is none left.
     */
    public int nextRipe()
    {
        if (ripe == 0)
        {
            return 0;
        }
        ripeCount--;
        final int ref = UnsafeApi.getInt(later.entry(ripe, ripeCount));
        if (ripeCount == 0)
        {
            ripen(later.free(ripe));
        }
        return ref;
    }

    /**
     * The earliest entry of the heap.
     *
     * @return its due time, or {@link #NOTHING_DUE}.
     */
    public long exactDue()
    {
        return heap.firstDue();
    }

    /**
     * The reference of the earliest entry of the heap; there must be one.
     *
     * @return what was pushed.
     */
    public int exactRef()
    {
        return heap.firstRef();
    }

    /**
     * The note of the earliest entry of the heap; there must be one.
     *
     * @return what was pushed.
     */
    public int exactNote()
    {
        return heap.firstNote();
    }

    /** Removes the earliest entry of the heap; there must be one. */
    public void popExact()
    {
        heap.pop();
    }

    /** To be called when all that is due was taken. */
    public void settle()
    {
        final long bucket = table == 0 ? Long.MIN_VALUE : nextWaiting();
        firstDue = bucket == Long.MIN_VALUE ? heap.firstDue() : Math.min(heap.firstDue(), buckets.start(bucket));
    }

    /**
     * Number of entries that wait, those of the opened bucket not included.
     *
     * @return entries.
     */
    public long size()
    {
        return heap.size() + exact.size() + later.size();
    }

    /**
     * Drops entries. Not to be called while there are any to be taken.
     *
     * @param selection says which are kept.
     */
    public void keep(final Selection selection)
    {
        if (table != 0)
        {
            assert ripe == 0;
            noteTable();
            for (int i = 1; i < BUCKETS; i++)
            {
                final long bucket = opened + i;
                mark(table, bucket, false);
                keepExact(bucket, selection);
                keepLater(bucket, selection);
            }
        }
        heap.keep(selection);
        settle();
    }

    /**
     * Looks at all entries. Not to be called while there are any to be taken.
     *
     * @param visitor is shown each of them.
     */
    public void forEach(final Visitor visitor)
    {
        for (int i = 1; i < BUCKETS && table != 0; i++)
        {
            final long bucket = opened + i;
            visitExact(bucket, visitor);
            visitLater(bucket, visitor);
        }
        heap.forEach(visitor);
    }

    void close()
    {
        heap.close();
    }

    private void visitExact(final long bucket, final Visitor visitor)
    {
        for (int chunk = exact.last(bucket); chunk != 0; chunk = exact.previous(chunk))
        {
            for (int i = 0; i < exact.count(chunk); i++)
            {
                final long entry = exact.entry(chunk, i);
                visitor.entry(UnsafeApi.getLong(entry), ref(entry), note(entry));
            }
        }
    }

    private void visitLater(final long bucket, final Visitor visitor)
    {
        for (int chunk = later.last(bucket); chunk != 0; chunk = later.previous(chunk))
        {
            for (int i = 0; i < later.count(chunk); i++)
            {
                visitor.entry(buckets.start(bucket), UnsafeApi.getInt(later.entry(chunk, i)), 0);
            }
        }
    }

    /** Takes the list of a bucket apart and appends to it anew what is kept. */
    private void keepExact(final long bucket, final Selection selection)
    {
        int chunk = exact.take(bucket);
        while (chunk != 0)
        {
            final int count = exact.count(chunk);
            for (int i = 0; i < count; i++)
            {
                final long entry = exact.entry(chunk, i);
                final long due = UnsafeApi.getLong(entry);
                final int ref = ref(entry);
                final int note = note(entry);
                if (selection.keeps(due, ref, note))
                {
                    appendExact(bucket, due, ref, note);
                }
            }
            chunk = exact.free(chunk);
        }
    }

    private void keepLater(final long bucket, final Selection selection)
    {
        int chunk = later.take(bucket);
        while (chunk != 0)
        {
            final int count = later.count(chunk);
            for (int i = 0; i < count; i++)
            {
                final int ref = UnsafeApi.getInt(later.entry(chunk, i));
                if (selection.keeps(buckets.start(bucket), ref, 0))
                {
                    UnsafeApi.putInt(later.append(bucket), ref);
                }
            }
            chunk = later.free(chunk);
        }
    }

    private void ripen(final int chunk)
    {
        ripe = chunk;
        ripeCount = chunk == 0 ? 0 : later.count(chunk);
    }

    private boolean areMany()
    {
        return size() >= buckets.fewest();
    }

    /** Whether a bucket is ahead of the opened one, and near enough to have a place. */
    private boolean isAtHand(final long bucket, final long clock)
    {
        if (table == 0)
        {
            openTable(bucket - 1);
        }
        if (!Buckets.isWithin(bucket, opened, BUCKETS))
        {
            // Nothing waits between the opened bucket and the clock, so the buckets at hand may follow the clock.
            final long next = nextWaiting();
            final long reached = clock == Long.MIN_VALUE ? bucket - 1 : buckets.of(clock) - 1;
            opened(next == Long.MIN_VALUE ? reached : Math.max(opened, Math.min(reached, next - 1)));
        }
        return Buckets.isWithin(bucket, opened, BUCKETS);
    }

    private void openTable(final long bucket)
    {
        tableRef = arena.allocate(TABLE_CLASS);
        UnsafeApi.putInt(tableAddress, tableRef);
        setTable();
        opened(bucket);
    }

    private void setTable()
    {
        table = arena.address(tableRef);
        exact.table(tableRef, table);
        later.table(tableRef, table);
    }

    private void opened(final long bucket)
    {
        noteTable();
        UnsafeApi.putLong(table + OPENED, bucket);
        opened = bucket;
    }

    private void appendExact(final long bucket, final long due, final int ref, final int note)
    {
        final long entry = exact.append(bucket);
        UnsafeApi.putLong(entry, due);
        UnsafeApi.putInt(entry + EXACT_REF, ref);
        UnsafeApi.putInt(entry + EXACT_NOTE, note);
    }

    private static int ref(final long exactEntry)
    {
        return UnsafeApi.getInt(exactEntry + EXACT_REF);
    }

    private static int note(final long exactEntry)
    {
        return UnsafeApi.getInt(exactEntry + EXACT_NOTE);
    }

    private int sortChunk(final int chunk)
    {
        final int count = exact.count(chunk);
        for (int i = 0; i < count; i++)
        {
            final long entry = exact.entry(chunk, i);
            heap.push(UnsafeApi.getLong(entry), ref(entry), note(entry));
        }
        return exact.free(chunk);
    }

    /** The table is about to be written to. */
    private void noteTable()
    {
        arena.writable(tableRef);
    }

    /** Notes in a table that is noted as written to whether a bucket has a list. */
    static void mark(final long table, final long bucket, final boolean waits)
    {
        final long word = table + WAITING + (bucket & 64) / 8;
        final long bit = 1L << bucket;
        final long bits = UnsafeApi.getLong(word);
        UnsafeApi.putLong(word, waits ? bits | bit : bits & ~bit);
    }

    /** The next bucket with entries, or {@link Long#MIN_VALUE}. */
    private long nextWaiting()
    {
        return Buckets.next(opened, UnsafeApi.getLong(table + WAITING),
            UnsafeApi.getLong(table + WAITING + Long.BYTES));
    }
}
