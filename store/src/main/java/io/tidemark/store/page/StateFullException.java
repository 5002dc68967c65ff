package io.tidemark.store.page;

/** The state holds as much as it may. Nothing was dropped; the message says what to enlarge. */
public final class StateFullException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /**
     * Creates it.
     *
     * @param message what is full, where, and what to do.
     */
    public StateFullException(final String message)
    {
        super(message);
    }
}
