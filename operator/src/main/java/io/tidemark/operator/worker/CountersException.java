package io.tidemark.operator.worker;

/** The counters of a pipeline cannot be read. The message says what is wrong, where, and what to do. */
public final class CountersException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    CountersException(final String message)
    {
        super(message);
    }
}
