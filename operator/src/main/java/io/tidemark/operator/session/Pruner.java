package io.tidemark.operator.session;

import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.store.Calendar;
import io.tidemark.store.Slot;

/**
 * Takes entries that have lost their cause out of a calendar that holds too many of them. A key has a cause for two:
 * its clean-up, and the finality of its first session. When that becomes due earlier, the entry for the later time
 * stays until the clock passes it; while a clock stands still, sessions that come and go would fill the calendar
 * without end.
 */
final class Pruner
{
    private static final int FEW = 256;

    private final Calendar.Selection withCause = this::keeps;
    private final Calendar.Visitor restoring = this::restore;
    private Slot slot;
    private KeyRefs orphans;

    static boolean isCrowded(final Slot slot)
    {
        return slot.calendar(0).size() > FEW + 4 * slot.keys().size();
    }

    /** Keeps one of each kind of entry that has a cause, and adds keys that no entry names any more to a list. */
    void prune(final Slot ofSlot, final KeyRefs orphanKeys)
    {
        slot = ofSlot;
        orphans = orphanKeys;
        slot.calendar(0).keep(withCause);
        // What was kept was crossed off at its key, lest it is kept twice.
        slot.calendar(0).forEach(restoring);
        slot = null;
        orphans = null;
    }

    private boolean keeps(final long due, final int keyRef, final int note)
    {
        final long key = slot.arena().writable(keyRef);
        final boolean isCleanUp = note == Finality.CLEAN_UP;
        if (isCleanUp && Trees.cleanUpDue(key) == due)
        {
            Trees.cleanUpDue(key, Calendar.NOTHING_DUE);
            return true;
        }
        if (!isCleanUp && Trees.finalityDue(key) == due)
        {
            Trees.finalityDue(key, Calendar.NOTHING_DUE);
            return true;
        }
        KeyDescriptor.addCalendarEntries(key, -1);
        if (KeyDescriptor.calendarEntries(key) == 0)
        {
            KeyDescriptor.addCalendarEntries(key, 1);
            orphans.add(slot.number(), keyRef, Finality.NO_ENTRY, 0);
        }
        return false;
    }

    private void restore(final long due, final int keyRef, final int note)
    {
        final long key = slot.arena().writable(keyRef);
        if (note == Finality.CLEAN_UP)
        {
            Trees.cleanUpDue(key, due);
        }
        else
        {
            Trees.finalityDue(key, due);
        }
    }
}
