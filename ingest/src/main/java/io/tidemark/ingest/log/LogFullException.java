package io.tidemark.ingest.log;

import java.nio.file.Path;

/**
 * The disk is nearly full: the record was not appended, nothing is half-written, and appending can go on once there is
 * space. (A mapped write to a full disk would kill the process.)
 */
public final class LogFullException extends LogException
{
    private static final long serialVersionUID = 1L;

    LogFullException(final Path log, final long usableBytes, final long reserveBytes)
    {
        super("disk of log " + log + " is nearly full: " + (usableBytes >> 20) + " MiB free, " + (reserveBytes >> 20) +
            " MiB are kept in reserve; nothing was lost, free some space and start again");
    }
}
