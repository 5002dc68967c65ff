package io.tidemark.operator;

/**
 * What became of events, counted where it is decided. All counts start with the pipeline's first event, replay
 * included, so they are a function of the order. Single writer; others read the counters file.
 */
public final class Tally
{
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
}
