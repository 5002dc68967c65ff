package io.tidemark.store;

import java.util.SplittableRandom;
import org.agrona.UnsafeApi;

/**
 * Uses slots in every way, at random: rows, keys and calendars come and go. What it does depends on the seed and on the
 * slots' content alone, so that two that begin alike go on alike.
 */
final class RandomUse
{
    private static final int TREES = 3;
    private static final int HASHES = 400;

    private final SplittableRandom random;
    private final RowCursor cursor = new RowCursor();
    private long clock;

    RandomUse(final long seed)
    {
        random = new SplittableRandom(seed);
    }

    private RandomUse(final RandomUse other, final long seed)
    {
        random = new SplittableRandom(seed);
        clock = other.clock;
    }

    /** One that goes on from where this one is, with a seed of its own. */
    RandomUse from(final long seed)
    {
        return new RandomUse(this, seed);
    }

    void steps(final Slots slots, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final Slot slot = slots.slot(random.nextInt(slots.count()));
            if (UnsafeApi.getInt(slot.fields()) == 0)
            {
                for (int tree = 0; tree < TREES; tree++)
                {
                    UnsafeApi.putInt(slot.fields() + 4L * tree, slot.arena().allocate(0));
                }
            }
            step(slot);
        }
    }

    private void step(final Slot slot)
    {
        switch (random.nextInt(8))
        {
            case 0, 1 -> insert(slot);
            case 2 -> remove(slot);
            case 3 -> slot.keys().insert(random.nextInt(HASHES) << 23, 1 + random.nextInt(1_000));
            case 4 -> removeKey(slot, random.nextInt(HASHES) << 23);
            case 5, 6 -> push(slot.calendar(random.nextInt(2)));
            default ->
            {
                clock += random.nextInt(random.nextInt(20) == 0 ? 4_000 : 30);
                take(slot.calendar(0));
                take(slot.calendar(1));
            }
        }
    }

    private void insert(final Slot slot)
    {
        final int owner = owner(slot);
        final long body = slot.rows().insert(slot.arena().writable(owner), owner, random.nextInt(1_000),
            random.nextInt(HASHES), 48 + random.nextInt(random.nextInt(4) == 0 ? 352 : 20));
        UnsafeApi.putLong(body, random.nextLong());
    }

    private void remove(final Slot slot)
    {
        final int owner = owner(slot);
        final long root = slot.arena().writable(owner);
        if (slot.rows().seek(cursor, UnsafeApi.getInt(root), random.nextInt(1_000)))
        {
            final long others = random.nextLong() & ((1L << cursor.rows()) - 1);
            slot.rows().remove(root, cursor.leaf(), others | (1L << cursor.entry()));
        }
    }

    private int owner(final Slot slot)
    {
        return UnsafeApi.getInt(slot.fields() + 4L * random.nextInt(TREES));
    }

    private static void removeKey(final Slot slot, final int hash)
    {
        final int ref = slot.keys().first(hash);
        if (ref != 0)
        {
            slot.keys().remove(hash, ref);
        }
    }

    private void push(final Calendar calendar)
    {
        final long due = clock + random.nextInt(random.nextInt(10) == 0 ? 100_000 : 9_000);
        if (random.nextBoolean())
        {
            calendar.push(clock, due, 1 + random.nextInt(1_000), random.nextInt());
        }
        else
        {
            calendar.pushLater(clock, calendar.putOff(due), 1 + random.nextInt(1_000), 0);
        }
    }

    private void take(final Calendar calendar)
    {
        if (calendar.firstDue() >= clock)
        {
            return;
        }
        while (calendar.openBucket(clock) != Calendar.NOTHING_DUE)
        {
            int ref = calendar.nextRipe();
            while (ref != 0)
            {
                ref = calendar.nextRipe();
            }
        }
        while (calendar.exactDue() < clock)
        {
            calendar.popExact();
        }
        calendar.settle();
    }
}
