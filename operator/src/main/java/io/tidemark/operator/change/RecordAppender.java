package io.tidemark.operator.change;

import org.agrona.MutableDirectBuffer;

/**
 * Where a worker's records go: a log, or in tests whatever takes its place.
 */
public interface RecordAppender
{
    /**
     * Takes one record: an SBE message whose header is followed by the record's number, which the appender fills in.
     *
     * @param record holds it; changed at the place of the number only.
     * @param offset of the SBE header.
     * @param length of the record with its header.
     */
    void append(MutableDirectBuffer record, int offset, int length);
}
