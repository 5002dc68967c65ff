package io.tidemark.ingest.order;

/**
 * The order log and the source logs do not belong together, or the order log is not what it should be. The message
 * says what was found where, and what to do.
 */
public final class OrderException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    OrderException(final String message)
    {
        super(message);
    }
}
