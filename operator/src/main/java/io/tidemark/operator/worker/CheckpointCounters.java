package io.tidemark.operator.worker;

import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * Counters of checkpoints and of the recovery that a run began with. Type ids are never reused; ranges: 30 checkpoints,
 * 70 recovery. Times in nanoseconds unless they say otherwise.
 */
public final class CheckpointCounters
{
    /** Position of the newest checkpoint; 0: none. Far behind the last position: a restart takes long. */
    public static final int POSITION = 30;

    /** When it was taken, milliseconds since the epoch. Old while events come in: checkpoints fail or are off. */
    public static final int TAKEN_MS = 31;

    /** Bytes written for it. Near the size of the state: most of it changes between two checkpoints. */
    public static final int BYTES = 32;

    /** Time for which it held up events. */
    public static final int PAUSE_NS = 33;

    /** Longest such pause of this run. */
    public static final int MOST_PAUSE_NS = 34;

    /** Time that the writing took beside events. Near the time between two: the disk is too slow. */
    public static final int WRITE_NS = 35;

    /** Checkpoints of this run. */
    public static final int TAKEN = 36;

    /** Requests of the control log that were answered. */
    public static final int REQUESTS = 37;

    /** Position of the checkpoint that this run began with; 0: it began at the start of the logs. */
    public static final int RECOVERED_POSITION = 70;

    /** Positions that were processed again, as they were in the order already. */
    public static final int TAIL_POSITIONS = 71;

    /** Time for lock, logs and counters. */
    public static final int OPEN_NS = 72;

    /** Time for reading, checking and installing the checkpoint. */
    public static final int LOAD_NS = 73;

    /** Time for finding the end of the order. */
    public static final int ORDER_NS = 74;

    /** Time for processing the tail again; 0 while that goes on. */
    public static final int REPLAY_NS = 75;

    /** Checkpoints that were found damaged and not used. Above 0: look at the disk. */
    public static final int REFUSED = 76;

    static final int COUNT = 15;

    private final AtomicCounter[] checkpoint;
    private final AtomicCounter[] recovery;

    CheckpointCounters(final CountersManager manager)
    {
        checkpoint = counters(manager, POSITION, "checkpoint position", "checkpoint taken ms", "checkpoint bytes",
            "checkpoint pause ns", "checkpoint longest pause ns", "checkpoint write ns", "checkpoints taken",
            "control requests answered");
        recovery = counters(manager, RECOVERED_POSITION, "recovered position", "recovered tail", "recovery open ns",
            "recovery load ns", "recovery order ns", "recovery replay ns", "checkpoints refused");
    }

    void publish(final CheckpointStats stats, final RecoveryReport report)
    {
        set(checkpoint, stats.position(), stats.takenMs(), stats.bytes(), stats.pauseNs(), stats.mostNs(),
            stats.writeNs(), stats.taken(), stats.requests());
        set(recovery, report.position(), report.tailPositions(), report.openNs(), report.loadNs(), report.orderNs(),
            report.replayNs(), report.refused().size());
    }

    private static void set(final AtomicCounter[] counters, final long... values)
    {
        for (int i = values.length - 1; i >= 0; i--)
        {
            counters[i].setRelease(values[i]);
        }
    }

    private static AtomicCounter[] counters(
        final CountersManager manager, final int firstTypeId, final String... labels)
    {
        final AtomicCounter[] counters = new AtomicCounter[labels.length];
        for (int i = 0; i < counters.length; i++)
        {
            counters[i] = manager.newCounter(labels[i], firstTypeId + i, key -> key.putInt(0, 0));
        }
        return counters;
    }
}
