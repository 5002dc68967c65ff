package io.tidemark.sink.sql;

import java.nio.file.Path;

/** The databases that there are, each new for a test. */
enum Database
{
    SQLITE
    {
        @Override
        SqlTarget target(final Path dataDirectory)
        {
            return SqlTarget.sqlite(dataDirectory);
        }
    },
    POSTGRES
    {
        @Override
        SqlTarget target(final Path dataDirectory)
        {
            return SqlTarget.postgres(PostgresServer.shared().newDatabase(), PostgresServer.USER, null);
        }
    };

    abstract SqlTarget target(Path dataDirectory);
}
