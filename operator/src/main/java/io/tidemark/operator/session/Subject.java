package io.tidemark.operator.session;

import io.tidemark.ingest.event.EventView;
import io.tidemark.store.Slot;

/** The event at hand and the row that it is about. Reused. */
final class Subject
{
    long position;
    int source;
    int stream;
    long index;
    EventView event;
    boolean isRetract;
    long time;
    long keyAddress;
    long idAddress;
    long keyHash;
    int memberHash;
    int tombstoneHash;
    Slot slot;
    int keyRef;

    /** What the key goes by: {@code A}. */
    long clock;
}
