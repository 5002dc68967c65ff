package io.tidemark.sink.verify;

import io.tidemark.sink.SourceRow;
import io.tidemark.sink.Utf8;

/**
 * What the model remembers of one row: its content while it stands, its revision and the largest time seen for it.
 */
final class RowRecord
{
    private final int side;
    private Utf8 key;
    private SourceRow image;
    private long start;
    private long end;
    private int revision = -1;
    private int kind;
    private long largestTime = Long.MIN_VALUE;
    private long place;
    private boolean isReborn;
    private boolean isSuperseded;

    RowRecord(final int side)
    {
        this.side = side;
    }

    void put(final LoggedEvent event, final int partition, final long intervalStart, final long intervalEnd)
    {
        key = event.key();
        image = event.image(partition);
        start = intervalStart;
        end = intervalEnd;
        revision = event.revision();
        kind = LoggedEvent.UPSERT;
    }

    void retract(final int byRevision)
    {
        image = null;
        revision = byRevision;
        kind = LoggedEvent.RETRACT;
    }

    void saw(final long time)
    {
        largestTime = Math.max(largestTime, time);
    }

    /** Where the index keeps it among rows of equal start. */
    void place(final long serial)
    {
        place = serial;
    }

    long place()
    {
        return place;
    }

    /** This row has the id of an earlier one that is gone. */
    void rise()
    {
        isReborn = true;
    }

    /** Another row has taken this one's id. */
    void supersede()
    {
        isSuperseded = true;
    }

    boolean isOlderThan(final LoggedEvent event)
    {
        return revision < event.revision() || (revision == event.revision() && kind < event.kind());
    }

    boolean isFurtherThan(final long time, final long lengthNs)
    {
        return ValidityRules.isFurther(largestTime, time, lengthNs) ||
            ValidityRules.isFurther(time, largestTime, lengthNs);
    }

    /** Of events of one row; those of an interval join have neither start nor end. */
    boolean hasContentOf(final LoggedEvent event, final long intervalStart, final long intervalEnd)
    {
        return image.time() == event.time() && image.value() == event.value() &&
            start == intervalStart && end == intervalEnd;
    }

    boolean isLive()
    {
        return image != null;
    }

    boolean isReborn()
    {
        return isReborn;
    }

    boolean isSuperseded()
    {
        return isSuperseded;
    }

    int side()
    {
        return side;
    }

    Utf8 key()
    {
        return key;
    }

    SourceRow image()
    {
        return image;
    }

    long start()
    {
        return start;
    }

    long end()
    {
        return end;
    }

    int revision()
    {
        return revision;
    }

    long largestTime()
    {
        return largestTime;
    }
}
