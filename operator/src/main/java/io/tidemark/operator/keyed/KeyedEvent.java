package io.tidemark.operator.keyed;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.store.Slot;

/** The event at hand, which is no watermark, and where its key is. Reused for every event. */
public class KeyedEvent
{
    private long position;
    private int source;
    private int stream;
    private long index;
    private EventView event;
    private boolean isRetract;
    private long time;
    private long keyAddress;
    private long idAddress;
    private long keyHash;
    private Slot slot;
    private int keyRef;

    /** Sets all of it but what follows from the key. */
    final void wrap(
        final long atPosition, final int ofSource, final int ofStream, final long atIndex, final EventView newEvent)
    {
        position = atPosition;
        source = ofSource;
        stream = ofStream;
        index = atIndex;
        event = newEvent;
        isRetract = newEvent.kind() == EventKind.RETRACT;
        time = newEvent.time();
        final long memory = newEvent.buffer().addressOffset();
        keyAddress = memory + newEvent.keyOffset();
        idAddress = memory + newEvent.idOffset();
    }

    /** Says where the key is; 0 when it is not in state. */
    final void place(final long hash, final Slot ofKey, final int ref)
    {
        keyHash = hash;
        slot = ofKey;
        keyRef = ref;
    }

    /** The key has been made. */
    public final void keyRef(final int ref)
    {
        keyRef = ref;
    }

    public final long position()
    {
        return position;
    }

    public final int source()
    {
        return source;
    }

    public final int stream()
    {
        return stream;
    }

    public final long index()
    {
        return index;
    }

    public final EventView event()
    {
        return event;
    }

    public final boolean isRetract()
    {
        return isRetract;
    }

    public final long time()
    {
        return time;
    }

    public final long keyAddress()
    {
        return keyAddress;
    }

    public final long idAddress()
    {
        return idAddress;
    }

    /** What the index of keys goes by; the other half of the key's hash decides its slot. */
    public final int indexHash()
    {
        return (int)(keyHash >>> 32);
    }

    public final Slot slot()
    {
        return slot;
    }

    public final int keyRef()
    {
        return keyRef;
    }

    /** Whether a record is of this revision and kind, or of a greater one (SEMANTICS.md section 4, step 2). */
    public final boolean isDuplicateOf(final int recorded, final boolean isTombstone)
    {
        final int revision = event.revision();
        return revision < recorded || (revision == recorded && (isTombstone || !isRetract));
    }
}
