package io.tidemark.operator.keyed;

import io.tidemark.operator.clock.Clocks;
import io.tidemark.store.Lines;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;

/**
 * What keys have to do with the fallback clock of one input: clean-ups, one a key, and what is due exactly, as
 * operators know it by notes of theirs. A key says itself when its clean-up is due ({@link KeyDescriptor#cleanUp}), and
 * its rows tell of what is due exactly; an entry that nothing tells of any more has no effect at all, whatever key is
 * now where it names one. So a {@link Calendar} that was made anew from what is in pages serves as well as the one
 * before.
 *
 * <p>At a position, what is due exactly comes first ({@link #collect}), for rows are still there then; clean-ups follow
 * ({@link #cleanUp}). Each looks whether its key is still there, for one before it may have freed it.
 */
public final class Agenda implements AutoCloseable
{
    private static final int FETCHED_AT_ONCE = 64;

    /** Bytes. */
    private static final int FIRST_ROWS = 512;

    /** Entries, that few keys don't have a calendar made anew often. */
    private static final int FEW = 256;

    /** Deals with an exact entry that is due. */
    public interface Exact
    {
        /**
         * Called in the order of due times and, at one time, of keys; must not add or remove keys.
         *
         * @param clock that has passed it.
         * @param slot  of the key.
         * @param key   reference of a key, which may be another one than that which was meant.
         * @param note  of the entry.
         * @param due   when it was due.
         */
        void due(int clock, Slot slot, int key, int note, long due);
    }

    /** Cleans a key up. */
    public interface CleanUp
    {
        /**
         * Called in the order of due times and, at one time, of keys; may free the key, but must not add any.
         *
         * @param slot of the key.
         * @param key  its reference.
         */
        void cleanUp(Slot slot, int key);
    }

    private final Clocks clocks;
    private final int clock;
    private final Keys keys;
    private final Slots slots;
    private final Calendar calendar;
    private final DueKeys ripe = new DueKeys();
    private final Lines lines = new Lines();
    private final long[] next = new long[FETCHED_AT_ONCE];

    Agenda(final Clocks clocks, final int clock, final Keys keys, final long waitNs)
    {
        this.clocks = clocks;
        this.clock = clock;
        this.keys = keys;
        this.slots = keys.slots();
        this.calendar = new Calendar(waitNs);
    }

    /** The entries, for audits. */
    public Calendar calendar()
    {
        return calendar;
    }

    /** Whether something is due. */
    public boolean isDue()
    {
        return calendar.firstDue() < clocks.fallback(clock);
    }

    /** Has a key looked at when the clock is past a time that it has not passed yet. */
    public void add(final Slot slot, final int keyRef, final long due, final int note)
    {
        calendar.push(clocks.fallback(clock), due, Calendar.key(slot.number(), keyRef), note);
    }

    /** Has a key cleaned up when the clock is past a time, or a bit later. */
    public void cleanUpAfter(final Slot slot, final int keyRef, final long key, final long due)
    {
        // What is withdrawn late may be due already.
        final long putOff = calendar.putOff(
            Math.max(due, clocks.fallback(clock)), Calendar.key(slot.number(), keyRef));
        cleanUpAt(slot, keyRef, key, Math.min(putOff, Calendar.NOTHING_DUE - 1));
    }

    /** Has a key cleaned up when the clock is past a time that it has not passed yet, unless it is before. */
    public void cleanUpAt(final Slot slot, final int keyRef, final long key, final long due)
    {
        if (due < KeyDescriptor.cleanUp(key, clock))
        {
            slot.arena().writable(keyRef);
            KeyDescriptor.cleanUp(key, clock, due);
            calendar.pushLater(clocks.fallback(clock), due, Calendar.key(slot.number(), keyRef));
        }
    }

    /** Takes all that is due, and deals with what is exact. */
    public void collect(final Exact exact)
    {
        final long now = clocks.fallback(clock);
        while (calendar.take(now, ripe))
        {
            fetch(calendar.next(next));
        }
        fetch(calendar.next(next));
        while (calendar.exactDue() < now)
        {
            final long due = calendar.exactDue();
            final long key = calendar.exactKey();
            final int note = calendar.exactNote();
            calendar.popExact();
            if (note == Calendar.CLEAN_UP)
            {
                ripe.add(key, due);
            }
            else
            {
                final Slot slot = slotOf(key);
                if (slot != null)
                {
                    exact.due(clock, slot, Calendar.ref(key), note, due);
                }
            }
        }
        calendar.settle();
        ripe.sort();
    }

    /** Whether clean-ups were collected. */
    public boolean hasCleanUps()
    {
        return ripe.size() > 0;
    }

    /** Has the keys cleaned up of which that was collected. */
    public void cleanUp(final CleanUp visitor)
    {
        for (int from = 0; from < ripe.size(); from += FETCHED_AT_ONCE)
        {
            final int end = Math.min(from + FETCHED_AT_ONCE, ripe.size());
            if (from > 0)
            {
                fetch(from, end);
            }
            for (int i = from; i < end; i++)
            {
                cleanUp(visitor, ripe.key(i), ripe.due(i));
            }
        }
        ripe.clear();
    }

    /** The first were fetched with what follows them. */
    private void fetch(final int from, final int end)
    {
        for (int i = from; i < end; i++)
        {
            next[i - from] = ripe.key(i);
        }
        fetch(end - from);
    }

    private void cleanUp(final CleanUp visitor, final long key, final long due)
    {
        final Slot slot = slotOf(key);
        final int ref = Calendar.ref(key);
        if (slot != null && KeyDescriptor.cleanUp(slot.arena().address(ref), clock) == due)
        {
            KeyDescriptor.cleanUp(slot.arena().writable(ref), clock, Calendar.NOTHING_DUE);
            visitor.cleanUp(slot, ref);
        }
    }

    /**
     * Whether it is time to make it anew: it has grown to more than twice what can have a cause, an entry a row and two
     * a key. An entry can't be found when its cause goes, so it stays until the clock passes it; while a clock
     * stands still, rows that come and go would fill its calendar without end.
     */
    public boolean isCrowded()
    {
        return calendar.size() > FEW + slots.count() + 2 * keys.rows() + 4 * keys.count();
    }

    /** Forgets all, to be told anew. */
    public void clear()
    {
        calendar.clear();
    }

    /** Has a key cleaned up when it says that this is due. */
    public void addCleanUp(final Slot slot, final int keyRef, final long key)
    {
        final long due = KeyDescriptor.cleanUp(key, clock);
        if (due != Calendar.NOTHING_DUE)
        {
            calendar.pushLater(clocks.fallback(clock), due, Calendar.key(slot.number(), keyRef));
        }
    }

    /** Native memory that it takes, in bytes. */
    long bytes()
    {
        return calendar.bytes();
    }

    @Override
    public void close()
    {
        calendar.close();
        ripe.close();
    }

    /** The slot of a key, or null when there is no key now where an entry names one. */
    private Slot slotOf(final long key)
    {
        final Slot slot = slots.existing(Calendar.slot(key));
        return slot != null && slot.arena().isMarked(Calendar.ref(key)) ? slot : null;
    }

    /** Fetches what the next keys will need: blocks, then index and the first rows of both trees. */
    private void fetch(final int shown)
    {
        if (shown == 0)
        {
            return;
        }
        int count = 0;
        for (int i = 0; i < shown; i++)
        {
            final Slot slot = slotOf(next[i]);
            if (slot != null)
            {
                slot.arena().addBlock(lines, Calendar.ref(next[i]));
                next[count++] = next[i];
            }
        }
        lines.fetch();
        count = fetchRoots(count);
        for (int i = 0; i < count; i++)
        {
            final Slot slot = slots.existing(Calendar.slot(next[i]));
            final long key = slot.arena().address(Calendar.ref(next[i]));
            for (int side = 0; side < 2; side++)
            {
                final int root = KeyDescriptor.root(key, side);
                if (isElsewhere(root, Calendar.ref(next[i])))
                {
                    slot.rows().addFirst(lines, root, FIRST_ROWS);
                }
            }
        }
        lines.fetch();
    }

    /** Leaves in front those keys of which there are leaves to be fetched; returns how many. */
    private int fetchRoots(final int keyCount)
    {
        int count = 0;
        for (int i = 0; i < keyCount; i++)
        {
            final long name = next[i];
            final Slot slot = slots.existing(Calendar.slot(name));
            final long key = slot.arena().address(Calendar.ref(name));
            lines.add(slot.keys().line(KeyDescriptor.hash(key)));
            boolean has = false;
            for (int side = 0; side < 2; side++)
            {
                final int root = KeyDescriptor.root(key, side);
                if (isElsewhere(root, Calendar.ref(name)))
                {
                    lines.add(slot.arena().address(root));
                    has = true;
                }
            }
            next[count] = name;
            count += has ? 1 : 0;
        }
        lines.fetch();
        return count;
    }

    /** A leaf in the key's own block was fetched with it. */
    private static boolean isElsewhere(final int root, final int keyRef)
    {
        return root != 0 && !KeyDescriptor.isHome(keyRef, root);
    }
}
