package io.tidemark.ingest.feed;

/**
 * When an event is due in a replay by arrival: as long after the first as it arrived after it, divided by the speed.
 */
final class Pacer
{
    private final double speed;
    private boolean hasFirst;
    private long firstArrivalNs;
    private long firstNowNs;

    /**
     * @param speed 1 is as it was, 10 ten times as fast.
     */
    Pacer(final double speed)
    {
        this.speed = speed;
    }

    /** How long to wait with an event; 0 or less: not at all. The first event is due at once. */
    long delayNs(final long arrivalNs, final long nowNs)
    {
        if (!hasFirst)
        {
            hasFirst = true;
            firstArrivalNs = arrivalNs;
            firstNowNs = nowNs;
        }
        final double sinceFirstNs = (double)arrivalNs - firstArrivalNs;
        return (long)(sinceFirstNs / speed) - (nowNs - firstNowNs);
    }
}
