package io.tidemark.sink.verify;

/**
 * What the pipeline has counted.
 *
 * @param events     of all kinds.
 * @param accepted   upserts and retractions that took effect.
 * @param duplicates of a known revision.
 * @param conflicts  among the duplicates: of equal revision and other content.
 * @param late       sent to the repair queue.
 * @param rejected   in their place in the order.
 */
public record ReportedCounters(
    long events, long accepted, long duplicates, long conflicts, long late, long rejected)
{
}
