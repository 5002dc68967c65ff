package io.tidemark.operator.join;

import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.keyed.Agenda;
import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.Calendar;
import io.tidemark.store.Lines;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import io.tidemark.store.TimeIndex;
import org.agrona.UnsafeApi;

/**
 * What the clocks bring about: rows without a pair become final exactly when they close, and rows that are gone
 * leave the state (SEMANTICS.md sections 5, 6 and 9). Nothing is scanned for it:
 *
 * <ul>
 * <li>a row that waits to become final has an entry in the calendar of the clock that closes it, at that very
 *     time;</li>
 * <li>every key with rows has an entry for its clean-up, put off to a coarse grid so that a busy key is visited a few
 *     times in a row's life and a quiet one once.</li>
 * </ul>
 *
 * <p>An entry is only a reason to look. What is found decides, so entries that have lost their cause do no harm.
 */
final class Expiry
{
    /** Note of a clean-up entry; that of a row's entry is the hash of its id, which is never 0. */
    static final int CLEAN_UP = 0;

    /** A key is looked at because of a row's entry. */
    private static final int ONLY_LOOK = -1;

    /** A key is looked at because of its own clocks. */
    static final int NO_ENTRY = -2;

    private static final int TOUCHED_AT_ONCE = 64;

    /** Bytes. */
    private static final int FIRST_ROWS = 512;

    private final PipelineSpec spec;
    private final JoinPolicy policy;
    private final Clocks clocks;
    private final KeyClocks keyClocks;
    private final Slots slots;
    private final Keys keys;
    private final RowStates states;
    private final ChangeSetEncoder changes;
    private final KeyRefs moved;
    private final Sweeper sweeper;
    private final Pruner pruner;
    private final Agenda[] agendas = new Agenda[2];
    private final FinalRows finals;

    /** Keys to look at again: the clock of a clean-up entry or what else led to them, and when it was due. */
    private final KeyRefs visited = new KeyRefs();
    /** Calendars that had too many entries when one more came: slot, and the clock in place of the key. */
    private final KeyRefs crowded = new KeyRefs();
    private final RowCursor cursor = new RowCursor();
    private final Lines lines = new Lines();
    private final long leavingRow = UnsafeApi.allocateMemory(TimeIndex.LONGEST_BODY);

    Expiry(
        final PipelineSpec spec,
        final JoinPolicy policy,
        final Clocks clocks,
        final KeyClocks keyClocks,
        final Keys keys,
        final KeyRefs moved,
        final ChangeSetEncoder changes)
    {
        this.spec = spec;
        this.policy = policy;
        this.clocks = clocks;
        this.keyClocks = keyClocks;
        this.keys = keys;
        this.slots = keys.slots();
        this.states = new RowStates(policy);
        this.changes = changes;
        this.moved = moved;
        this.sweeper = new Sweeper(policy, states);
        this.pruner = new Pruner(policy);
        this.finals = new FinalRows(slots);
        for (int i = 0; i < 2; i++)
        {
            agendas[i] = new Agenda(spec.slots());
        }
    }

    /** Sees to it that a row, open as yet, will be looked at when it closes. Its page is noted as written to. */
    void schedulePending(final Slot slot, final int keyRef, final int side, final long row, final int hash)
    {
        final long time = RowDescriptor.time(row);
        final long end = RowDescriptor.end(row);
        final long due0 = policy.closes(0, side, time, end);
        final long due1 = policy.closes(1, side, time, end);
        if (keyClocks.isOn())
        {
            // One of the two may be passed by the key's own clock, so the row can't rely on either fallback.
            noteIfAhead(slot, keyRef, row, 0, due0, hash);
            noteIfAhead(slot, keyRef, row, 1, due1, hash);
            return;
        }
        final int clock = waitingClock(due0, due1);
        noteIfAhead(slot, keyRef, row, clock, clock == 0 ? due0 : due1, hash);
    }

    private void noteIfAhead(
        final Slot slot, final int keyRef, final long row, final int clock, final long due, final int hash)
    {
        if (clocks.fallback(clock) <= due && !RowDescriptor.isNoted(row, clock))
        {
            RowDescriptor.noted(row, clock, true);
            push(slot, keyRef, clock, due, hash);
        }
    }

    /** Sees to it that a key will be cleaned up when a row or tombstone of it may leave. */
    void scheduleCleanUp(final Slot slot, final int keyRef, final long key, final int side, final long row)
    {
        final long due0 = sweeper.leaves(0, side, row);
        final long due1 = sweeper.leaves(1, side, row);
        final int clock = waitingClock(due0, due1);
        cleanUpAfter(slot, keyRef, key, clock, clock == 0 ? due0 : due1);
    }

    /**
     * A row that the event at hand left without a pair although it is closed: it becomes final in this step 5. Its page
     * is noted as written to.
     */
    void becomesFinal(final Slot slot, final int keyRef, final int side, final long row)
    {
        RowDescriptor.flags(row, RowDescriptor.flags(row) | RowDescriptor.FINAL);
        finals.add(slot.number(), RowDescriptor.end(row), row + RowDescriptor.IMAGE, keyRef, side);
    }

    /** As {@link #becomesFinal}, for a row that another of the same id replaces in this position. */
    void becomesFinalAndLeaves(
        final Slot slot, final int keyRef, final int side, final long row, final int length)
    {
        UnsafeApi.copyMemory(row, leavingRow, length);
        becomesFinal(slot, keyRef, side, leavingRow);
    }

    /** Step 5 of a position, when the clocks have moved. */
    void run(final long position)
    {
        for (int clock = 0; clock < 2; clock++)
        {
            final long now = clocks.fallback(clock);
            if (agendas[clock].firstDue() < now)
            {
                collectDue(clock, now);
            }
        }
        for (int i = 0; i < moved.size(); i++)
        {
            collectClosed(moved.slot(i), moved.key(i), moved.first(i), moved.second(i));
            visitIfDue(moved.slot(i), moved.key(i));
        }
        moved.clear();
        if (finals.size() > 0)
        {
            publish(position);
        }
        if (visited.size() > 0)
        {
            cleanUpVisited();
        }
        if (crowded.size() > 0)
        {
            pruneCrowded();
        }
    }

    /** Takes out everything that is gone, looking at every row, in mid-event: for the moment before state is full. */
    void sweepAll()
    {
        visited.clear();
        keys.forEach(visited);
        for (int i = 0; i < visited.size(); i++)
        {
            sweep(slots.existing(visited.slot(i)), visited.key(i), true);
        }
        visited.clear();
    }

    /** Takes what is due from the slots' calendars, which have just been installed. */
    void rebuildAgendas()
    {
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            for (int clock = 0; slot != null && clock < 2; clock++)
            {
                agendas[clock].update(number, slot.calendar(clock).firstDue());
            }
        }
    }

    void close()
    {
        UnsafeApi.freeMemory(leavingRow);
        finals.close();
        visited.close();
        crowded.close();
    }

    private void collectDue(final int clock, final long now)
    {
        final Agenda agenda = agendas[clock];
        int number = agenda.nextSlot(0, now);
        while (number >= 0)
        {
            final Slot slot = slots.existing(number);
            final Calendar calendar = slot.calendar(clock);
            collectRipe(slot, calendar, clock, now);
            collectExact(slot, calendar, clock, now);
            calendar.settle();
            agenda.update(number, calendar.firstDue());
            touchNext(number, clock);
            number = agenda.nextSlot(number + 1, now);
        }
    }

    /** Buckets of neighbouring slots begin one after the other: what the next one will need is fetched meanwhile. */
    private void touchNext(final int number, final int clock)
    {
        final Slot next = slots.existing(number + 1 == slots.count() ? 0 : number + 1);
        if (next != null)
        {
            next.calendar(clock).addNext(lines);
            lines.fetch();
        }
    }

    /** Collects the keys whose clean-up is due, and sorts what is due exactly. */
    private void collectRipe(final Slot slot, final Calendar calendar, final int clock, final long now)
    {
        long due = calendar.openBucket(now);
        while (due != Calendar.NOTHING_DUE)
        {
            int keyRef = calendar.nextRipe();
            while (keyRef != 0)
            {
                visited.add(slot.number(), keyRef, clock, due);
                keyRef = calendar.nextRipe();
            }
            due = calendar.openBucket(now);
        }
    }

    private void collectExact(final Slot slot, final Calendar calendar, final int clock, final long now)
    {
        while (calendar.exactDue() < now)
        {
            final long due = calendar.exactDue();
            final int keyRef = calendar.exactRef();
            final int note = calendar.exactNote();
            calendar.popExact();
            if (note != CLEAN_UP)
            {
                collectPending(slot, keyRef, slot.arena().address(keyRef), note, clock, due);
            }
            visited.add(slot.number(), keyRef, note == CLEAN_UP ? clock : ONLY_LOOK, due);
        }
    }

    /** Collects the rows with a hash that are closed without a pair, or lets them wait for the other clock. */
    private void collectPending(
        final Slot slot, final int keyRef, final long key, final int hash, final int clock, final long due)
    {
        final int side = Keys.side(hash);
        final long clock0 = keyClocks.clock(slot.arena(), key, 0);
        final long clock1 = keyClocks.clock(slot.arena(), key, 1);
        boolean found = slot.rows().findFirst(cursor, KeyDescriptor.root(key, side), keyRef, hash);
        while (found)
        {
            slot.arena().writable(cursor.leaf());
            final long row = cursor.body();
            final boolean isMeant = RowDescriptor.isNoted(row, clock) &&
                due == policy.closes(clock, side, RowDescriptor.time(row), RowDescriptor.end(row));
            if (isMeant)
            {
                RowDescriptor.noted(row, clock, false);
            }
            if (states.isPending(side, row))
            {
                if (!states.isOpen(side, row, clock0, clock1))
                {
                    becomesFinal(slot, keyRef, side, row);
                }
                else if (isMeant)
                {
                    schedulePending(slot, keyRef, side, row, hash);
                }
            }
            found = slot.rows().findNext(cursor, keyRef, hash);
        }
    }

    /** Collects the rows of a key that its own clocks have closed since they stood at earlier values. */
    private void collectClosed(final int number, final int keyRef, final long before0, final long before1)
    {
        final Slot slot = slots.existing(number);
        final long key = slot.arena().address(keyRef);
        final long clock0 = keyClocks.clock(slot.arena(), key, 0);
        final long clock1 = keyClocks.clock(slot.arena(), key, 1);
        for (int side = 0; side < 2; side++)
        {
            boolean found = policy.publishesUnmatched(side) && slot.rows().seek(
                cursor, KeyDescriptor.root(key, side), policy.closedBefore(side, before0, before1));
            while (found && clock0 > policy.mayClose(0, side, cursor.start()) &&
                clock1 > policy.mayClose(1, side, cursor.start()))
            {
                final long row = cursor.body();
                if (states.isPending(side, row) && !states.isOpen(side, row, clock0, clock1))
                {
                    slot.arena().writable(cursor.leaf());
                    becomesFinal(slot, keyRef, side, row);
                }
                found = slot.rows().next(cursor);
            }
        }
    }

    /** Has a key cleaned up whose own clocks have passed what its clean-up waits for. */
    private void visitIfDue(final int number, final int keyRef)
    {
        final Slot slot = slots.existing(number);
        final long key = slot.arena().address(keyRef);
        boolean isDue = false;
        for (int clock = 0; clock < 2; clock++)
        {
            if (KeyDescriptor.cleanUp(key, clock) < keyClocks.clock(slot.arena(), key, clock))
            {
                slot.arena().writable(keyRef);
                KeyDescriptor.cleanUp(key, clock, Calendar.NOTHING_DUE);
                isDue = true;
            }
        }
        if (isDue)
        {
            // Counted as an entry, so that no other of this position frees the key before.
            KeyDescriptor.addCalendarEntries(key, 1);
            visited.add(number, keyRef, NO_ENTRY, 0);
        }
    }

    private void publish(final long position)
    {
        finals.sort();
        int ordinal = 0;
        for (int i = 0; i < finals.size(); i++)
        {
            final int number = finals.slot(i);
            ordinal = i > 0 && finals.slot(i - 1) == number ? ordinal + 1 : 1;
            final long key = slots.existing(number).arena().address(finals.key(i));
            final long image = finals.image(i);
            final int length = RowImage.lengthAt(image);
            final int side = finals.side(i);
            final long row = RowDescriptor.ofImage(image);
            changes.begin(position, number, ordinal, KeyedEngine.FIRST_EPOCH, KeyedEngine.FIRST_GENERATION,
                spec.rule().version(), ChangeSetEncoder.CAUSED_BY_CLOCK, 0, 0, side,
                key + KeyDescriptor.KEY, KeyDescriptor.keyLength(key));
            if ((RowDescriptor.flags(row) & RowDescriptor.PROVISIONAL) != 0)
            {
                changes.retractUnmatched(side, false, image, length);
                RowDescriptor.flags(row, RowDescriptor.flags(row) & ~RowDescriptor.PROVISIONAL);
            }
            changes.insertUnmatched(side, true, image, length);
            changes.commit();
        }
        finals.clear();
    }

    private void cleanUpVisited()
    {
        for (int from = 0; from < visited.size(); from += TOUCHED_AT_ONCE)
        {
            final int end = Math.min(from + TOUCHED_AT_ONCE, visited.size());
            touch(from, end);
            for (int i = from; i < end; i++)
            {
                cleanUp(slots.existing(visited.slot(i)), visited.key(i), (int)visited.first(i), visited.second(i));
            }
        }
        visited.clear();
    }

    /** What is done here may crowd a calendar again, but not all of them without end: keys are freed on the way. */
    private void pruneCrowded()
    {
        for (int i = 0; i < crowded.size(); i++)
        {
            final Slot slot = slots.existing(crowded.slot(i));
            final int clock = crowded.key(i);
            if (Pruner.isCrowded(slot, clock))
            {
                pruner.prune(slot, clock, visited);
                agendas[clock].update(slot.number(), slot.calendar(clock).firstDue());
                cleanUpVisited();
            }
        }
        crowded.clear();
    }

    /** Fetches what the clean-up of several keys will need, so that cache misses overlap. */
    private void touch(final int from, final int end)
    {
        for (int i = from; i < end; i++)
        {
            slots.existing(visited.slot(i)).arena().addBlock(lines, visited.key(i));
        }
        lines.fetch();
        for (int i = from; i < end; i++)
        {
            final Slot slot = slots.existing(visited.slot(i));
            final long key = slot.arena().address(visited.key(i));
            lines.add(slot.keys().line(KeyDescriptor.hash(key)));
            for (int side = 0; side < 2; side++)
            {
                final int root = KeyDescriptor.root(key, side);
                if (isElsewhere(root, visited.key(i)))
                {
                    lines.add(slot.arena().address(root));
                }
            }
        }
        lines.fetch();
        for (int i = from; i < end; i++)
        {
            final Slot slot = slots.existing(visited.slot(i));
            final long key = slot.arena().address(visited.key(i));
            for (int side = 0; side < 2; side++)
            {
                final int root = KeyDescriptor.root(key, side);
                if (isElsewhere(root, visited.key(i)))
                {
                    slot.rows().addFirst(lines, root, FIRST_ROWS);
                }
            }
        }
        lines.fetch();
    }

    /** A leaf in the key's own block was fetched with it. */
    private static boolean isElsewhere(final int root, final int keyRef)
    {
        return root != 0 && !KeyDescriptor.isHome(keyRef, root);
    }

    /** One entry of a key is done: that of a clock's clean-up, or one of another kind. */
    private void cleanUp(final Slot slot, final int keyRef, final int clock, final long due)
    {
        final long key = slot.arena().writable(keyRef);
        KeyDescriptor.addCalendarEntries(key, -1);
        final boolean isLive = clock >= 0 && KeyDescriptor.cleanUp(key, clock) == due;
        if (isLive)
        {
            KeyDescriptor.cleanUp(key, clock, Calendar.NOTHING_DUE);
        }
        if (isLive || clock == NO_ENTRY || !isCleanedUpLater(key))
        {
            sweep(slot, keyRef, false);
        }
    }

    /** Whether another entry sees to a key, so that one that has lost its cause need not. */
    private static boolean isCleanedUpLater(final long key)
    {
        return KeyDescriptor.cleanUp(key, 0) != Calendar.NOTHING_DUE ||
            KeyDescriptor.cleanUp(key, 1) != Calendar.NOTHING_DUE;
    }

    private void sweep(final Slot slot, final int keyRef, final boolean thoroughly)
    {
        final long key = slot.arena().writable(keyRef);
        keyClocks.freeIfReached(slot, key);
        sweeper.sweep(slot, key, thoroughly,
            keyClocks.clock(slot.arena(), key, 0), keyClocks.clock(slot.arena(), key, 1));
        keys.removed(slot, sweeper.removed());
        final long bundleNs = sweeper.hasSeveral() ? policy.bundleNs() : 0;
        for (int clock = 0; clock < 2; clock++)
        {
            if (sweeper.nextDue(clock) != Calendar.NOTHING_DUE)
            {
                cleanUpAfter(slot, keyRef, key, clock, Times.plus(sweeper.nextDue(clock), bundleNs));
            }
        }
        if (KeyDescriptor.calendarEntries(key) == 0)
        {
            releaseEmpty(slot, keyRef, key, thoroughly);
        }
    }

    /** Frees a key that has neither rows nor clocks, or lets it wait until the fallback has reached its clocks. */
    private void releaseEmpty(final Slot slot, final int keyRef, final long key, final boolean inMidEvent)
    {
        if (KeyDescriptor.clocks(key) == 0 && !inMidEvent)
        {
            keys.free(slot, keyRef);
        }
        else
        {
            final int side = keyClocks.hasOwn(slot.arena(), key, 0) ? 0 : 1;
            cleanUpAfter(slot, keyRef, key, side, keyClocks.clock(slot.arena(), key, side));
        }
    }

    private void cleanUpAfter(
        final Slot slot, final int keyRef, final long key, final int clock, final long exactDue)
    {
        final Calendar calendar = slot.calendar(clock);
        // What is withdrawn late may be due already.
        final long dueFromNow = Math.max(exactDue, clocks.fallback(clock));
        final long due = Math.min(calendar.putOff(dueFromNow), Calendar.NOTHING_DUE - 1);
        if (due < KeyDescriptor.cleanUp(key, clock))
        {
            slot.arena().writable(keyRef);
            KeyDescriptor.cleanUp(key, clock, due);
            final boolean hasGrown = calendar.pushLater(clocks.fallback(clock), due, keyRef, CLEAN_UP);
            pushed(slot, key, clock, calendar, hasGrown);
        }
    }

    private void push(final Slot slot, final int keyRef, final int clock, final long due, final int note)
    {
        final Calendar calendar = slot.calendar(clock);
        final boolean hasGrown = calendar.push(clocks.fallback(clock), due, keyRef, note);
        pushed(slot, slot.arena().writable(keyRef), clock, calendar, hasGrown);
    }

    private void pushed(
        final Slot slot, final long key, final int clock, final Calendar calendar, final boolean hasGrown)
    {
        KeyDescriptor.addCalendarEntries(key, 1);
        agendas[clock].update(slot.number(), calendar.firstDue());
        if (hasGrown && Pruner.isCrowded(slot, clock))
        {
            crowded.add(slot.number(), clock, 0, 0);
        }
    }

    private int waitingClock(final long due0, final long due1)
    {
        return JoinPolicy.waitingClock(clocks.fallback(0), clocks.fallback(1), due0, due1);
    }
}
