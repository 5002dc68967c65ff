package io.tidemark.sink.sql;

import java.util.Arrays;
import java.util.List;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.change.SessionImageDecoder;
import io.tidemark.sink.ChangeSetCursor;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The row of a change as values of columns: text, {@link Long}, {@link Boolean} or {@link java.math.BigInteger}.
 */
final class RowValues
{
    private static final int MOST_COLUMNS = 32;
    private static final String[] SIDES = {"left", "right"};

    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private final Object[] values = new Object[MOST_COLUMNS];
    private int count;

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

    /** In the order of {@link ResultTable#columns}. */
    Object[] row(final String id, final ChangeSetCursor changeSet, final ChangeSetDecoder change)
    {
        count = 0;
        put(id);
        put(Integer.toUnsignedLong(change.rule()));
        put(SqlText.of(change.buffer(), change.keyOffset(), change.keyLength()));
        switch (change.kind())
        {
            case PAIR ->
            {
                putId(change.left());
                putId(change.right());
            }
            case UNMATCHED ->
            {
                put(SIDES[change.rowSide()]);
                putId(change.row());
            }
            case SESSION -> put(change.session().start());
        }
        putContent(change);
        put(changeSet.generation());
        put(changeSet.position());
        put(changeSet.ordinal());
        return Arrays.copyOf(values, count);
    }

    /** In the order of {@link ResultTable#content}: what a retraction must repeat. */
    List<Object> content(final ChangeSetDecoder change)
    {
        count = 0;
        putContent(change);
        return Arrays.asList(Arrays.copyOf(values, count));
    }

    private void put(final Object value)
    {
        values[count++] = value;
    }

    private void putId(final RowImageDecoder row)
    {
        put(SqlText.of(row.buffer(), row.idOffset(), row.idLength()));
        put((long)row.revision());
    }

    private void putContent(final ChangeSetDecoder change)
    {
        switch (change.kind())
        {
            case PAIR ->
            {
                putContent(change.left());
                putContent(change.right());
            }
            case UNMATCHED ->
            {
                putContent(change.row());
                put(change.isFinal());
            }
            case SESSION -> putContent(change.session());
        }
    }

    private void putContent(final RowImageDecoder row)
    {
        put(row.time());
        put(row.value());
        put((long)row.partition());
        put(row.index());
    }

    private void putContent(final SessionImageDecoder session)
    {
        put(session.end());
        put(session.count());
        put(session.sum());
        put(session.min());
        put(session.max());
        put(session.isFinal());
        put(session.publication());
    }
}
