package io.tidemark.operator.session;

import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.SessionChangeSetEncoder;
import io.tidemark.operator.change.SessionImage;
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

/**
 * What the clock brings about: sessions become final exactly when it is past them, and what is gone leaves the state
 * (SEMANTICS.md sections 5, 7 and 9). Nothing is scanned for it:
 *
 * <ul>
 * <li>every key with sessions is looked at no later than its first session becomes final. Sessions of a key become
 *     final in their order, so those at the front are looked at then, and the first that is left follows;</li>
 * <li>every key with members or tombstones is cleaned up now and then.</li>
 * </ul>
 */
final class Finality
{
    /** Note of an entry for a key's first session. */
    private static final int SESSION = 1;

    /** Why a key is visited: nothing is to be done if an entry for its clean-up sees to it. */
    private static final int ONLY_LOOK = 0;
    private static final int CLEAN_UP = 1;

    private final PipelineSpec spec;
    private final SessionPolicy policy;
    private final Clocks clocks;
    private final KeyClocks keyClocks;
    private final Slots slots;
    private final Keys keys;
    private final SessionChangeSetEncoder encoder;
    private final KeyRefs moved;
    private final Sweeper sweeper;
    private final Agenda agenda;
    private final Agenda.Exact onExact = this::onSessionEntry;
    private final Agenda.CleanUp onCleanUp = this::cleanUp;
    private final FinalSessions finals;

    /** Keys to look at again: those whose sessions became final, and those that are due by their own clocks. */
    private final KeyRefs visited = new KeyRefs();
    private final RowCursor cursor = new RowCursor();

    Finality(
        final PipelineSpec spec,
        final SessionPolicy policy,
        final Clocks clocks,
        final KeyClocks keyClocks,
        final Keys keys,
        final KeyRefs moved,
        final Agenda agenda,
        final SessionChangeSetEncoder encoder)
    {
        this.spec = spec;
        this.policy = policy;
        this.clocks = clocks;
        this.keyClocks = keyClocks;
        this.keys = keys;
        this.slots = keys.slots();
        this.moved = moved;
        this.encoder = encoder;
        this.sweeper = new Sweeper(policy);
        this.agenda = agenda;
        this.finals = new FinalSessions(slots);
    }

    /** Sees to it that a session, open as yet, will be looked at when it becomes final. */
    void schedule(final Slot slot, final int keyRef, final long end)
    {
        final long due = policy.finalAfter(end);
        if (due < Trees.finalityDue(slot.arena().address(keyRef)))
        {
            final long key = slot.arena().writable(keyRef);
            Trees.finalityDue(key, due);
            agenda.add(slot, keyRef, due, SESSION);
        }
    }

    /** Sees to it that a key will be cleaned up when the clock is past a time. */
    void scheduleCleanUp(final Slot slot, final int keyRef, final long exactDue)
    {
        agenda.cleanUpAfter(slot, keyRef, slot.arena().address(keyRef), exactDue);
    }

    /** Step 5 of a position, when the clocks have moved. */
    void run(final long position)
    {
        if (agenda.isDue())
        {
            agenda.collect(onExact);
        }
        for (int i = 0; i < moved.size(); i++)
        {
            collectFinal(slots.existing(moved.slot(i)), moved.key(i));
            visitIfDue(slots.existing(moved.slot(i)), moved.key(i));
        }
        moved.clear();
        if (finals.size() > 0)
        {
            publish(position);
        }
        if (agenda.hasCleanUps())
        {
            agenda.cleanUp(onCleanUp);
        }
        if (visited.size() > 0)
        {
            cleanUpVisited();
        }
        if (agenda.isCrowded())
        {
            rebuildAgenda();
        }
    }

    /** Takes out everything that is gone, looking at every key, in mid-event: for the moment before state is full. */
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

    /** Makes the agenda anew from what keys say. */
    void rebuildAgenda()
    {
        agenda.clear();
        visited.clear();
        keys.forEach(visited);
        for (int i = 0; i < visited.size(); i++)
        {
            final Slot slot = slots.existing(visited.slot(i));
            final long key = slot.arena().address(visited.key(i));
            agenda.addCleanUp(slot, visited.key(i), key);
            if (Trees.finalityDue(key) != Calendar.NOTHING_DUE)
            {
                agenda.add(slot, visited.key(i), Trees.finalityDue(key), SESSION);
            }
        }
        visited.clear();
    }

    void close()
    {
        finals.close();
        visited.close();
    }

    private void onSessionEntry(
        final int clock, final Slot slot, final int keyRef, final int note, final long due)
    {
        if (Trees.finalityDue(slot.arena().address(keyRef)) == due)
        {
            Trees.finalityDue(slot.arena().writable(keyRef), Calendar.NOTHING_DUE);
            collectFinal(slot, keyRef);
            visited.add(slot.number(), keyRef, ONLY_LOOK, 0);
        }
    }

    /** Takes the final sessions of a key from the front, and sees to the first that is left. */
    private void collectFinal(final Slot slot, final int keyRef)
    {
        final long key = slot.arena().address(keyRef);
        final long clock = keyClocks.clock(slot.arena(), key, 0);
        while (slot.rows().first(cursor, Trees.sessionsRoot(key)))
        {
            final long session = cursor.body();
            if (!policy.isFinal(SessionDescriptor.end(session), clock))
            {
                schedule(slot, keyRef, SessionDescriptor.end(session));
                return;
            }
            finals.add(slot.number(), keyRef, SessionDescriptor.image(session));
            slot.arena().writable(keyRef);
            slot.rows().remove(Trees.sessions(key), cursor.leaf(), 1L << cursor.entry());
        }
    }

    /** Has a key cleaned up whose own clock has passed what its clean-up waits for. */
    private void visitIfDue(final Slot slot, final int keyRef)
    {
        final long cleanUpDue = Trees.cleanUpDue(slot.arena().address(keyRef));
        if (cleanUpDue < keyClocks.clock(slot.arena(), slot.arena().address(keyRef), 0))
        {
            final long key = slot.arena().writable(keyRef);
            Trees.cleanUpDue(key, Calendar.NOTHING_DUE);
            visited.add(slot.number(), keyRef, CLEAN_UP, 0);
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
            encoder.begin(position, number, ordinal, KeyedEngine.FIRST_EPOCH, KeyedEngine.FIRST_GENERATION,
                spec.rule().version(), ChangeSetEncoder.CAUSED_BY_CLOCK, 0, 0,
                key + KeyDescriptor.KEY, KeyDescriptor.keyLength(key));
            if (policy.isProvisional())
            {
                encoder.retract(image);
            }
            SessionImage.putPublication(image, position, true);
            encoder.insert(image);
            encoder.commit();
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
            if (slot.arena().isMarked(keyRef) && (visited.first(i) == CLEAN_UP ||
                Trees.cleanUpDue(slot.arena().address(keyRef)) == Calendar.NOTHING_DUE))
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

    private void sweep(final Slot slot, final int keyRef, final boolean thoroughly)
    {
        final long key = slot.arena().writable(keyRef);
        keyClocks.freeIfReached(slot, key);
        sweeper.sweep(slot, key, thoroughly, keyClocks.clock(slot.arena(), key, 0));
        keys.removed(slot, sweeper.removed());
        if (sweeper.isUnfinished())
        {
            goOnSoon(slot, keyRef, key);
        }
        else if (sweeper.nextDue() != Calendar.NOTHING_DUE)
        {
            final long bundleNs = sweeper.hasSeveral() ? policy.bundleNs() : 0;
            scheduleCleanUp(slot, keyRef, Times.plus(sweeper.nextDue(), bundleNs));
        }
        if (Trees.areEmpty(key))
        {
            releaseEmpty(slot, keyRef, key, thoroughly);
        }
    }

    /** Has the sweep go on when the clock moves next. */
    private void goOnSoon(final Slot slot, final int keyRef, final long key)
    {
        agenda.cleanUpAt(slot, keyRef, key, Math.max(clocks.fallback(0), Times.MIN));
    }

    /** Frees a key that has neither rows nor clocks, or lets it wait until the fallback has reached its clock. */
    private void releaseEmpty(final Slot slot, final int keyRef, final long key, final boolean inMidEvent)
    {
        if (KeyDescriptor.clocks(key) != 0 || inMidEvent)
        {
            scheduleCleanUp(slot, keyRef, keyClocks.clock(slot.arena(), key, 0));
        }
        else
        {
            keys.free(slot, keyRef);
        }
    }
}
