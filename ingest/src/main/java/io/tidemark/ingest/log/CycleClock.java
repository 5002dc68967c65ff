package io.tidemark.ingest.log;

import net.openhft.chronicle.core.time.TimeProvider;
import org.agrona.concurrent.EpochClock;

/**
 * The clock by which a queue picks the cycle of an append. It never goes below what it has shown, nor below the last
 * cycle that exists: were the wall clock set back, appends would go into an older cycle, where live readers miss them
 * and a replay orders them differently.
 */
final class CycleClock implements TimeProvider
{
    private final EpochClock clock;
    private volatile long floorMs = Long.MIN_VALUE;

    CycleClock(final EpochClock clock)
    {
        this.clock = clock;
    }

    /**
     * Only the thread that opens the log, and then the one that appends, raise the floor: a race with a tailer that
     * asks the time can only show it a value that was right a moment ago.
     */
    void raiseTo(final long epochMs)
    {
        if (epochMs > floorMs)
        {
            floorMs = epochMs;
        }
    }

    @Override
    public long currentTimeMillis()
    {
        return Math.max(clock.time(), floorMs);
    }
}
