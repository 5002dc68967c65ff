package io.tidemark.ingest.feed;

/**
 * A feed as a whole cannot be taken in, or no further: the message says in one or two sentences what is wrong, where,
 * and what to do. Lines appended before it stay appended; the same import goes on from there.
 */
public final class FeedException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    private final boolean usage;

    private FeedException(final boolean usage, final String message, final Throwable cause)
    {
        super(message, cause);
        this.usage = usage;
    }

    static FeedException usage(final String message)
    {
        return new FeedException(true, message, null);
    }

    static FeedException failed(final String message)
    {
        return new FeedException(false, message, null);
    }

    static FeedException failed(final String message, final Throwable cause)
    {
        return new FeedException(false, message, cause);
    }

    /**
     * Whether the call was wrong (no such file, stream or column mapping: exit code 2) rather than the work (1).
     *
     * @return true when the caller has to change what it asks for.
     */
    public boolean usage()
    {
        return usage;
    }
}
