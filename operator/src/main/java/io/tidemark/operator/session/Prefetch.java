package io.tidemark.operator.session;

import io.tidemark.operator.EventBatch;
import io.tidemark.operator.keyed.KeyTouch;
import io.tidemark.store.Arena;
import io.tidemark.store.Lines;
import io.tidemark.store.Slot;

/** Touches the memory that a batch of events will need: keys, then their trees, then members and sessions. */
final class Prefetch
{
    /** Bytes of rows: a key's only session, and a few of its last members. */
    private static final int LIKELY_ROWS = 192;

    private final KeyTouch keys;
    private final Lines lines = new Lines();

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
        keys.touch(batch, lines);
        for (int i = 0; i < size; i++)
        {
            if (keys.ref(i) != 0)
            {
                final Arena arena = keys.slot(i).arena();
                final long key = arena.address(keys.ref(i));
                addRoot(arena, Trees.membersRoot(key));
                addRoot(arena, Trees.sessionsRoot(key));
            }
        }
        lines.fetch();
        for (int i = 0; i < size; i++)
        {
            if (keys.ref(i) != 0)
            {
                final Slot slot = keys.slot(i);
                final long key = slot.arena().address(keys.ref(i));
                slot.rows().addLast(lines, Trees.membersRoot(key), LIKELY_ROWS);
                slot.rows().addLast(lines, Trees.sessionsRoot(key), LIKELY_ROWS);
            }
        }
        lines.fetch();
    }

    private void addRoot(final Arena arena, final int root)
    {
        if (root != 0)
        {
            lines.add(arena.address(root));
        }
    }
}
