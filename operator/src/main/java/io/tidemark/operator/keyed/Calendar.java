package io.tidemark.operator.keyed;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * What is due when on one clock, for all keys of a worker. Entries name keys by slot and reference. They can't be found
 * when they lose their cause, so whoever takes one has to look whether the key still says that it is due then; what
 * keys say is also what a calendar is made from again when state was loaded. It lives in native memory and is in no
 * page.
 *
 * <p>Time is cut into buckets of equal width, and there are two kinds of entries:
 *
 * <ul>
 * <li>{@link #push}: due at its very time. It waits in its bucket's list; when the clock reaches the bucket, the list
 *     goes into a heap, which stays as small as a bucket;</li>
 * <li>{@link #pushLater}: put off to a time in a bucket that follows from the key, so that not all are due
 *     together. It never sees the heap: when the clock reaches the bucket, its list is sorted by these times.</li>
 * </ul>
 *
 * <p>So both cost a write at the end of a list, and as most of what is pushed at one time is due at about one time, the
 * ends of the lists are near. Nothing is scanned. Entries beyond the buckets at hand wait in the heap too. What is
 * pushed twice is there twice.
 *
 * <pre>
 *   key                      slot (32), reference (32)
 *   entry that was put off   key (64)
 *   exact entry              key (64), due (64), note (32)
 * </pre>
 */
public final class Calendar implements AutoCloseable
{
    /** Due time of an empty calendar. */
    public static final long NOTHING_DUE = Long.MAX_VALUE;

    /** Note of an entry that was put off. */
    public static final int CLEAN_UP = 0;

    /** Buckets for each time that is usually waited for. */
    private static final int BUCKETS_PER_WAIT = 512;

    private static final int BUCKETS = 4 * BUCKETS_PER_WAIT;

    private static final long NO_BUCKET = Long.MIN_VALUE;
    private static final int LATER_ENTRY = 8;
    private static final int MOST_SHOWN = 64;
    private static final int LEAST_SHOWN = 16;
    private static final int MOST_SHIFT = 56;

    /** Looks at entries. */
    public interface Visitor
    {
        /**
         * Called once for every entry, in no order that means anything; must not change the calendar.
         *
         * @param due  of the entry.
         * @param slot of the key.
         * @param ref  of the key.
         * @param note of the entry, {@link #CLEAN_UP} for one that was put off.
         */
        void entry(long due, int slot, int ref, int note);
    }

    private final int widthShift;
    private final DueHeap heap = new DueHeap();
    private final ChunkPool pool = new ChunkPool();
    private final BucketLists later = new BucketLists(pool, BUCKETS, LATER_ENTRY);
    private final BucketLists exact = new BucketLists(pool, BUCKETS, DueHeap.ENTRY);
    private final long[] waiting = new long[BUCKETS / Long.SIZE];

    /** The last bucket that the clock has reached; nothing waits in it or before it. */
    private long opened;
    private boolean hasOpened;
    private long firstDue = NOTHING_DUE;
    private long size;

    /** What was put off to the opened bucket, by due time, and how much of that was taken and shown. */
    private final RipeKeys ripe = new RipeKeys();
    private int taken;
    private int shown;

    /** Keys of exact entries in the opened bucket that were not shown yet. */
    private final long[] sorted = new long[MOST_SHOWN];
    private int sortedCount;

    /**
     * Creates an empty calendar.
     *
     * @param waitNs for how long an entry usually waits, at least 1.
     */
    public Calendar(final long waitNs)
    {
        widthShift = Math.min(MOST_SHIFT, 63 - Long.numberOfLeadingZeros(Math.max(1, waitNs / BUCKETS_PER_WAIT)));
    }

    /** Something has to be done when the clock is past this, though it may be only to sort a bucket. */
    public long firstDue()
    {
        return firstDue;
    }

    /** When a key's entry that waits for a time will be due if it is put off: then or a bit later. */
    public long putOff(final long due, final long key)
    {
        final long bucket = bucket(due);
        final long sameBucket = start(bucket) + phase(key);
        final long nextBucket = ((bucket + 1) << widthShift) + phase(key);
        return sameBucket >= due ? sameBucket : Math.max(due, nextBucket);
    }

    /**
     * Adds an entry that is due at its very time.
     *
     * @param clock where the clock stands; it has not passed the time.
     * @param due   its time, less than {@link #NOTHING_DUE}.
     * @param key   which key, see {@link #key}.
     * @param note  any number but {@link #CLEAN_UP}.
     */
    public void push(final long clock, final long due, final long key, final int note)
    {
        assert due != NOTHING_DUE && (due >= clock || clock == NOTHING_DUE) : "due at " + due + ", now " + clock;
        final long bucket = bucket(due);
        if (isAtHand(bucket, clock))
        {
            DueHeap.put(append(exact, bucket), due, key, note);
            firstDue = Math.min(firstDue, start(bucket));
        }
        else
        {
            pushToHeap(due, key, note);
        }
    }

    /**
     * Adds an entry that may wait.
     *
     * @param clock where the clock stands; it has not passed the time.
     * @param due   a time that {@link #putOff} gave.
     * @param key   which key, see {@link #key}.
     */
    public void pushLater(final long clock, final long due, final long key)
    {
        final long bucket = bucket(due);
        if (start(bucket) + phase(key) == due && isAtHand(bucket, clock))
        {
            UnsafeApi.putLong(append(later, bucket), key);
            firstDue = Math.min(firstDue, start(bucket));
        }
        else
        {
            pushToHeap(due, key, CLEAN_UP);
        }
    }

    /**
     * Takes what was put off and is due, bucket by bucket; sorts what is exact in them.
     *
     * @param clock the clock.
     * @param due   is given what was put off to the bucket at hand.
     * @return whether the clock has reached a next bucket, which is open now.
     */
    boolean take(final long clock, final DueKeys due)
    {
        final long start = start(opened);
        while (taken < ripe.size())
        {
            final long key = ripe.key(taken);
            final long dueTime = start + phase(key);
            if (dueTime >= clock)
            {
                return false;
            }
            due.add(key, dueTime);
            taken++;
            size--;
        }
        final long bucket = nextWaiting();
        if (bucket == NO_BUCKET || start(bucket) >= clock)
        {
            return false;
        }
        open(bucket);
        return true;
    }

    private void open(final long bucket)
    {
        opened = bucket;
        final int place = place(bucket);
        waiting[place >>> 6] &= ~(1L << place);
        sortedCount = exact.copyKeys(place, sorted);
        for (long chunk = exact.take(place); chunk != 0; chunk = pool.free(chunk))
        {
            for (int i = 0; i < ChunkPool.count(chunk); i++)
            {
                heap.push(exact.entry(chunk, i));
            }
        }
        ripe.clear();
        for (long chunk = later.take(place); chunk != 0; chunk = pool.free(chunk))
        {
            for (int i = 0; i < ChunkPool.count(chunk); i++)
            {
                ripe.add(UnsafeApi.getLong(later.entry(chunk, i)));
            }
        }
        ripe.sort();
        taken = 0;
        shown = 0;
    }

    /** The earliest entry of the heap, due {@link #NOTHING_DUE} when there is none. */
    long exactDue()
    {
        return heap.firstDue();
    }

    long exactKey()
    {
        return heap.firstKey();
    }

    int exactNote()
    {
        return heap.firstNote();
    }

    /** Removes the earliest entry of the heap; there must be one. */
    void popExact()
    {
        heap.pop();
        size--;
    }

    /** To be called when all that is due was taken. */
    void settle()
    {
        final long bucket = nextWaiting();
        firstDue = bucket == NO_BUCKET ? heap.firstDue() : Math.min(heap.firstDue(), start(bucket));
        if (taken < ripe.size())
        {
            firstDue = Math.min(firstDue, start(opened) + phase(ripe.key(taken)));
        }
    }

    /**
     * Shows keys for them to be fetched, each once: those of exact entries in the bucket that was opened last, and
     * those that were put off to it and taken since, with some that follow so that they are not too few.
     *
     * @param keys to fill.
     * @return how many.
     */
    int next(final long[] keys)
    {
        int count = 0;
        while (sortedCount > 0 && count < keys.length)
        {
            keys[count++] = sorted[--sortedCount];
        }
        if (taken > shown)
        {
            final int end = Math.min(ripe.size(), Math.max(taken, shown + LEAST_SHOWN));
            while (shown < end && count < keys.length)
            {
                keys[count++] = ripe.key(shown++);
            }
            shown = Math.max(shown, taken);
        }
        return count;
    }

    /** A key as entries name it. */
    public static long key(final int slot, final int ref)
    {
        return (long)slot << 32 | (ref & 0xFFFF_FFFFL);
    }

    /** Slot of a key. */
    static int slot(final long key)
    {
        return (int)(key >>> 32);
    }

    /** Reference of a key's block. */
    static int ref(final long key)
    {
        return (int)key;
    }

    /** Number of entries, those that have lost their cause included. */
    public long size()
    {
        return size;
    }

    /** Native memory that it takes, in bytes. */
    public long bytes()
    {
        return heap.bytes() + pool.bytes() + ripe.bytes();
    }

    /** Drops all entries. */
    void clear()
    {
        for (long bucket = nextWaiting(); bucket != NO_BUCKET; bucket = nextWaiting(bucket))
        {
            later.drop(place(bucket));
            exact.drop(place(bucket));
        }
        Arrays.fill(waiting, 0);
        heap.clear();
        ripe.clear();
        taken = 0;
        shown = 0;
        sortedCount = 0;
        hasOpened = false;
        size = 0;
        firstDue = NOTHING_DUE;
    }

    /** Looks at all entries. Not to be called while there are any to be taken. */
    public void forEach(final Visitor visitor)
    {
        for (long bucket = nextWaiting(); bucket != NO_BUCKET; bucket = nextWaiting(bucket))
        {
            for (long chunk = later.last(place(bucket)); chunk != 0; chunk = ChunkPool.previous(chunk))
            {
                for (int i = 0; i < ChunkPool.count(chunk); i++)
                {
                    final long key = UnsafeApi.getLong(later.entry(chunk, i));
                    visitor.entry(start(bucket) + phase(key), slot(key), ref(key), CLEAN_UP);
                }
            }
            for (long chunk = exact.last(place(bucket)); chunk != 0; chunk = ChunkPool.previous(chunk))
            {
                for (int i = 0; i < ChunkPool.count(chunk); i++)
                {
                    DueHeap.visit(exact.entry(chunk, i), visitor);
                }
            }
        }
        for (int i = taken; i < ripe.size(); i++)
        {
            final long key = ripe.key(i);
            visitor.entry(start(opened) + phase(key), slot(key), ref(key), CLEAN_UP);
        }
        heap.forEach(visitor);
    }

    /** Frees native memory. */
    @Override
    public void close()
    {
        heap.close();
        pool.close();
        ripe.close();
    }

    private void pushToHeap(final long due, final long key, final int note)
    {
        heap.push(due, key, note);
        size++;
        firstDue = Math.min(firstDue, due);
    }

    private long append(final BucketLists lists, final long bucket)
    {
        final int place = place(bucket);
        waiting[place >>> 6] |= 1L << place;
        size++;
        return lists.append(place);
    }

    /** Whether a bucket is ahead of the opened one, and near enough to have a place. */
    private boolean isAtHand(final long bucket, final long clock)
    {
        if (!hasOpened)
        {
            if (clock == Long.MIN_VALUE)
            {
                // Nobody knows yet where the clock will begin.
                return false;
            }
            hasOpened = true;
            opened = Math.min(bucket, bucket(clock)) - 1;
        }
        if (!isWithin(bucket) && taken == ripe.size())
        {
            // Nothing waits between the opened bucket and the clock, so the buckets at hand may follow the clock.
            final long next = nextWaiting();
            final long reached = bucket(clock) - 1;
            opened = next == NO_BUCKET ? reached : Math.max(opened, Math.min(reached, next - 1));
        }
        return isWithin(bucket);
    }

    /** Exact for buckets at opposite ends of time too. */
    private boolean isWithin(final long bucket)
    {
        return bucket > opened && Long.compareUnsigned(bucket - opened, BUCKETS) < 0;
    }

    private long nextWaiting()
    {
        return nextWaiting(opened);
    }

    /** The next bucket with entries behind one that is at hand, or {@link #NO_BUCKET}. */
    private long nextWaiting(final long after)
    {
        final int from = place(after + 1);
        final int left = BUCKETS - 1 - (int)(after - opened);
        int skipped = 0;
        while (skipped < left)
        {
            final int place = from + skipped & BUCKETS - 1;
            final long bits = waiting[place >>> 6] >>> place;
            if (bits != 0)
            {
                skipped += Long.numberOfTrailingZeros(bits);
                return skipped < left ? after + 1 + skipped : NO_BUCKET;
            }
            skipped += Long.SIZE - (place & 63);
        }
        return NO_BUCKET;
    }

    private long bucket(final long time)
    {
        return time >> widthShift;
    }

    /** Beginning of a bucket, within the range of finite times. */
    private long start(final long bucket)
    {
        return Math.max(bucket << widthShift, Long.MIN_VALUE + 1);
    }

    /** Where in a bucket the clean-up of a key is due. */
    private long phase(final long key)
    {
        return ((long)RipeKeys.part(key) << widthShift) / RipeKeys.PARTS;
    }

    private static int place(final long bucket)
    {
        return (int)bucket & BUCKETS - 1;
    }
}
