package io.tidemark.operator.keyed;

import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.Arena;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import org.agrona.UnsafeApi;

/**
 * The clocks that keys have of their own in scope key (SEMANTICS.md section 3), in blocks of their slots; all blocks of
 * a slot are in a list.
 *
 * <pre>
 *   block    0 next (32), 4 previous (32), 8 key (32), 12 unused (32)
 *           16 W_k (2 x 64)            minus infinity: forgotten, the fallback F holds
 *           32 P_k (64 a source)       of accepted upserts only; minus infinity: none
 * </pre>
 *
 * <p>Between two changes of a key's own (an accepted upsert, a watermark event of its partitions, a partition that
 * becomes idle or active) "the rest" of the definition stands still and F only grows. So it is enough to look whether F
 * has reached it when the key is next looked at, provided that F is taken as it stood before the change at hand:
 * {@link #settle} remembers it.
 */
public final class KeyClocks
{
    private static final int NEXT = 0;
    private static final int PREVIOUS = 4;
    private static final int KEY = 8;
    private static final int WATERMARKS = 16;
    private static final int PARTITIONS = 32;

    private final Clocks clocks;
    private final Slots slots;
    private final boolean on;
    private final long delayNs;
    private final int sources;
    private final int sizeClass;
    private final long[] fallbackBefore = {Times.MINUS_INFINITY, Times.MINUS_INFINITY};
    private final KeyRefs moved;

    public KeyClocks(final PipelineSpec spec, final Clocks clocks, final Slots slots, final KeyRefs moved)
    {
        this.clocks = clocks;
        this.slots = slots;
        this.on = spec.watermark().keyScoped();
        this.delayNs = spec.watermark().delayNs();
        this.sources = spec.topology().sources();
        this.moved = moved;
        final int length = PARTITIONS + 8 * sources;
        if (on && length > Arena.sizeOf(Arena.LARGEST_CLASS))
        {
            throw new IllegalArgumentException("scope key takes at most " +
                (Arena.sizeOf(Arena.LARGEST_CLASS) - PARTITIONS) / 8 + " partitions in all, not " + sources);
        }
        this.sizeClass = on ? Arena.classFor(length) : 0;
    }

    public boolean isOn()
    {
        return on;
    }

    /** Size class of a key's block of clocks. */
    public int sizeClass()
    {
        return sizeClass;
    }

    /** What a key goes by: its own clock or the fallback, whichever is larger. */
    public long clock(final Arena arena, final long key, final int side)
    {
        final long fallback = clocks.fallback(side);
        final int ref = on ? KeyDescriptor.clocks(key) : 0;
        return ref == 0 ? fallback : Math.max(fallback, own(arena.address(ref), side));
    }

    /** Whether a key has a clock of its own on a side, which the fallback has not reached. */
    public boolean hasOwn(final Arena arena, final long key, final int side)
    {
        final int ref = on ? KeyDescriptor.clocks(key) : 0;
        return ref != 0 && own(arena.address(ref), side) > clocks.fallback(side);
    }

    private boolean hasOwn(final Arena arena, final long key)
    {
        return hasOwn(arena, key, 0) || (clocks.inputs() > 1 && hasOwn(arena, key, 1));
    }

    /** Step 5 of an accepted upsert. */
    public void accepted(final Slot slot, final int keyRef, final int source, final long time)
    {
        final Arena arena = slot.arena();
        final long key = arena.writable(keyRef);
        if (KeyDescriptor.clocks(key) == 0)
        {
            create(slot, keyRef, key);
        }
        final long block = arena.writable(KeyDescriptor.clocks(key));
        final int side = clocks.side(source);
        final long before0 = Math.max(own(block, 0), fallbackBefore[0]);
        final long before1 = Math.max(own(block, 1), fallbackBefore[1]);
        forgetWhatWasReached(block, side);
        final long partition = block + PARTITIONS + 8L * source;
        UnsafeApi.putLong(partition, Math.max(UnsafeApi.getLong(partition), Times.minus(time, delayNs)));
        if (advance(block, side))
        {
            moved.add(slot.number(), keyRef, before0, before1);
        }
    }

    /** After a watermark event of a partition: the keys that have rows from it follow. */
    public void onWatermark(final int source)
    {
        visitAll(source, clocks.side(source), clocks.side(source));
    }

    /** After partitions became idle or active. */
    public void onActivity()
    {
        visitAll(-1, 0, clocks.inputs() - 1);
        settle();
    }

    /** The change at hand is done. */
    public void settle()
    {
        for (int side = 0; side < clocks.inputs(); side++)
        {
            fallbackBefore[side] = clocks.fallback(side);
        }
    }

    /** Frees the block of a key that may be written to, if the fallback has reached all that is in it. */
    public void freeIfReached(final Slot slot, final long key)
    {
        final int ref = KeyDescriptor.clocks(key);
        if (ref == 0 || hasOwn(slot.arena(), key))
        {
            return;
        }
        final Arena arena = slot.arena();
        final long block = arena.address(ref);
        final int next = UnsafeApi.getInt(block + NEXT);
        final int previous = UnsafeApi.getInt(block + PREVIOUS);
        if (previous == 0)
        {
            SlotDescriptor.clocks(slot, next);
        }
        else
        {
            UnsafeApi.putInt(arena.writable(previous) + NEXT, next);
        }
        if (next != 0)
        {
            UnsafeApi.putInt(arena.writable(next) + PREVIOUS, previous);
        }
        SlotDescriptor.addClockBlocks(slot, -1);
        arena.free(ref, sizeClass);
        KeyDescriptor.clocks(key, 0);
    }

    private void visitAll(final int source, final int firstSide, final int lastSide)
    {
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            if (slot != null)
            {
                visit(slot, source, firstSide, lastSide);
            }
        }
    }

    private void visit(final Slot slot, final int source, final int firstSide, final int lastSide)
    {
        final Arena arena = slot.arena();
        int ref = SlotDescriptor.clocks(slot);
        while (ref != 0)
        {
            final long block = arena.address(ref);
            if (source < 0 || UnsafeApi.getLong(block + PARTITIONS + 8L * source) != Times.MINUS_INFINITY)
            {
                arena.writable(ref);
                final long before0 = Math.max(own(block, 0), fallbackBefore[0]);
                final long before1 = Math.max(own(block, 1), fallbackBefore[1]);
                boolean hasMoved = false;
                for (int side = firstSide; side <= lastSide; side++)
                {
                    forgetWhatWasReached(block, side);
                    hasMoved |= advance(block, side);
                }
                if (hasMoved)
                {
                    moved.add(slot.number(), UnsafeApi.getInt(block + KEY), before0, before1);
                }
            }
            ref = UnsafeApi.getInt(block + NEXT);
        }
    }

    private void create(final Slot slot, final int keyRef, final long key)
    {
        final Arena arena = slot.arena();
        final int ref = arena.allocate(sizeClass);
        final long block = arena.writable(ref);
        final int head = SlotDescriptor.clocks(slot);
        UnsafeApi.putInt(block + NEXT, head);
        UnsafeApi.putInt(block + KEY, keyRef);
        if (head != 0)
        {
            UnsafeApi.putInt(arena.writable(head) + PREVIOUS, ref);
        }
        SlotDescriptor.clocks(slot, ref);
        SlotDescriptor.addClockBlocks(slot, 1);
        forget(block, 0);
        forget(block, 1);
        KeyDescriptor.clocks(key, ref);
    }

    private void forgetWhatWasReached(final long block, final int side)
    {
        if (fallbackBefore[side] >= own(block, side))
        {
            forget(block, side);
        }
    }

    private void forget(final long block, final int side)
    {
        UnsafeApi.putLong(block + WATERMARKS + 8L * side, Times.MINUS_INFINITY);
        for (int source = 0; source < sources; source++)
        {
            if (clocks.side(source) == side)
            {
                UnsafeApi.putLong(block + PARTITIONS + 8L * source, Times.MINUS_INFINITY);
            }
        }
    }

    /** Moves a key's clock to what its partitions say, or forgets it; returns whether the clock moved. */
    private boolean advance(final long block, final int side)
    {
        long least = Times.PLUS_INFINITY;
        boolean any = false;
        for (int source = 0; source < sources; source++)
        {
            final long clock = UnsafeApi.getLong(block + PARTITIONS + 8L * source);
            if (clocks.side(source) == side && clock != Times.MINUS_INFINITY && clocks.isActive(source))
            {
                least = Math.min(least, Math.max(clock, clocks.largestWatermarkEvent(source)));
                any = true;
            }
        }
        final long before = own(block, side);
        final long rest = any ? Math.max(before, least) : before;
        if (clocks.fallback(side) >= rest)
        {
            forget(block, side);
            return false;
        }
        UnsafeApi.putLong(block + WATERMARKS + 8L * side, rest);
        return rest > before;
    }

    private static long own(final long block, final int side)
    {
        return UnsafeApi.getLong(block + WATERMARKS + 8L * side);
    }
}
