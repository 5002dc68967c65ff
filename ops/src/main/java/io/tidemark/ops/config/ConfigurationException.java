package io.tidemark.ops.config;

/**
 * The configuration, or its use, is wrong: exit code 2. The message says where and what to do.
 */
public final class ConfigurationException extends RuntimeException
{
    private static final long serialVersionUID = 1;

    /**
     * @param message one or two sentences.
     */
    public ConfigurationException(final String message)
    {
        super(message);
    }

    /**
     * @param message one or two sentences.
     * @param cause   what was thrown.
     */
    public ConfigurationException(final String message, final Throwable cause)
    {
        super(message, cause);
    }
}
