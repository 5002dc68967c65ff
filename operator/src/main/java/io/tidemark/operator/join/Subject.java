package io.tidemark.operator.join;

import io.tidemark.ingest.event.EventView;
import io.tidemark.store.Slot;

/** The event at hand and the row that it is about. Reused. */
final class Subject
{
    long position;
    int source;
    int stream;
    int side;
    long index;
    EventView event;
    boolean isRetract;
    long time;
    long start;
    long end;
    long keyAddress;
    long idAddress;
    long keyHash;
    int idHash;
    Slot slot;
    int keyRef;
    long clock0;
    long clock1;

    /** Whether a record is of this revision and kind, or of a greater one. */
    boolean isDuplicateOf(final long row, final boolean isTombstone)
    {
        final int recorded = RowDescriptor.revision(row);
        final int revision = event.revision();
        return revision < recorded || (revision == recorded && (isTombstone || !isRetract));
    }

    /** The clock that says what is late. */
    long acceptanceClock(final boolean isJoint)
    {
        if (isJoint)
        {
            return Math.min(clock0, clock1);
        }
        return side == 0 ? clock0 : clock1;
    }
}
