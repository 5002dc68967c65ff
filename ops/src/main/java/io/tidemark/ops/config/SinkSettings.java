package io.tidemark.ops.config;

/**
 * Where results are kept for others to read (INTERFACE.md, "Configuration").
 *
 * @param type        of it.
 * @param url         of a database; null where there is none.
 * @param user        of a database; may be null.
 * @param passwordEnv name of the environment variable with the password, which is nowhere else; may be null.
 */
public record SinkSettings(Type type, String url, String user, String passwordEnv)
{
    /** Types of sinks. */
    public enum Type
    {
        /** Shared memory. */
        VIEW,
        /** A file. */
        SQLITE,
        /** A server. */
        POSTGRES
    }
}
