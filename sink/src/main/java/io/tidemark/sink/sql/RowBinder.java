package io.tidemark.sink.sql;

import java.sql.PreparedStatement;
import java.sql.SQLException;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.change.SessionImageDecoder;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Puts the row of a change into the parameters of a statement, in the order of {@link ResultTable#columns}.
 */
final class RowBinder
{
    private static final String[] SIDES = {"left", "right"};

    private final Dialect dialect;
    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);

    RowBinder(final Dialect dialect)
    {
        this.dialect = dialect;
    }

    static ResultTable tableOf(final ChangeSetDecoder change)
    {
        return switch (change.kind())
        {
            case PAIR -> ResultTable.PAIRS;
            case UNMATCHED -> ResultTable.UNMATCHED;
            case SESSION -> ResultTable.SESSIONS;
        };
    }

    String rowId(final ChangeSetDecoder change)
    {
        return rowId.getStringWithoutLengthUtf8(0, change.putRowId(rowId, 0));
    }

    /** Binds all but where the row came from. */
    int bindRow(
        final PreparedStatement statement, final int from, final String rowId, final ChangeSetDecoder change)
        throws SQLException
    {
        int at = from;
        statement.setString(at++, rowId);
        statement.setLong(at++, Integer.toUnsignedLong(change.rule()));
        statement.setString(at++, SqlText.of(change.buffer(), change.keyOffset(), change.keyLength()));
        switch (change.kind())
        {
            case PAIR ->
            {
                at = bindId(statement, at, change.left());
                at = bindId(statement, at, change.right());
            }
            case UNMATCHED ->
            {
                statement.setString(at++, SIDES[change.rowSide()]);
                at = bindId(statement, at, change.row());
            }
            case SESSION -> statement.setLong(at++, change.session().start());
        }
        return bindContent(statement, at, change);
    }

    /** Binds what a retraction must repeat. */
    int bindContent(final PreparedStatement statement, final int from, final ChangeSetDecoder change)
        throws SQLException
    {
        return switch (change.kind())
        {
            case PAIR -> bindContent(statement, bindContent(statement, from, change.left()), change.right());
            case UNMATCHED ->
            {
                final int at = bindContent(statement, from, change.row());
                statement.setBoolean(at, change.isFinal());
                yield at + 1;
            }
            case SESSION -> bindContent(statement, from, change.session());
        };
    }

    private int bindContent(final PreparedStatement statement, final int from, final SessionImageDecoder session)
        throws SQLException
    {
        statement.setLong(from, session.end());
        statement.setLong(from + 1, session.count());
        dialect.bindWide(statement, from + 2, session.sum());
        statement.setLong(from + 3, session.min());
        statement.setLong(from + 4, session.max());
        statement.setBoolean(from + 5, session.isFinal());
        statement.setLong(from + 6, session.publication());
        return from + 7;
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
