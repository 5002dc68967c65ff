package io.tidemark.ingest.log;

/**
 * What a record of a log may look like, whatever the log.
 * <p>
 * A record is one SBE message: the 8-byte message header, then the block, whose first field is the record's number:
 * 0, 1, 2, ... in its log, with a checksum ({@link RecordNumber}). {@link LogAppender} stamps both, {@link LogTailer}
 * checks both.
 */
public final class RecordLimits
{
    /**
     * Where the number stands in a record: behind the SBE message header.
     */
    public static final int NUMBER_OFFSET = 8;

    /**
     * Shortest record: message header and number.
     */
    public static final int MIN_LENGTH = NUMBER_OFFSET + Long.BYTES;

    /**
     * Longest record in bytes. Chronicle refuses, or worse accepts and cannot read, what is longer than a quarter of a
     * block; this is far below.
     */
    public static final int MAX_LENGTH = 60_000;

    private RecordLimits()
    {
    }

    static void check(final int length)
    {
        if (length < MIN_LENGTH || length > MAX_LENGTH)
        {
            throw new IllegalArgumentException(
                "a record has " + MIN_LENGTH + " to " + MAX_LENGTH + " bytes: length=" + length);
        }
    }
}
