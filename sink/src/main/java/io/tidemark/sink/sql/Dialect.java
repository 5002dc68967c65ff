package io.tidemark.sink.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * What the two databases say differently. All else is one implementation.
 */
enum Dialect
{
    /** One file. Readers see the last commit while the sink writes the next. */
    SQLITE
    {
        @Override
        List<String> sessionStatements()
        {
            return List.of("PRAGMA journal_mode = WAL", "PRAGMA synchronous = NORMAL", "PRAGMA busy_timeout = 2000",
                "PRAGMA cache_size = -" + SQLITE_CACHE_KIB, "PRAGMA wal_autocheckpoint = " + SQLITE_WAL_PAGES);
        }

        @Override
        String type(final Column.Type type)
        {
            return switch (type)
            {
                case TEXT, WIDE -> "TEXT";
                case NUMBER, TIME, FLAG -> "INTEGER";
            };
        }

        @Override
        void bindWide(final PreparedStatement statement, final int at, final BigInteger value) throws SQLException
        {
            statement.setString(at, value.toString());
        }

        @Override
        BulkWriter bulkWriter(final Connection connection) throws SQLException
        {
            return new StatementBatches(connection, this);
        }

        @Override
        String isoTime(final String column)
        {
            // Whole seconds rounded down, also before 1970.
            final String seconds =
                "(" + column + " / 1000000000 - (" + column + " % 1000000000 < 0))";
            final String nanos = "((" + column + " % 1000000000 + 1000000000) % 1000000000)";
            return "strftime('%Y-%m-%dT%H:%M:%S', " + seconds + ", 'unixepoch') || printf('.%09dZ', " + nanos + ")";
        }
    },

    /** A server. */
    POSTGRES
    {
        @Override
        List<String> sessionStatements()
        {
            // What a server that crashes has not written yet, progress goes back with, and the log still has.
            return List.of("SET default_transaction_isolation = 'read committed'", "SET synchronous_commit = off");
        }

        @Override
        String type(final Column.Type type)
        {
            return switch (type)
            {
                case TEXT -> "TEXT COLLATE \"C\"";
                case NUMBER, TIME -> "BIGINT";
                case WIDE -> "NUMERIC(39)";
                case FLAG -> "BOOLEAN";
            };
        }

        @Override
        void bindWide(final PreparedStatement statement, final int at, final BigInteger value) throws SQLException
        {
            statement.setBigDecimal(at, new BigDecimal(value));
        }

        @Override
        BulkWriter bulkWriter(final Connection connection) throws SQLException
        {
            return new PostgresBulk(connection);
        }

        @Override
        String isoTime(final String column)
        {
            final String seconds = "floor(" + column + "::numeric / 1000000000)";
            return "to_char(timestamp '1970-01-01' + " + seconds + " * interval '1 second', " +
                "'YYYY-MM-DD\"T\"HH24:MI:SS') || '.' || lpad((" + column + "::numeric - " + seconds +
                " * 1000000000)::bigint::text, 9, '0') || 'Z'";
        }
    };

    /** Pages of the index that insertions come back to stay in memory, while there is room for them. */
    private static final int SQLITE_CACHE_KIB = 256 << 10;

    /** A page that many transactions write goes into the file once, not once for each: up to 160 MiB of log. */
    private static final int SQLITE_WAL_PAGES = 40_000;

    abstract List<String> sessionStatements();

    abstract String type(Column.Type type);

    abstract void bindWide(PreparedStatement statement, int at, BigInteger value) throws SQLException;

    /** Binds values of {@link RowValues}. */
    void bind(final PreparedStatement statement, final int from, final List<Object> values) throws SQLException
    {
        for (int i = 0; i < values.size(); i++)
        {
            final Object value = values.get(i);
            if (value instanceof final Long number)
            {
                statement.setLong(from + i, number);
            }
            else if (value instanceof final String text)
            {
                statement.setString(from + i, text);
            }
            else if (value instanceof final BigInteger wide)
            {
                bindWide(statement, from + i, wide);
            }
            else
            {
                statement.setBoolean(from + i, (Boolean)value);
            }
        }
    }

    /** The quickest way to write many rows. */
    abstract BulkWriter bulkWriter(Connection connection) throws SQLException;

    /** An expression for a time as ISO-8601 text with nine fractional digits. */
    abstract String isoTime(String column);

    void prepare(final Connection connection) throws SQLException
    {
        connection.setAutoCommit(true);
        try (Statement statement = connection.createStatement())
        {
            for (final String sql : sessionStatements())
            {
                statement.execute(sql);
            }
        }
        connection.setAutoCommit(false);
    }
}
