package io.tidemark.operator.worker;

/** A replay came to another state than a checkpoint on the way has. The message shows both. */
public final class StateMismatchException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    StateMismatchException(final String message)
    {
        super(message);
    }
}
