package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.agrona.CloseHelper;

/**
 * Prepared statements, run as batches: the plain way of JDBC.
 */
final class StatementBatches implements BulkWriter
{
    private record Statements(
        PreparedStatement insert, PreparedStatement insertPast, PreparedStatement retire, PreparedStatement delete)
    {
    }

    private final Dialect dialect;
    private final Map<ResultTable, Statements> statements = new EnumMap<>(ResultTable.class);

    StatementBatches(final Connection connection, final Dialect dialect) throws SQLException
    {
        this.dialect = dialect;
        for (final ResultTable table : ResultTable.values())
        {
            statements.put(table, new Statements(
                connection.prepareStatement(table.insertStatement()),
                connection.prepareStatement(table.insertPastStatement()),
                connection.prepareStatement(table.retireStatement()),
                connection.prepareStatement(table.deleteStatement())));
        }
    }

    @Override
    public boolean retire(final ResultTable table, final List<TableBatch.Retirement> rows) throws SQLException
    {
        final PreparedStatement retire = statements.get(table).retire;
        final PreparedStatement delete = statements.get(table).delete;
        for (final TableBatch.Retirement row : rows)
        {
            retire.setLong(1, row.position());
            retire.setLong(2, row.ordinal());
            retire.setString(3, row.rowId());
            dialect.bind(retire, 4, row.content());
            retire.addBatch();
            delete.setString(1, row.rowId());
            delete.addBatch();
        }
        for (final int count : retire.executeBatch())
        {
            if (count != 1)
            {
                delete.clearBatch();
                return false;
            }
        }
        delete.executeBatch();
        return true;
    }

    @Override
    public void insertPast(final ResultTable table, final List<Object[]> rows) throws SQLException
    {
        run(statements.get(table).insertPast, rows);
    }

    @Override
    public void insert(final ResultTable table, final List<Object[]> rows) throws SQLException
    {
        run(statements.get(table).insert, rows);
    }

    private void run(final PreparedStatement statement, final List<Object[]> rows) throws SQLException
    {
        for (final Object[] row : rows)
        {
            dialect.bind(statement, 1, Arrays.asList(row));
            statement.addBatch();
        }
        statement.executeBatch();
    }

    @Override
    public void close()
    {
        statements.values().forEach(
            sql -> CloseHelper.closeAll(sql.insert, sql.insertPast, sql.retire, sql.delete));
    }
}
