package io.tidemark.operator;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * What became of events, counted where it is decided. All counts start with the pipeline's first event, replay
 * included, so they are a function of the order. Single writer; others read the counters file.
 */
public final class Tally
{
    private static final int SAVED_LENGTH = 6 * Long.BYTES;

    private long events;
    private long accepted;
    private long duplicates;
    private long conflicts;
    private long late;
    private long rejected;

    /** Counts an event, whatever becomes of it; watermark events too, ticks not. */
    public void onEvent()
    {
        events++;
    }

    /** Counts an upsert or retraction that was applied. */
    public void onAccepted()
    {
        accepted++;
    }

    /** Counts an event whose record was at or past it. */
    public void onDuplicate()
    {
        duplicates++;
    }

    /** Counts a duplicate with other content than its row. */
    public void onConflict()
    {
        conflicts++;
    }

    /** Counts an event that went to the repair queue. */
    public void onLate()
    {
        late++;
    }

    /** Counts an event that was rejected in its place. */
    public void onRejected()
    {
        rejected++;
    }

    /**
     * All events.
     *
     * @return number of them.
     */
    public long events()
    {
        return events;
    }

    /**
     * Applied upserts and retractions.
     *
     * @return number of them.
     */
    public long accepted()
    {
        return accepted;
    }

    /**
     * Duplicates, those in conflict included.
     *
     * @return number of them.
     */
    public long duplicates()
    {
        return duplicates;
    }

    /**
     * Duplicates with other content.
     *
     * @return number of them.
     */
    public long conflicts()
    {
        return conflicts;
    }

    /**
     * Late events.
     *
     * @return number of them.
     */
    public long late()
    {
        return late;
    }

    /**
     * Rejected events.
     *
     * @return number of them.
     */
    public long rejected()
    {
        return rejected;
    }

    /**
     * Writes all counts.
     *
     * @param to     written to.
     * @param offset from where on.
     * @return bytes written.
     */
    public int save(final MutableDirectBuffer to, final int offset)
    {
        to.putLong(offset, events, LITTLE_ENDIAN);
        to.putLong(offset + 8, accepted, LITTLE_ENDIAN);
        to.putLong(offset + 16, duplicates, LITTLE_ENDIAN);
        to.putLong(offset + 24, conflicts, LITTLE_ENDIAN);
        to.putLong(offset + 32, late, LITTLE_ENDIAN);
        to.putLong(offset + 40, rejected, LITTLE_ENDIAN);
        return SAVED_LENGTH;
    }

    /**
     * Goes back to counts that were saved.
     *
     * @param from   written by {@link #save}.
     * @param offset from where on.
     * @return bytes read.
     */
    public int restore(final DirectBuffer from, final int offset)
    {
        events = from.getLong(offset, LITTLE_ENDIAN);
        accepted = from.getLong(offset + 8, LITTLE_ENDIAN);
        duplicates = from.getLong(offset + 16, LITTLE_ENDIAN);
        conflicts = from.getLong(offset + 24, LITTLE_ENDIAN);
        late = from.getLong(offset + 32, LITTLE_ENDIAN);
        rejected = from.getLong(offset + 40, LITTLE_ENDIAN);
        return SAVED_LENGTH;
    }
}
