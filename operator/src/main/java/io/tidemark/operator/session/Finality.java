package io.tidemark.operator.session;

import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.SessionChangeSetEncoder;
import io.tidemark.operator.change.SessionImage;
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
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;

/**
 * What the clock brings about: sessions become final exactly when it is past them, and what is gone leaves the state
 * (SEMANTICS.md sections 5, 7 and 9). Nothing is scanned for it:
 *
 * <ul>
 * <li>every key with sessions has an entry in its slot's calendar that is due no later than its first session becomes
 *     final. Sessions of a key become final in their order, so when it is due, those at the front are looked at, and
 *     one entry follows for the first that is left;</li>
 * <li>every key with members or tombstones has an entry for its clean-up, put off to a coarse grid.</li>
 * </ul>
 *
 * <p>An entry is only a reason to look. What is found decides, so entries that have lost their cause do no harm.
 */
final class Finality
{
    /** Note of a clean-up entry, as entries have that were put off. */
    static final int CLEAN_UP = 0;

    /** A key is looked at because of its own clock, or of an entry that is no more. */
    static final int NO_ENTRY = -2;

    /** Note of an entry for a key's first session; such a key is not due for clean-up. */
    private static final int SESSION = 1;

    private static final int BUCKETS_PER_BUNDLE = 6;

    private final PipelineSpec spec;
    private final SessionPolicy policy;
    private final Clocks clocks;
    private final KeyClocks keyClocks;
    private final Slots slots;
    private final Keys keys;
    private final SessionChangeSetEncoder encoder;
    private final KeyRefs moved;
    private final Sweeper sweeper;
    private final Pruner pruner = new Pruner();
    private final Agenda agenda;
    private final FinalSessions finals;

    /** Keys to look at again: which kind of entry led to them, and when it was due. */
    private final KeyRefs visited = new KeyRefs();
    /** Slots whose calendars had too many entries when one more came. */
    private final KeyRefs crowded = new KeyRefs();
    private final RowCursor cursor = new RowCursor();

    Finality(
        final PipelineSpec spec,
        final SessionPolicy policy,
        final Clocks clocks,
        final KeyClocks keyClocks,
        final Keys keys,
        final KeyRefs moved,
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
        this.agenda = new Agenda(spec.slots());
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
            pushed(slot, key, slot.calendar(0).push(clocks.fallback(0), due, keyRef, SESSION));
        }
    }

    /** Sees to it that a key will be cleaned up when the clock is past a time. */
    void scheduleCleanUp(final Slot slot, final int keyRef, final long exactDue)
    {
        final Calendar calendar = slot.calendar(0);
        // What is withdrawn late may be due already.
        final long dueFromNow = Math.max(exactDue, clocks.fallback(0));
        final long due = Math.min(calendar.putOff(dueFromNow), Calendar.NOTHING_DUE - 1);
        if (due < Trees.cleanUpDue(slot.arena().address(keyRef)))
        {
            final long key = slot.arena().writable(keyRef);
            Trees.cleanUpDue(key, due);
            pushed(slot, key, calendar.pushLater(clocks.fallback(0), due, keyRef, CLEAN_UP));
        }
    }

    /** Step 5 of a position, when the clocks have moved. */
    void run(final long position)
    {
        final long now = clocks.fallback(0);
        if (agenda.firstDue() < now)
        {
            collectDue(now);
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
        if (visited.size() > 0)
        {
            cleanUpVisited();
        }
        if (crowded.size() > 0)
        {
            pruneCrowded();
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

    /** Takes what slots have due from their calendars, which have just been installed. */
    void rebuildAgenda()
    {
        for (int number = 0; number < slots.count(); number++)
        {
            final Slot slot = slots.existing(number);
            agenda.update(number, slot == null ? Calendar.NOTHING_DUE : slot.calendar(0).firstDue());
        }
    }

    void close()
    {
        finals.close();
        visited.close();
        crowded.close();
    }

    private void collectDue(final long now)
    {
        int number = agenda.nextSlot(0, now);
        while (number >= 0)
        {
            final Slot slot = slots.existing(number);
            final Calendar calendar = slot.calendar(0);
            collectRipe(slot, calendar, now);
            while (calendar.exactDue() < now)
            {
                final long due = calendar.exactDue();
                final int keyRef = calendar.exactRef();
                final int note = calendar.exactNote();
                calendar.popExact();
                visited.add(number, keyRef, note, due);
                if (note == SESSION)
                {
                    onSessionEntry(slot, keyRef, due);
                }
            }
            calendar.settle();
            agenda.update(number, calendar.firstDue());
            number = agenda.nextSlot(number + 1, now);
        }
    }

    private void collectRipe(final Slot slot, final Calendar calendar, final long now)
    {
        long due = calendar.openBucket(now);
        while (due != Calendar.NOTHING_DUE)
        {
            int keyRef = calendar.nextRipe();
            while (keyRef != 0)
            {
                visited.add(slot.number(), keyRef, CLEAN_UP, due);
                keyRef = calendar.nextRipe();
            }
            due = calendar.openBucket(now);
        }
    }

    private void onSessionEntry(final Slot slot, final int keyRef, final long due)
    {
        if (Trees.finalityDue(slot.arena().address(keyRef)) == due)
        {
            Trees.finalityDue(slot.arena().writable(keyRef), Calendar.NOTHING_DUE);
            collectFinal(slot, keyRef);
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
            // Counted as an entry, so that no other of this position frees the key before.
            KeyDescriptor.addCalendarEntries(key, 1);
            visited.add(slot.number(), keyRef, NO_ENTRY, 0);
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
            cleanUp(slots.existing(visited.slot(i)), visited.key(i), (int)visited.first(i), visited.second(i));
        }
        visited.clear();
    }

    /** What is done here may crowd a calendar again, but not all of them without end: keys are freed on the way. */
    private void pruneCrowded()
    {
        for (int i = 0; i < crowded.size(); i++)
        {
            final Slot slot = slots.existing(crowded.slot(i));
            if (Pruner.isCrowded(slot))
            {
                pruner.prune(slot, visited);
                agenda.update(slot.number(), slot.calendar(0).firstDue());
                cleanUpVisited();
            }
        }
        crowded.clear();
    }

    /** One entry of a key is done: that of its clean-up, or one of another kind. */
    private void cleanUp(final Slot slot, final int keyRef, final int kind, final long due)
    {
        final long key = slot.arena().writable(keyRef);
        KeyDescriptor.addCalendarEntries(key, -1);
        final boolean isLive = kind == CLEAN_UP && Trees.cleanUpDue(key) == due;
        if (isLive)
        {
            Trees.cleanUpDue(key, Calendar.NOTHING_DUE);
        }
        if (isLive || kind == NO_ENTRY || Trees.cleanUpDue(key) == Calendar.NOTHING_DUE)
        {
            sweep(slot, keyRef, false);
        }
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
            final long bundleNs = sweeper.hasSeveral() ? policy.bucketNs() * BUCKETS_PER_BUNDLE : 0;
            scheduleCleanUp(slot, keyRef, Times.plus(sweeper.nextDue(), bundleNs));
        }
        if (KeyDescriptor.calendarEntries(key) == 0)
        {
            releaseEmpty(slot, keyRef, key, thoroughly);
        }
    }

    /** Has the sweep go on when the clock moves next. */
    private void goOnSoon(final Slot slot, final int keyRef, final long key)
    {
        final long due = Math.max(clocks.fallback(0), Times.MIN);
        if (due < Trees.cleanUpDue(key))
        {
            Trees.cleanUpDue(key, due);
            pushed(slot, key, slot.calendar(0).push(clocks.fallback(0), due, keyRef, CLEAN_UP));
        }
    }

    /** Frees a key that has neither rows nor clocks, or lets it wait until the fallback has reached its clock. */
    private void releaseEmpty(final Slot slot, final int keyRef, final long key, final boolean inMidEvent)
    {
        if (KeyDescriptor.clocks(key) == 0 && !inMidEvent)
        {
            keys.free(slot, keyRef);
        }
        else
        {
            scheduleCleanUp(slot, keyRef, keyClocks.clock(slot.arena(), key, 0));
        }
    }

    private void pushed(final Slot slot, final long key, final boolean hasGrown)
    {
        KeyDescriptor.addCalendarEntries(key, 1);
        agenda.update(slot.number(), slot.calendar(0).firstDue());
        if (hasGrown && Pruner.isCrowded(slot))
        {
            crowded.add(slot.number(), 0, 0, 0);
        }
    }
}
