package io.tidemark.operator.worker;

import java.util.List;

/**
 * How a pipeline came to where it goes on.
 *
 * @param position       of the checkpoint that was used, 0 when it began at the start of the logs.
 * @param refused        why newer checkpoints were not used, a sentence each.
 * @param stateBytes     bytes of pages that were installed.
 * @param tailPositions  positions that were in the order already and are processed again.
 * @param openNs         time for lock, logs and counters.
 * @param loadNs         time for reading, checking and installing the checkpoint.
 * @param orderNs        time for finding the end of the order.
 * @param replayNs       time for processing the tail again; 0 as long as that goes on.
 */
public record RecoveryReport(
    long position,
    List<String> refused,
    long stateBytes,
    long tailPositions,
    long openNs,
    long loadNs,
    long orderNs,
    long replayNs)
{
    /**
     * Copies the list.
     */
    public RecoveryReport
    {
        refused = List.copyOf(refused);
    }

    /**
     * From start to caught up.
     *
     * @return nanoseconds.
     */
    public long totalNs()
    {
        return openNs + loadNs + orderNs + replayNs;
    }

    RecoveryReport withReplay(final long ns)
    {
        return new RecoveryReport(position, refused, stateBytes, tailPositions, openNs, loadNs, orderNs, ns);
    }
}
