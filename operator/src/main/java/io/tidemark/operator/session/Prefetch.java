package io.tidemark.operator.session;

import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyTouch;
import io.tidemark.store.Slot;

/** Touches the memory that a batch of events will need: keys, then their trees, then members and sessions. */
final class Prefetch
{
    /** Bytes of rows: a key's only session, and a few of its last members. */
    private static final int LIKELY_ROWS = 192;

    private final KeyTouch keys;

    /** Where what was read goes, lest the compiler leaves the reads out. */
    private long touched;

    Prefetch(final KeyTouch keys)
    {
        this.keys = keys;
    }

    void touch(final EventBatch batch)
    {
        final int size = batch.size();
        if (size < 2)
        {
            return;
        }
        long sum = keys.touch(batch);
        for (int i = 0; i < size; i++)
        {
            sum += keys.ref(i) == 0 ? 0 : touchTrees(keys.slot(i), keys.ref(i), 0);
        }
        for (int i = 0; i < size; i++)
        {
            sum += keys.ref(i) == 0 ? 0 : touchTrees(keys.slot(i), keys.ref(i), LIKELY_ROWS);
        }
        touched = sum;
    }

    long touched()
    {
        return touched;
    }

    private static long touchTrees(final Slot slot, final int keyRef, final int bytes)
    {
        final long key = slot.arena().address(keyRef);
        return slot.rows().touch(Trees.membersRoot(key), bytes) + slot.rows().touch(Trees.sessionsRoot(key), bytes);
    }
}
