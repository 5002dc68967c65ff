package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What the clocks showed at every position, twice: before its event was judged, and after its step 5. Filled once
 * over all sources, then read while one key after the other is recomputed. 32 bytes a position.
 */
final class ClockHistory
{
    /** A moment at which more than the fallback clocks changed: a partition fell idle, woke up or made a promise. */
    static final class Change
    {
        /** See {@link #momentBefore} and {@link #momentAfter}. */
        final long moment;
        /** Fallback clocks of both sides just before. */
        final long[] earlier;
        /** Fallback clocks of both sides then. */
        final long[] fallback;
        /** By source. */
        final boolean[] active;
        /** Largest watermark event by source. */
        final long[] promise;

        private Change(final long moment, final long[] earlier, final ClockModel clocks)
        {
            this.moment = moment;
            this.earlier = earlier;
            fallback = fallbacks(clocks);
            active = new boolean[clocks.sources()];
            promise = new long[clocks.sources()];
            for (int source = 0; source < active.length; source++)
            {
                active[source] = clocks.isActive(source);
                promise[source] = clocks.promise(source);
            }
        }
    }

    private final boolean keepsChanges;
    private final List<Change> changes = new ArrayList<>();
    private long[] before = new long[1 << 12];
    private long[] after = new long[1 << 12];
    private long position;
    private boolean isAfter = true;
    private long[] latest = {Long.MIN_VALUE, Long.MIN_VALUE};

    ClockHistory(final boolean keepsChanges)
    {
        this.keepsChanges = keepsChanges;
    }

    static long momentBefore(final long position)
    {
        return position << 1;
    }

    static long momentAfter(final long position)
    {
        return position << 1 | 1;
    }

    /** Called for changes ahead of the {@link #before} or {@link #after} of the same moment. */
    void changed(final ClockModel clocks)
    {
        if (keepsChanges)
        {
            final long moment = isAfter ? momentBefore(position + 1) : momentAfter(position);
            changes.add(new Change(moment, latest, clocks));
        }
        latest = fallbacks(clocks);
    }

    void before(final ClockModel clocks)
    {
        position++;
        isAfter = false;
        before = store(before, clocks);
    }

    void after(final ClockModel clocks)
    {
        isAfter = true;
        after = store(after, clocks);
    }

    private long[] store(final long[] target, final ClockModel clocks)
    {
        final int at = Math.toIntExact(position * 2);
        final long[] grown = at + 2 <= target.length ? target : Arrays.copyOf(target, target.length * 2);
        latest = fallbacks(clocks);
        grown[at] = latest[0];
        grown[at + 1] = latest[1];
        return grown;
    }

    private static long[] fallbacks(final ClockModel clocks)
    {
        return new long[]{clocks.fallback(0), clocks.fallback(1)};
    }

    /** Fallback clock of a side when the event at a position was judged; the watermark in scope partition. */
    long fallbackBefore(final int side, final long atPosition)
    {
        return before[Math.toIntExact(atPosition * 2) + side];
    }

    /** The same after the position's step 5. */
    long fallbackAfter(final int side, final long atPosition)
    {
        return after[Math.toIntExact(atPosition * 2) + side];
    }

    /** Last position seen. */
    long position()
    {
        return position;
    }

    List<Change> changes()
    {
        return changes;
    }
}
