package io.tidemark.ingest.log;

import java.nio.file.Path;

/**
 * Records are missing in the middle of a log, or at a place a reader was sent to: a cycle file is gone or damaged.
 * Chronicle itself would skip them without a word.
 */
public final class LogGapException extends LogException
{
    private static final long serialVersionUID = 1L;

    private final long firstMissing;
    private final long lastMissing;

    LogGapException(final Path log, final long firstMissing, final long lastMissing, final String found)
    {
        super("log " + log + " lacks records " + firstMissing + " to " + lastMissing + ": " + found +
            "; put the missing queue file back, or restore the data directory from a backup");
        this.firstMissing = firstMissing;
        this.lastMissing = lastMissing;
    }

    /**
     * @return number of the first record that is missing.
     */
    public long firstMissing()
    {
        return firstMissing;
    }

    /**
     * @return number of the last record that is known to be missing.
     */
    public long lastMissing()
    {
        return lastMissing;
    }
}
