package io.tidemark.operator.join;

import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.SlotAudit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.agrona.UnsafeApi;

/**
 * Looks at all that an engine holds, between two positions, and throws at the first thing that is not as it must be:
 * what {@link SlotAudit} knows of trees and memory, and what the join needs: counts, and that whatever waits for a
 * clock will be met by it.
 */
final class StateAudit
{
    private record Entry(int clock, long due, int key, int note)
    {
    }

    private record Held(int side, long start, long end, long row, boolean open)
    {
    }

    private final CensusTaker state;
    private final Clocks clocks;
    private final Slot slot;
    private final SlotAudit audit;
    private final Set<Entry> entries;
    private boolean isMet;
    private final Set<Integer> clockBlocks = new HashSet<>();
    private long keys;
    private long rows;

    private StateAudit(final JoinEngine engine, final Slot slot, final Set<Entry> entries)
    {
        this.entries = entries;
        this.state = engine.censusTaker();
        this.clocks = engine.clocks();
        this.slot = slot;
        this.audit = new SlotAudit(slot);
    }

    /** Audits everything. */
    static void of(final JoinEngine engine)
    {
        long keys = 0;
        long rows = 0;
        final var slots = engine.censusTaker().keys.slots();
        final List<Set<Entry>> entries = entries(engine, slots.count());
        for (int number = 0; number < slots.count(); number++)
        {
            if (slots.existing(number) != null)
            {
                final StateAudit audit = new StateAudit(engine, slots.existing(number), entries.get(number));
                audit.run();
                keys += audit.keys;
                rows += audit.rows;
            }
        }
        require(keys == engine.keyCount(), keys + " keys, counted as " + engine.keyCount());
        require(rows == engine.rows(), rows + " rows, counted as " + engine.rows());
    }

    private void run()
    {
        for (int place = 0; place < slot.keys().places(); place++)
        {
            for (int entry = 0; entry < slot.keys().entries(place); entry++)
            {
                final int ref = slot.keys().refAt(place, entry);
                if (ref != 0)
                {
                    key(ref);
                }
            }
        }
        require(keys == slot.keys().size(), "size of the index of keys");
        int listed = 0;
        for (int ref = UnsafeApi.getInt(slot.fields()); ref != 0; ref = UnsafeApi.getInt(slot.arena().address(ref)))
        {
            listed++;
            require(clockBlocks.contains(ref), "clocks in the list that no key has");
        }
        require(listed == clockBlocks.size(), "clocks of keys that are not in the list");
        audit.finish();
    }

    /** The entries of all calendars, by slot. */
    private static List<Set<Entry>> entries(final JoinEngine engine, final int slots)
    {
        final List<Set<Entry>> entries = new ArrayList<>();
        for (int i = 0; i < slots; i++)
        {
            entries.add(new HashSet<>());
        }
        for (int i = 0; i < 2; i++)
        {
            final int clock = i;
            final Calendar calendar = engine.calendar(clock);
            final long now = engine.clocks().fallback(clock);
            final long[] seen = new long[1];
            calendar.forEach((due, slot, ref, note) ->
            {
                require(due >= now, "an entry that was due is still there");
                require(due >= calendar.firstDue(), "a calendar that is looked into too late");
                entries.get(slot).add(new Entry(clock, due, ref, note));
                seen[0]++;
            });
            require(seen[0] == calendar.size(), seen[0] + " entries, counted as " + calendar.size());
        }
        return entries;
    }

    private void key(final int ref)
    {
        final long key = slot.arena().address(ref);
        audit.block(ref, KeyDescriptor.sizeClass(key));
        keys++;
        final int length = KeyDescriptor.keyLength(key);
        final long hash = KeyHash.hash(key + KeyDescriptor.KEY, length);
        require(KeyDescriptor.hash(key) == (int)(hash >>> 32), "hash of a key");
        require(state.keys.find(slot, KeyDescriptor.hash(key), key + KeyDescriptor.KEY, length) == ref,
            "a key is not found");
        if (KeyDescriptor.clocks(key) != 0)
        {
            audit.block(KeyDescriptor.clocks(key), state.keyClocks.sizeClass());
            clockBlocks.add(KeyDescriptor.clocks(key));
        }
        isMet = false;
        for (int clock = 0; clock < 2; clock++)
        {
            final long due = KeyDescriptor.cleanUp(key, clock);
            isMet |= due != Calendar.NOTHING_DUE;
            require(due == Calendar.NOTHING_DUE ||
                entries.contains(new Entry(clock, due, ref, Calendar.CLEAN_UP)),
                "a clean-up that is not in the calendar");
        }
        rows(ref, key);
        require(isMet, "no entry will ever reach a key");
    }

    private void rows(final int ref, final long key)
    {
        final List<List<Held>> held = List.of(new ArrayList<>(), new ArrayList<>());
        final int[] tombstones = new int[1];
        for (int side = 0; side < 2; side++)
        {
            final int ofSide = side;
            rows += audit.tree(KeyDescriptor.root(key, side), ref, cursor ->
            {
                if (RowDescriptor.isTombstone(cursor.body()))
                {
                    tombstones[0]++;
                    require(RowDescriptor.pairs(cursor.body()) == 0, "a tombstone with pairs");
                }
                else
                {
                    held.get(ofSide).add(row(ref, key, ofSide, cursor));
                }
            });
        }
        require(tombstones[0] == KeyDescriptor.tombstones(key), "count of tombstones");
        for (int side = 0; side < 2; side++)
        {
            for (final Held row : held.get(side))
            {
                pairs(row, held.get(1 - side));
            }
        }
    }

    private Held row(final int ref, final long key, final int side, final RowCursor cursor)
    {
        final long row = cursor.body();
        final long image = row + RowDescriptor.IMAGE;
        require(cursor.hash() == Keys.idHash(side, image), "hash of an id");
        final long time = RowDescriptor.time(row);
        final long end = RowDescriptor.end(row);
        require(RowDescriptor.largestTime(row) >= time, "the largest time is not the largest");
        require(cursor.start() <= end, "a row that ends before it starts");
        final long clock0 = state.keyClocks.clock(slot.arena(), key, 0);
        final long clock1 = state.keyClocks.clock(slot.arena(), key, 1);
        final boolean isOpen = state.states.isOpen(side, row, clock0, clock1);
        for (int clock = 0; clock < 2; clock++)
        {
            isMet |= RowDescriptor.isNoted(row, clock);
            require(!RowDescriptor.isNoted(row, clock) || entries.contains(new Entry(
                clock, state.policy.closes(clock, side, time, end), ref, cursor.hash())),
                "a row is noted where it is not");
        }
        if (state.states.isPending(side, row))
        {
            require(isOpen, "a closed row without a pair that is not final");
            boolean isRowMet = false;
            for (int clock = 0; clock < 2; clock++)
            {
                final long closes = state.policy.closes(clock, side, time, end);
                final boolean isAhead = clocks.fallback(clock) <= closes;
                final boolean isNoted = entries.contains(new Entry(
                    clock, closes, ref, cursor.hash()));
                isRowMet |= isAhead && isNoted;
                require(!state.keyClocks.isOn() || !isAhead || isNoted, "a row that the fallback will miss");
            }
            require(isRowMet, "a row that no clock will meet");
        }
        return new Held(side, cursor.start(), end, row, isOpen);
    }

    /** The pairs that can still change are exactly those of rows at hand of which one is open. */
    private static void pairs(final Held row, final List<Held> others)
    {
        int current = 0;
        for (final Held other : others)
        {
            current += (row.open || other.open) && row.start <= other.end && other.start <= row.end ? 1 : 0;
        }
        final int pairs = RowDescriptor.pairs(row.row);
        require(row.open ? pairs == current : pairs >= current, pairs + " pairs, but there are " + current);
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
