package io.tidemark.sink;

import java.util.List;

import io.tidemark.ingest.Topology;

/**
 * Changes of one key that are applied whole or not at all.
 *
 * @param identity       unique and the same in every replay.
 * @param epoch          ownership epoch of the slot.
 * @param generation     of the results; the first is 1.
 * @param causeStream    ordinal of the stream whose event caused it, or {@link #CLOCK}.
 * @param causePartition partition of that stream.
 * @param causeIndex     queue index of that event in its source log.
 * @param key            the key.
 * @param changes        retractions first, each group by row id.
 * @param repair         what a repair says of itself; null for what events and the clock caused.
 */
public record ChangeSet(
    ChangeSetIdentity identity,
    long epoch,
    long generation,
    int causeStream,
    int causePartition,
    long causeIndex,
    Utf8 key,
    List<Change> changes,
    Repair repair)
{
    /** Cause of change-sets that no event but the passing of event time brought about. */
    public static final int CLOCK = 255;

    /** Cause of change-sets that a request in the control log asked for: published repairs. */
    public static final int REQUEST = 254;

    /**
     * What the change-set of a published repair says besides its changes.
     *
     * @param baseGeneration that it was built on.
     * @param digest         of its candidate, in hexadecimal digits.
     * @param late           positions of the late events that it puts right, ascending.
     */
    public record Repair(long baseGeneration, String digest, List<Long> late)
    {
        /** Copies the list. */
        public Repair
        {
            late = List.copyOf(late);
        }
    }

    /**
     * A change-set that is no repair.
     *
     * @param identity       unique and the same in every replay.
     * @param epoch          ownership epoch of the slot.
     * @param generation     of the results.
     * @param causeStream    ordinal of the stream, or {@link #CLOCK}.
     * @param causePartition partition of that stream.
     * @param causeIndex     queue index of that event.
     * @param key            the key.
     * @param changes        retractions first, each group by row id.
     */
    public ChangeSet(
        final ChangeSetIdentity identity,
        final long epoch,
        final long generation,
        final int causeStream,
        final int causePartition,
        final long causeIndex,
        final Utf8 key,
        final List<Change> changes)
    {
        this(identity, epoch, generation, causeStream, causePartition, causeIndex, key, changes, null);
    }

    /**
     * The cause in words.
     *
     * @param topology of the pipeline.
     * @return {@code stream/partition/index}, {@code clock}, or for a repair {@code control/0/index}, whose index is
     *     that of the request in the control log.
     */
    public String cause(final Topology topology)
    {
        return switch (causeStream)
        {
            case CLOCK -> "clock";
            case REQUEST -> "control/" + causePartition + "/" + causeIndex;
            default -> topology.streamName(causeStream) + "/" + causePartition + "/" + causeIndex;
        };
    }
}
