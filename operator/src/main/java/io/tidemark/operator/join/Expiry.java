package io.tidemark.operator.join;

import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.keyed.Agenda;
import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
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
 * <li>a row that waits to become final is noted in the agenda of the clock that closes it, for that very time;</li>
 * <li>every key with rows that are not noted is cleaned up, a busy one a few times in a row's life and a quiet one
 *     once.</li>
 * </ul>
 */
final class Expiry
{
    /** Why a key is visited: nothing is to be done if an entry for its clean-up sees to it. */
    private static final int ONLY_LOOK = 0;
    private static final int CLEAN_UP = 1;

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
    private final Agenda[] agendas;
    private final Agenda.Exact onExact = this::collectPending;
    private final Agenda.CleanUp onCleanUp = this::cleanUp;
    private final FinalRows finals;

    /** Keys to look at again: those of rows that an agenda meant, and those that are due by their own clocks. */
    private final KeyRefs visited = new KeyRefs();
    private final RowCursor cursor = new RowCursor();
    private final long leavingRow = UnsafeApi.allocateMemory(TimeIndex.LONGEST_BODY);

    Expiry(
        final PipelineSpec spec,
        final JoinPolicy policy,
        final Clocks clocks,
        final KeyClocks keyClocks,
        final Keys keys,
        final KeyRefs moved,
        final Agenda leftAgenda,
        final Agenda rightAgenda,
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
        this.finals = new FinalRows(slots);
        this.agendas = new Agenda[]{leftAgenda, rightAgenda};
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
            agendas[clock].add(slot, keyRef, due, hash);
        }
    }

    /** Sees to it that a key will be cleaned up when a row or tombstone of it may leave. */
    void scheduleCleanUp(final Slot slot, final int keyRef, final long key, final int side, final long row)
    {
        final long due0 = sweeper.leaves(0, side, row);
        final long due1 = sweeper.leaves(1, side, row);
        final int clock = waitingClock(due0, due1);
        agendas[clock].cleanUpAfter(slot, keyRef, key, clock == 0 ? due0 : due1);
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
            if (agendas[clock].isDue())
            {
                agendas[clock].collect(onExact);
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
        for (int clock = 0; clock < 2; clock++)
        {
            if (agendas[clock].hasCleanUps())
            {
                agendas[clock].cleanUp(onCleanUp);
            }
        }
        if (visited.size() > 0)
        {
            cleanUpVisited();
        }
        if (agendas[0].isCrowded() || agendas[1].isCrowded())
        {
            rebuildAgendas();
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

    /** Makes the agendas anew from what keys and rows say. */
    void rebuildAgendas()
    {
        agendas[0].clear();
        agendas[1].clear();
        visited.clear();
        keys.forEach(visited);
        for (int i = 0; i < visited.size(); i++)
        {
            final Slot slot = slots.existing(visited.slot(i));
            final int keyRef = visited.key(i);
            final long key = slot.arena().address(keyRef);
            for (int side = 0; side < 2; side++)
            {
                agendas[side].addCleanUp(slot, keyRef, key);
                if (policy.publishesUnmatched(side))
                {
                    addNoted(slot, keyRef, key, side);
                }
            }
        }
        visited.clear();
    }

    private void addNoted(final Slot slot, final int keyRef, final long key, final int side)
    {
        boolean found = slot.rows().first(cursor, KeyDescriptor.root(key, side));
        while (found)
        {
            final long row = cursor.body();
            for (int clock = 0; clock < 2; clock++)
            {
                if (RowDescriptor.isNoted(row, clock))
                {
                    agendas[clock].add(slot, keyRef,
                        policy.closes(clock, side, RowDescriptor.time(row), RowDescriptor.end(row)), cursor.hash());
                }
            }
            found = slot.rows().next(cursor);
        }
    }

    void close()
    {
        UnsafeApi.freeMemory(leavingRow);
        finals.close();
        visited.close();
    }

    /** Collects the rows with a hash that are closed without a pair, or lets them wait for the other clock. */
    private void collectPending(
        final int clock, final Slot slot, final int keyRef, final int hash, final long due)
    {
        final long key = slot.arena().address(keyRef);
        final int side = Keys.side(hash);
        final long clock0 = keyClocks.clock(slot.arena(), key, 0);
        final long clock1 = keyClocks.clock(slot.arena(), key, 1);
        boolean isAnyMeant = false;
        boolean found = slot.rows().findFirst(cursor, KeyDescriptor.root(key, side), keyRef, hash);
        while (found)
        {
            slot.arena().writable(cursor.leaf());
            final long row = cursor.body();
            final boolean isMeant = RowDescriptor.isNoted(row, clock) &&
                due == policy.closes(clock, side, RowDescriptor.time(row), RowDescriptor.end(row));
            if (isMeant)
            {
                isAnyMeant = true;
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
        if (isAnyMeant)
        {
            visited.add(slot.number(), keyRef, ONLY_LOOK, 0);
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
            visited.add(number, keyRef, CLEAN_UP, 0);
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
        for (int i = 0; i < visited.size(); i++)
        {
            final Slot slot = slots.existing(visited.slot(i));
            final int keyRef = visited.key(i);
            // One before may have freed it.
            if (slot.arena().isMarked(keyRef) &&
                (visited.first(i) == CLEAN_UP || !isCleanedUpLater(slot.arena().address(keyRef))))
            {
                cleanUp(slot, keyRef);
            }
        }
        visited.clear();
    }

    private void cleanUp(final Slot slot, final int keyRef)
    {
        sweep(slot, keyRef, false);
    }

    /** Whether an entry for its clean-up sees to a key, so that others need not. */
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
                agendas[clock].cleanUpAfter(slot, keyRef, key, Times.plus(sweeper.nextDue(clock), bundleNs));
            }
        }
        if (KeyDescriptor.root(key, 0) == 0 && KeyDescriptor.root(key, 1) == 0)
        {
            releaseEmpty(slot, keyRef, key, thoroughly);
        }
    }

    /** Frees a key that has neither rows nor clocks, or lets it wait until the fallback has reached its clocks. */
    private void releaseEmpty(final Slot slot, final int keyRef, final long key, final boolean inMidEvent)
    {
        if (KeyDescriptor.clocks(key) != 0 || inMidEvent)
        {
            final int side = keyClocks.hasOwn(slot.arena(), key, 0) ? 0 : 1;
            agendas[side].cleanUpAfter(slot, keyRef, key, keyClocks.clock(slot.arena(), key, side));
        }
        else
        {
            keys.free(slot, keyRef);
        }
    }

    private int waitingClock(final long due0, final long due1)
    {
        return JoinPolicy.waitingClock(clocks.fallback(0), clocks.fallback(1), due0, due1);
    }
}
