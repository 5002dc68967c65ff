package io.tidemark.ingest.log;

import net.openhft.chronicle.core.time.TimeProvider;
import org.agrona.concurrent.EpochClock;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The clock by which a queue picks the cycle of an append. It never goes below what it has shown, nor below the last
 * cycle that exists: were the wall clock set back, appends would go into an older cycle, where live readers miss them
 * and a replay orders them differently.
 */
final class CycleClock implements TimeProvider
{
    private final EpochClock clock;
    private final AtomicLong floorMs = new AtomicLong(Long.MIN_VALUE);

    CycleClock(final EpochClock clock)
    {
        this.clock = clock;
    }

    void raiseTo(final long epochMs)
    {
        floorMs.accumulateAndGet(epochMs, Math::max);
    }

    @Override
    public long currentTimeMillis()
    {
        final long nowMs = clock.time();
        final long floor = floorMs.get();
        if (nowMs <= floor)
        {
            return floor;
        }
        raiseTo(nowMs);
        return nowMs;
    }
}
