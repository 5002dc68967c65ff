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
                "PRAGMA cache_size = -65536", "PRAGMA wal_autocheckpoint = 4000");
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
        String tableOptions()
        {
            return " WITHOUT ROWID";
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
            return List.of("SET default_transaction_isolation = 'read committed'");
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
        String tableOptions()
        {
            return "";
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

    abstract List<String> sessionStatements();

    abstract String type(Column.Type type);

    abstract void bindWide(PreparedStatement statement, int at, BigInteger value) throws SQLException;

    /** Goes behind the columns of a table with a primary key. */
    abstract String tableOptions();

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
