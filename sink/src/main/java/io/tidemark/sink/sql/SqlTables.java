package io.tidemark.sink.sql;

import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowIdParser;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableException;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.agrona.CloseHelper;

/**
 * Reads the tables of a SQL database in one transaction, beside the sink that writes them.
 */
public final class SqlTables implements TableSource
{
    private static final int FETCH_ROWS = 10_000;

    private final SqlTarget target;
    private final Connection connection;
    private final RowIdParser rowId = new RowIdParser();
    private final long changeNumber;

    private SqlTables(final SqlTarget target, final Connection connection, final long changeNumber)
    {
        this.target = target;
        this.connection = connection;
        this.changeNumber = changeNumber;
    }

    /**
     * Opens tables as they are now.
     *
     * @param target   where they are.
     * @param pipeline whose they must be.
     * @return the tables.
     * @throws TableException when they cannot be read, or are of another version or pipeline.
     */
    public static SqlTables open(final SqlTarget target, final String pipeline)
    {
        Connection connection = null;
        boolean isOpen = false;
        try
        {
            connection = target.connect();
            connection.setTransactionIsolation(target.dialect() == Dialect.POSTGRES ?
                Connection.TRANSACTION_REPEATABLE_READ : Connection.TRANSACTION_SERIALIZABLE);
            try (Statement statement = connection.createStatement())
            {
                try (ResultSet row = statement.executeQuery("SELECT version, pipeline FROM tidemark_schema"))
                {
                    if (row.next())
                    {
                        SqlSchema.check(row.getLong(1), row.getString(2), pipeline);
                    }
                }
                try (ResultSet row =
                    statement.executeQuery("SELECT number FROM log_progress WHERE log = 'changes'"))
                {
                    row.next();
                    final SqlTables tables = new SqlTables(target, connection, row.getLong(1));
                    isOpen = true;
                    return tables;
                }
            }
        }
        catch (final SQLException e)
        {
            throw unreadable(target, e);
        }
        finally
        {
            if (!isOpen)
            {
                CloseHelper.quietClose(connection);
            }
        }
    }

    private static TableException unreadable(final SqlTarget target, final SQLException e)
    {
        return new TableException("the tables in " + target.describe() + " cannot be read: " + e.getMessage());
    }

    @Override
    public long changeNumber()
    {
        return changeNumber;
    }

    @Override
    public void forEach(final Kind kind, final Utf8 key, final Consumer<TableRow> consumer)
    {
        final ResultTable table = ResultTable.valueOf(kind.name());
        try (PreparedStatement select =
            connection.prepareStatement(table.selectStatement() + (key == null ? "" : " WHERE key = ?")))
        {
            select.setFetchSize(FETCH_ROWS);
            if (key != null)
            {
                select.setString(1, SqlText.of(key.bytes()));
            }
            try (ResultSet row = select.executeQuery())
            {
                while (row.next())
                {
                    final TableRow read = new TableRow(row(table, row), row.getLong("generation"));
                    // what stands for NUL may also be itself
                    if (key == null || key.equals(read.row().key()))
                    {
                        consumer.accept(read);
                    }
                }
            }
        }
        catch (final SQLException e)
        {
            throw unreadable(target, e);
        }
    }

    private ResultRow row(final ResultTable table, final ResultSet row) throws SQLException
    {
        rowId.parse(row.getString(ResultTable.ROW_ID));
        return switch (table)
        {
            case PAIRS -> new PairRow(rowId.rule(), rowId.key(), side(row, "left_", 3), side(row, "right_", 4));
            case UNMATCHED -> new UnmatchedRow(
                rowId.rule(), rowId.key(), rowId.side(),
                new SourceRow(
                    rowId.id(4), rowId.revision(4), row.getLong("time"), row.getLong("value"),
                    row.getInt("source_partition"), row.getLong("source_index")),
                row.getBoolean("final"));
            case SESSIONS -> new SessionRow(
                rowId.rule(), rowId.key(), rowId.start(), row.getLong("end_time"), row.getLong("count"),
                new BigInteger(row.getString("sum")), row.getLong("min"), row.getLong("max"), row.getBoolean("final"),
                row.getLong("publication"));
        };
    }

    private SourceRow side(final ResultSet row, final String prefix, final int field) throws SQLException
    {
        return new SourceRow(
            rowId.id(field), rowId.revision(field), row.getLong(prefix + "time"), row.getLong(prefix + "value"),
            row.getInt(prefix + "partition"), row.getLong(prefix + "index"));
    }

    @Override
    public boolean forEachLate(final BiConsumer<Long, String> consumer)
    {
        try (PreparedStatement select = connection.prepareStatement("SELECT position, state FROM late"))
        {
            select.setFetchSize(FETCH_ROWS);
            try (ResultSet row = select.executeQuery())
            {
                while (row.next())
                {
                    consumer.accept(row.getLong(1), row.getString(2));
                }
            }
        }
        catch (final SQLException e)
        {
            throw unreadable(target, e);
        }
        return true;
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(connection);
    }
}
