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
}
