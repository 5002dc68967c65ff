package io.tidemark.operator.join;

import io.tidemark.operator.keyed.KeyedEvent;

/** The event at hand and the row that it is about. */
final class Subject extends KeyedEvent
{
    int side;
    long start;
    long end;
    int idHash;
    long clock0;
    long clock1;

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
