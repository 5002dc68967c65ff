package io.tidemark.sink;

import java.util.List;

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
 */
public record ChangeSet(
    ChangeSetIdentity identity,
    long epoch,
    long generation,
    int causeStream,
    int causePartition,
    long causeIndex,
    Utf8 key,
    List<Change> changes)
{
    /** Cause of change-sets that no event but the passing of event time brought about. */
    public static final int CLOCK = 255;
}
