package io.tidemark.sink.sql;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import org.agrona.CloseHelper;
import org.postgresql.PGConnection;
import org.postgresql.copy.CopyIn;
import org.postgresql.copy.CopyManager;

/**
 * What costs a PostgreSQL server least: {@code COPY} for insertions, and one statement with a parameter a column for
 * all retirements.
 */
final class PostgresBulk implements BulkWriter
{
    private static final int ROWS_A_MESSAGE = 200;

    private final Connection connection;
    private final CopyManager copies;
    private final CopyText text = new CopyText();
    private final Map<ResultTable, PreparedStatement> retire = new EnumMap<>(ResultTable.class);

    PostgresBulk(final Connection connection) throws SQLException
    {
        this.connection = connection;
        copies = connection.unwrap(PGConnection.class).getCopyAPI();
        for (final ResultTable table : ResultTable.values())
        {
            retire.put(table, connection.prepareStatement(retireStatement(table)));
        }
    }

    /** Deletes the rows that are just what the retractions repeat, and adds those to the past; tells how many. */
    private static String retireStatement(final ResultTable table)
    {
        final List<String> arrays = new ArrayList<>();
        final List<String> conditions = new ArrayList<>();
        for (final Column column : retirement(table))
        {
            arrays.add("?::" + arrayType(column.type()) + "[]");
        }
        conditions.add("present.row_id = gone.row_id");
        for (final Column column : table.content())
        {
            conditions.add("present." + column.name() + " = gone." + column.name());
        }
        final String columns = ResultTable.names(table.columns());
        final String retraction = ResultTable.names(ResultTable.retraction());
        return "WITH moved AS (DELETE FROM " + table.tableName() + " AS present USING unnest(" +
            String.join(", ", arrays) + ") AS gone (" + ResultTable.names(retirement(table)) + ") WHERE " +
            String.join(" AND ", conditions) + " RETURNING present.*, gone." + retraction.replace(", ", ", gone.") +
            ") INSERT INTO " + table.pastName() + " (" + columns + ", " + retraction + ") SELECT " + columns + ", " +
            retraction + " FROM moved";
    }

    private static List<Column> retirement(final ResultTable table)
    {
        final List<Column> columns = new ArrayList<>();
        columns.add(Column.text(ResultTable.ROW_ID));
        columns.addAll(ResultTable.retraction());
        columns.addAll(table.content());
        return columns;
    }

    private static String arrayType(final Column.Type type)
    {
        return switch (type)
        {
            case TEXT -> "text";
            case NUMBER, TIME -> "int8";
            case WIDE -> "numeric";
            case FLAG -> "bool";
        };
    }

    @Override
    public boolean retire(final ResultTable table, final List<TableBatch.Retirement> rows) throws SQLException
    {
        final PreparedStatement statement = retire.get(table);
        final List<Column> columns = retirement(table);
        for (int c = 0; c < columns.size(); c++)
        {
            final Object[] values = new Object[rows.size()];
            for (int r = 0; r < values.length; r++)
            {
                values[r] = value(rows.get(r), c);
            }
            statement.setArray(c + 1, connection.createArrayOf(arrayType(columns.get(c).type()), values));
        }
        return statement.executeUpdate() == rows.size();
    }

    private static Object value(final TableBatch.Retirement row, final int column)
    {
        return switch (column)
        {
            case 0 -> row.rowId();
            case 1 -> row.position();
            case 2 -> row.ordinal();
            default -> row.content().get(column - 3) instanceof final BigInteger wide ?
                new BigDecimal(wide) : row.content().get(column - 3);
        };
    }

    @Override
    public void insertPast(final ResultTable table, final List<Object[]> rows) throws SQLException
    {
        copy(table.pastName(), ResultTable.names(table.pastColumns()), rows);
    }

    @Override
    public void insert(final ResultTable table, final List<Object[]> rows) throws SQLException
    {
        copy(table.tableName(), ResultTable.names(table.columns()), rows);
    }

    private void copy(final String table, final String columns, final List<Object[]> rows) throws SQLException
    {
        final CopyIn copy = copies.copyIn("COPY " + table + " (" + columns + ") FROM STDIN");
        try
        {
            for (int from = 0; from < rows.size(); from += ROWS_A_MESSAGE)
            {
                text.clear();
                rows.subList(from, Math.min(rows.size(), from + ROWS_A_MESSAGE)).forEach(text::row);
                copy.writeToCopy(text.bytes(), 0, text.length());
            }
            copy.endCopy();
        }
        finally
        {
            if (copy.isActive())
            {
                copy.cancelCopy();
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(retire.values());
    }
}
