package io.tidemark.ingest.log;

/**
 * A log, or the directory that holds logs, cannot be used as asked. The message says which, why, and what to do.
 */
public class LogException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * @param message one or two sentences: what, where, what to do.
     */
    public LogException(final String message)
    {
        super(message);
    }

    /**
     * @param message one or two sentences: what, where, what to do.
     * @param cause   what was found underneath.
     */
    public LogException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
