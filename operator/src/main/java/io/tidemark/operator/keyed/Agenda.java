package io.tidemark.operator.keyed;

import io.tidemark.store.Calendar;
import java.util.Arrays;

/**
 * Which slot has something due on a clock first: a tournament over the slots, so that an event at which nothing is due
 * costs one comparison. Derived from the slots' calendars.
 */
public final class Agenda
{
    private final int slots;
    private final long[] dues;

    public Agenda(final int slots)
    {
        this.slots = slots;
        this.dues = new long[2 * slots];
        Arrays.fill(dues, Calendar.NOTHING_DUE);
    }

    /** The earliest due time of all slots. */
    public long firstDue()
    {
        return dues[1];
    }

    /** The first slot from a number on that has something due before a clock, or -1. */
    public int nextSlot(final int from, final long clock)
    {
        if (from >= slots)
        {
            return -1;
        }
        int node = from + slots;
        // Up until a subtree to the right (or the leaf itself) has something due, then down to its first leaf.
        while (dues[node] >= clock)
        {
            while ((node & 1) == 1)
            {
                node >>= 1;
            }
            if (node == 0)
            {
                return -1;
            }
            node++;
        }
        while (node < slots)
        {
            node <<= 1;
            if (dues[node] >= clock)
            {
                node++;
            }
        }
        return node - slots;
    }

    public void update(final int slot, final long due)
    {
        int node = slot + slots;
        if (dues[node] == due)
        {
            return;
        }
        dues[node] = due;
        while (node > 1)
        {
            node >>= 1;
            final long earlier = Math.min(dues[2 * node], dues[2 * node + 1]);
            if (dues[node] == earlier)
            {
                return;
            }
            dues[node] = earlier;
        }
    }
}
