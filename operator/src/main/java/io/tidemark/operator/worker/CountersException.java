package io.tidemark.operator.worker;

import java.nio.file.Path;

/** The counters of a pipeline cannot be read. The message says what is wrong, where, and what to do. */
public final class CountersException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    CountersException(final String message)
    {
        this(message, null);
    }

    CountersException(final String message, final Throwable cause)
    {
        super(message, cause);
    }

    static CountersException cannotWrite(final Path file, final Exception cause)
    {
        return new CountersException("file " + file + " cannot be written (" + cause + "); move away what is in its " +
            "place, or check the data directory's permissions", cause);
    }
}
