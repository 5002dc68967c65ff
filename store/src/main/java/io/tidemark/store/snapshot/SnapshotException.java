package io.tidemark.store.snapshot;

/** A checkpoint can't be written, or what is there is damaged. The message says which, where, and what to do. */
public final class SnapshotException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message one sentence.
     */
    public SnapshotException(final String message)
    {
        super(message);
    }

    /**
     * Creates it.
     *
     * @param message one sentence.
     * @param cause   what the system said.
     */
    public SnapshotException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
