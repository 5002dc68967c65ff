package io.tidemark.sink.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImageDecoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the row of a change into the parameters of a statement, in the order of {@link ResultTable#columns}.
 */
final class RowBinder
{
    private static final String[] SIDES = {"left", "right"};

    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);

    static ResultTable tableOf(final ChangeSetDecoder change)
    {
        return change.isPair() ? ResultTable.PAIRS : ResultTable.UNMATCHED;
    }

    String rowId(final ChangeSetDecoder change)
    {
        return rowId.getStringWithoutLengthUtf8(0, change.putRowId(rowId, 0));
    }

    /** Binds all but where the row came from. */
    static int bindRow(
        final PreparedStatement statement, final int from, final String rowId, final ChangeSetDecoder change)
        throws SQLException
    {
        int at = from;
        statement.setString(at++, rowId);
        statement.setLong(at++, Integer.toUnsignedLong(change.rule()));
        statement.setString(at++, SqlText.of(change.buffer(), change.keyOffset(), change.keyLength()));
        if (change.isPair())
        {
            at = bindId(statement, at, change.left());
            at = bindId(statement, at, change.right());
        }
        else
        {
            statement.setString(at++, SIDES[change.rowSide()]);
            at = bindId(statement, at, change.row());
        }
        return bindContent(statement, at, change);
    }

    /** Binds what a retraction must repeat. */
    static int bindContent(final PreparedStatement statement, final int from, final ChangeSetDecoder change)
        throws SQLException
    {
        if (change.isPair())
        {
            return bindContent(statement, bindContent(statement, from, change.left()), change.right());
        }
        final int at = bindContent(statement, from, change.row());
        statement.setBoolean(at, change.isFinal());
        return at + 1;
    }

    private static int bindId(final PreparedStatement statement, final int from, final RowImageDecoder row)
        throws SQLException
    {
        statement.setString(from, SqlText.of(row.buffer(), row.idOffset(), row.idLength()));
        statement.setLong(from + 1, row.revision());
        return from + 2;
    }

    private static int bindContent(final PreparedStatement statement, final int from, final RowImageDecoder row)
        throws SQLException
    {
        statement.setLong(from, row.time());
        statement.setLong(from + 1, row.value());
        statement.setLong(from + 2, row.partition());
        statement.setLong(from + 3, row.index());
        return from + 4;
    }
}
