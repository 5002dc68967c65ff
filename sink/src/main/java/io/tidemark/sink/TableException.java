package io.tidemark.sink;

/**
 * A change-set does not fit the current table: the log it comes from is not what an engine wrote.
 */
public final class TableException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * Says what does not fit.
     *
     * @param message one or two sentences.
     */
    public TableException(final String message)
    {
        super(message);
    }
}
