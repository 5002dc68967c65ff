package io.tidemark.operator.worker;

/**
 * The newest checkpoint in numbers. Immutable, so that one thread may publish it and others read it.
 *
 * @param position  of the newest checkpoint, 0 when there is none.
 * @param takenMs   when it was taken, milliseconds since the epoch.
 * @param requests  of the control log that it answers: their number.
 * @param bytes     written for it.
 * @param pauseNs   for which it held up events.
 * @param mostNs    longest such pause of this run.
 * @param writeNs   time that the writing took, beside events.
 * @param taken     checkpoints of this run.
 */
public record CheckpointStats(
    long position, long takenMs, long requests, long bytes, long pauseNs, long mostNs, long writeNs, long taken)
{
    static final CheckpointStats NONE = new CheckpointStats(0, 0, 0, 0, 0, 0, 0, 0);
}
