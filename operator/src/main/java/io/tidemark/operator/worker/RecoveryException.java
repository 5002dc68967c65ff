package io.tidemark.operator.worker;

/** A pipeline can't go on from what is there. The message says what is wrong, where, and what to do. */
public final class RecoveryException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    RecoveryException(final String message)
    {
        super(message);
    }

    RecoveryException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
