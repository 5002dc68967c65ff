package io.tidemark.sink;

/**
 * How far a {@link TableSink} is. Written by the thread that works, read by any.
 */
public final class SinkProgress
{
    private volatile long changeNumber = -1;
    private volatile long position;
    private volatile long lateNumber = -1;
    private volatile long changeSets;
    private volatile long changes;
    private volatile long skipped;
    private volatile long fenced;
    private volatile long reconnects;
    private volatile boolean connected;
    private volatile boolean worked;
    private volatile String trouble = "";

    /** Creates the progress of a sink that has done nothing. */
    public SinkProgress()
    {
    }

    /**
     * Number of the last record of the change log that is applied, for good.
     *
     * @return -1 before the first.
     */
    public long changeNumber()
    {
        return changeNumber;
    }

    /**
     * Position of the last change-set applied.
     *
     * @return 0 before the first.
     */
    public long position()
    {
        return position;
    }

    /**
     * Number of the last record of the late log that is applied.
     *
     * @return -1 before the first.
     */
    public long lateNumber()
    {
        return lateNumber;
    }

    /**
     * Change-sets applied since the start of the process.
     *
     * @return how many there were.
     */
    public long changeSets()
    {
        return changeSets;
    }

    /**
     * Insertions and retractions applied since the start of the process.
     *
     * @return how many there were.
     */
    public long changes()
    {
        return changes;
    }

    /**
     * Change-sets that were applied before.
     *
     * @return how many there were.
     */
    public long skipped()
    {
        return skipped;
    }

    /**
     * Change-sets refused because their slot has a newer owner.
     *
     * @return how many there were.
     */
    public long fenced()
    {
        return fenced;
    }

    /**
     * How often the database had to be connected to again.
     *
     * @return 0 as long as the first connection holds.
     */
    public long reconnects()
    {
        return reconnects;
    }

    /**
     * Whether the table can be written to now.
     *
     * @return false before the first connection and between two.
     */
    public boolean isConnected()
    {
        return connected;
    }

    /**
     * Whether the table has been reached at all.
     *
     * @return true from the first connection on.
     */
    public boolean hasWorked()
    {
        return worked;
    }

    /**
     * What keeps the sink from working.
     *
     * @return a sentence without secrets, empty when all is well.
     */
    public String trouble()
    {
        return trouble;
    }

    /**
     * All up to here is in the table.
     *
     * @param newChangeNumber last record of the change log.
     * @param newPosition     of its change-set.
     * @param newLateNumber   last record of the late log.
     */
    public void applied(final long newChangeNumber, final long newPosition, final long newLateNumber)
    {
        position = newPosition;
        lateNumber = newLateNumber;
        changeNumber = newChangeNumber;
    }

    /**
     * Adds what became of change-sets.
     *
     * @param moreChangeSets applied.
     * @param moreChanges    applied.
     * @param moreSkipped    change-sets.
     * @param moreFenced     change-sets.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void count(
        final long moreChangeSets, final long moreChanges, final long moreSkipped, final long moreFenced)
    {
        changeSets += moreChangeSets;
        changes += moreChanges;
        skipped += moreSkipped;
        fenced += moreFenced;
    }

    /** The table can be written to. */
    public void connected()
    {
        connected = true;
        worked = true;
        trouble = "";
    }

    /**
     * The table cannot be written to for now.
     *
     * @param why        a sentence without secrets.
     * @param wasWorking whether it could be before.
     */
    @SuppressWarnings("NonAtomicVolatileUpdate")
    public void disconnected(final String why, final boolean wasWorking)
    {
        connected = false;
        trouble = why;
        if (wasWorking)
        {
            reconnects++;
        }
    }

    /**
     * The sink works no more.
     *
     * @param why a sentence.
     */
    public void failed(final String why)
    {
        connected = false;
        trouble = why;
    }
}
