package io.tidemark.bench;

import java.util.SplittableRandom;

/**
 * Makes the events of a workload, one after the other, from a seed. Arrivals are evenly spaced. Times are mildly out of
 * order: most lie a few events behind their arrival, one in ten up to half the lateness. A key always comes from the
 * same partition.
 */
public final class EventFeed
{
    /** 2026-01-01T00:00:00Z. */
    public static final long FIRST_ARRIVAL_NS = 1_767_225_600_000_000_000L;

    private static final int NEAR_EVENTS = 16;
    private static final int FAR_PERCENT = 10;

    private final Workload workload;
    private final KeyChoice keys;
    private final SplittableRandom random;
    private final EventRecord event = new EventRecord();
    private long events;
    private int stream;
    private int partition;
    private int key;

    /**
     * Stands before the first event.
     *
     * @param workload to make events of.
     * @param seed     of all choices.
     */
    public EventFeed(final Workload workload, final long seed)
    {
        this.workload = workload;
        this.keys = workload.zipf() ? KeyChoice.zipf(workload.keys()) : KeyChoice.uniform(workload.keys());
        this.random = new SplittableRandom(seed);
    }

    /**
     * Makes the next event.
     *
     * @return the event, the same object every time.
     */
    public EventRecord next()
    {
        stream = random.nextInt(100) < workload.leftPercent() ? 0 : 1;
        key = keys.draw(random);
        partition = mix(key) & (Workload.PARTITIONS - 1);
        final long arrivalNs = FIRST_ARRIVAL_NS + events * Workload.STEP_NS;
        final boolean isFar = random.nextInt(100) < FAR_PERCENT;
        final int behind = random.nextInt(isFar ? Math.max(1, workload.latenessEvents() / 2) : NEAR_EVENTS);
        event
            .key(key)
            .id(stream == 0 ? 'p' : 's', events)
            .at(arrivalNs, arrivalNs - behind * Workload.STEP_NS, 100 + random.nextInt(100_000));
        events++;
        return event;
    }

    /**
     * Source of the event.
     *
     * @return its ordinal.
     */
    public int source()
    {
        return workload.topology().sourceOf(stream, partition);
    }

    /**
     * Stream of the event.
     *
     * @return 0 for payments, 1 for signals.
     */
    public int stream()
    {
        return stream;
    }

    /**
     * Key of the event.
     *
     * @return its number.
     */
    public int key()
    {
        return key;
    }

    private static int mix(final int number)
    {
        final int mixed = (number ^ (number >>> 15)) * 0x2C1B3C6D;
        return mixed ^ (mixed >>> 13);
    }
}
