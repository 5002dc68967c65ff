package io.tidemark.sink.repair;

/**
 * A repair cannot be made, and the message says why and what to do.
 */
public final class RepairException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    RepairException(final String message)
    {
        super(message);
    }

    RepairException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
