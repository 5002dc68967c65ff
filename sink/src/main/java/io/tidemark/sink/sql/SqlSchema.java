package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.TableException;

/**
 * Creates the tables, in one transaction, and knows their version. The README of the sink documents them for people who
 * query them; in short:
 * <ul>
 * <li>{@code pairs}, {@code unmatched}, {@code sessions}: what is current. Times are nanoseconds since 1970, UTC.</li>
 * <li>{@code pairs_past}, {@code unmatched_past}, {@code sessions_past}: what was current once, from which change-set
 *     to which. {@code pairs_history} and so on: both together. {@code history}: row ids of all kinds with the position
 *     that inserted and the one that retracted them, null for what is current.</li>
 * <li>{@code late}: the repair queue, with the state of each event. {@code generations}: each with its beginning.</li>
 * <li>{@code progress}: by slot, the last change-set applied. {@code log_progress}: by log, the last record.</li>
 * <li>{@code pairs_iso} and so on: the current rows with times as text.</li>
 * </ul>
 */
final class SqlSchema
{
    static final int VERSION = 1;

    private final Dialect dialect;

    SqlSchema(final Dialect dialect)
    {
        this.dialect = dialect;
    }

    /** Creates what is missing, and refuses tables of another version or another pipeline. Commits. */
    void open(final Connection connection, final String pipeline) throws SQLException
    {
        try (Statement statement = connection.createStatement())
        {
            statement.execute("CREATE TABLE IF NOT EXISTS tidemark_schema (" +
                "version " + dialect.type(Column.Type.NUMBER) + " NOT NULL, " +
                "pipeline " + dialect.type(Column.Type.TEXT) + " NOT NULL)");
            final boolean isNew;
            try (ResultSet row = statement.executeQuery("SELECT version, pipeline FROM tidemark_schema"))
            {
                isNew = !row.next();
                if (!isNew)
                {
                    check(row.getLong(1), row.getString(2), pipeline);
                }
            }
            if (isNew)
            {
                for (final String sql : statements())
                {
                    statement.execute(sql);
                }
                stamp(connection, pipeline);
                CrashPoint.hit("sql.tables-made");
            }
        }
        connection.commit();
        CrashPoint.hit("sql.tables-there");
    }

    /** Deletes the tables and views, of this version or another, in one transaction. */
    void drop(final Connection connection, final String pipeline) throws SQLException
    {
        try (Statement statement = connection.createStatement())
        {
            statement.execute("CREATE TABLE IF NOT EXISTS tidemark_schema (version BIGINT, pipeline TEXT)");
            try (ResultSet row = statement.executeQuery("SELECT pipeline FROM tidemark_schema"))
            {
                if (row.next() && !row.getString(1).equals(pipeline))
                {
                    check(VERSION, row.getString(1), pipeline);
                }
            }
            for (final ResultTable table : ResultTable.values())
            {
                statement.execute("DROP TABLE IF EXISTS " + table.tableName() + ", " + table.pastName() + " CASCADE");
            }
            statement.execute("DROP TABLE IF EXISTS late, generations, progress, log_progress, tidemark_schema");
        }
        connection.commit();
    }

    static void check(final long version, final String owner, final String pipeline)
    {
        if (version != VERSION)
        {
            throw new TableException("the tables in the sink's database have version " + version +
                ", and this program knows version " + VERSION + "; use the version of Tidemark that made them, or " +
                "name an empty database");
        }
        if (!owner.equals(pipeline))
        {
            throw new TableException("the tables in the sink's database belong to the pipeline '" + owner +
                "', not to '" + pipeline + "'; give each pipeline a database or a schema of its own");
        }
    }

    private static void stamp(final Connection connection, final String pipeline) throws SQLException
    {
        try (PreparedStatement insert =
            connection.prepareStatement("INSERT INTO tidemark_schema (version, pipeline) VALUES (?, ?)"))
        {
            insert.setLong(1, VERSION);
            insert.setString(2, pipeline);
            insert.executeUpdate();
        }
    }

    private List<String> statements()
    {
        final List<String> sql = new ArrayList<>();
        final List<String> history = new ArrayList<>();
        for (final ResultTable table : ResultTable.values())
        {
            final List<Column> columns = table.columns();
            final String names = ResultTable.names(columns);
            final String retraction = ResultTable.names(ResultTable.retraction());
            sql.add("CREATE TABLE " + table.tableName() + " (" + definitions(columns) + ", PRIMARY KEY (" +
                ResultTable.ROW_ID + "))");
            sql.add("CREATE TABLE " + table.pastName() + " (" + definitions(columns) + ", " +
                definitions(ResultTable.retraction()) + ")");
            sql.add("CREATE INDEX " + table.pastName() + "_row_id ON " + table.pastName() + " (" +
                ResultTable.ROW_ID + ")");
            sql.add("CREATE VIEW " + table.tableName() + "_history AS SELECT " + names + ", NULL AS " +
                retraction.replace(", ", ", NULL AS ") + " FROM " + table.tableName() + " UNION ALL SELECT " + names +
                ", " + retraction + " FROM " + table.pastName());
            sql.add(isoView(table));
            history.add("SELECT " + ResultTable.ROW_ID + ", '" + table.tableName() + "' AS kind, key, generation, " +
                "position AS inserted_position, ordinal AS inserted_ordinal, " + retraction + " FROM " +
                table.tableName() + "_history");
        }
        sql.add("CREATE VIEW history AS " + String.join(" UNION ALL ", history));
        sql.add(table("late", "position", List.of(
            Column.number("position"), Column.text("stream"), Column.number("source_partition"),
            Column.number("source_index"), Column.text("kind"), Column.text("id"), Column.number("revision"),
            Column.text("key"), Column.time("time"), Column.time("acceptance_clock"), Column.text("reason"),
            Column.text("due"), Column.text("state"))));
        sql.add(table("generations", "generation", List.of(
            Column.number("generation"), Column.number("rule"), Column.number("first_position"),
            Column.number("first_slot"))));
        sql.add(table("progress", "slot", List.of(
            Column.number("slot"), Column.number("position"), Column.number("ordinal"), Column.number("epoch"),
            Column.number("digest"))));
        sql.add(table("log_progress", "log", List.of(
            Column.text("log"), Column.number("number"), Column.number("digest"), Column.number("position"))));
        sql.add("INSERT INTO log_progress (log, number, digest, position) VALUES ('changes', -1, 0, 0), " +
            "('late', -1, 0, 0)");
        return sql;
    }

    private String isoView(final ResultTable table)
    {
        final List<String> columns = new ArrayList<>();
        for (final Column column : table.columns())
        {
            columns.add(column.type() == Column.Type.TIME ?
                dialect.isoTime(column.name()) + " AS " + column.name() : column.name());
        }
        return "CREATE VIEW " + table.tableName() + "_iso AS SELECT " + String.join(", ", columns) + " FROM " +
            table.tableName();
    }

    private String table(final String name, final String primaryKey, final List<Column> columns)
    {
        return "CREATE TABLE " + name + " (" + definitions(columns) + ", PRIMARY KEY (" + primaryKey + "))";
    }

    private String definitions(final List<Column> columns)
    {
        final List<String> definitions = new ArrayList<>();
        for (final Column column : columns)
        {
            final boolean isNullable = column.name().equals("acceptance_clock");
            definitions.add(column.name() + " " + dialect.type(column.type()) + (isNullable ? "" : " NOT NULL"));
        }
        return String.join(", ", definitions);
    }
}
