package io.tidemark.ingest.log;

import org.agrona.concurrent.EpochClock;

import java.util.concurrent.TimeUnit;

/**
 * A clock that stands still until it is told the day.
 */
final class DayClock implements EpochClock
{
    private volatile long nowMs = TimeUnit.DAYS.toMillis(20_000);

    void day(final int day)
    {
        nowMs = TimeUnit.DAYS.toMillis(20_000 + day);
    }

    @Override
    public long time()
    {
        return nowMs;
    }
}
