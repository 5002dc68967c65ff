package io.tidemark.operator.worker;

/**
 * When checkpoints are taken, and how. None of it changes results.
 *
 * @param everyNs      most time between two checkpoints while events come in, nanoseconds.
 * @param everyEvents  most positions between two checkpoints.
 * @param keep         how many are kept.
 * @param syncs        whether logs and snapshots must be on the disk before a checkpoint counts, so that it survives a
 *                     loss of power.
 * @param inBackground whether a thread of its own writes them while events go on; false for tests and tools.
 * @param madeWith     the settings that decide results, as text: a checkpoint that was made with others is refused.
 */
public record CheckpointSettings(
    long everyNs, long everyEvents, int keep, boolean syncs, boolean inBackground, String madeWith)
{
    /** Checkpoints only when somebody asks for one. */
    public static final CheckpointSettings ON_DEMAND =
        new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, 3, false, false, "");

    /**
     * Checks the numbers.
     */
    public CheckpointSettings
    {
        if (everyNs < 1 || everyEvents < 1 || keep < 1)
        {
            throw new IllegalArgumentException("checkpoints need a time, a number of events and a number to keep " +
                "above 0: everyNs=" + everyNs + ", everyEvents=" + everyEvents + ", keep=" + keep);
        }
    }
}
