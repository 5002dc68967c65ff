package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;

import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.TableException;

/**
 * Applies change by change, so that an insertion of a row id that is current replaces its row, and a retraction that
 * does not fit says which one, and why. Slow; only where a batch did not fit.
 */
final class CarefulWriter
{
    private final Connection connection;
    private final Dialect dialect;

    CarefulWriter(final Connection connection, final Dialect dialect)
    {
        this.connection = connection;
        this.dialect = dialect;
    }

    void retract(
        final ResultTable table, final ChangeSetCursor changeSet, final String rowId, final List<Object> content)
        throws SQLException
    {
        try (PreparedStatement retire = connection.prepareStatement(table.retireStatement()))
        {
            bind(retire, changeSet, rowId);
            dialect.bind(retire, 4, content);
            if (retire.executeUpdate() != 1)
            {
                final String current = describe(table, rowId);
                throw new TableException("change-set " + changeSet.identity() + " retracts " + rowId +
                    (current == null ? ", which is not current" :
                    ", but the row that was inserted has other content: " + current) +
                    "; the change log is damaged, or the tables were changed by another hand");
            }
        }
        delete(table, rowId);
    }

    void insert(final ResultTable table, final ChangeSetCursor changeSet, final Object[] row) throws SQLException
    {
        final String rowId = (String)row[0];
        try (PreparedStatement retire = connection.prepareStatement(table.retireAnyStatement()))
        {
            bind(retire, changeSet, rowId);
            retire.executeUpdate();
        }
        delete(table, rowId);
        try (PreparedStatement insert = connection.prepareStatement(table.insertStatement()))
        {
            dialect.bind(insert, 1, Arrays.asList(row));
            insert.executeUpdate();
        }
    }

    private static void bind(final PreparedStatement statement, final ChangeSetCursor changeSet, final String rowId)
        throws SQLException
    {
        statement.setLong(1, changeSet.position());
        statement.setLong(2, changeSet.ordinal());
        statement.setString(3, rowId);
    }

    private void delete(final ResultTable table, final String rowId) throws SQLException
    {
        try (PreparedStatement delete = connection.prepareStatement(table.deleteStatement()))
        {
            delete.setString(1, rowId);
            delete.executeUpdate();
        }
    }

    private String describe(final ResultTable table, final String rowId) throws SQLException
    {
        try (PreparedStatement select = connection.prepareStatement(
            "SELECT " + ResultTable.names(table.content()) + " FROM " + table.tableName() + " WHERE row_id = ?"))
        {
            select.setString(1, rowId);
            try (ResultSet row = select.executeQuery())
            {
                if (!row.next())
                {
                    return null;
                }
                final StringBuilder text = new StringBuilder();
                for (final Column column : table.content())
                {
                    text.append(text.length() == 0 ? "" : ", ").append(column.name()).append(' ')
                        .append(row.getString(column.name()));
                }
                return text.toString();
            }
        }
    }
}
