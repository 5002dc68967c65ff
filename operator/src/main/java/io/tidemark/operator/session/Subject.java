package io.tidemark.operator.session;

import io.tidemark.operator.keyed.KeyedEvent;

/** The event at hand and the row that it is about. */
final class Subject extends KeyedEvent
{
    int memberHash;
    int tombstoneHash;

    /** What the key goes by: {@code A}. */
    long clock;
}
