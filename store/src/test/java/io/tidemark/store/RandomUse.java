package io.tidemark.store;

import java.util.SplittableRandom;
import org.agrona.UnsafeApi;

/**
 * Uses slots in every way, at random: rows and keys come and go. What it does depends on the seed and on the
 * slots' content alone, so that two that begin alike go on alike.
 */
final class RandomUse
{
    private static final int TREES = 3;
    private static final int HASHES = 400;

    private final SplittableRandom random;
    private final RowCursor cursor = new RowCursor();

    RandomUse(final long seed)
    {
        random = new SplittableRandom(seed);
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
        switch (random.nextInt(5))
        {
            case 0, 1 -> insert(slot);
            case 2 -> remove(slot);
            case 3 -> slot.keys().insert(random.nextInt(HASHES) << 23, 1 + random.nextInt(1_000));
            default -> removeKey(slot, random.nextInt(HASHES) << 23);
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
}
