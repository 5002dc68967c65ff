package io.tidemark.ops.command;

/**
 * A command could not do its work, for a reason that it can put into a sentence or two: exit code 1.
 */
final class FailedException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    FailedException(final String message)
    {
        super(message);
    }

    FailedException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
