package io.tidemark.sink.export;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;

import io.tidemark.operator.change.RowIds;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Row ids as text (INTERFACE.md, "Row ids"). Not for several threads at a time.
 */
public final class RowIdText
{
    private record Named(Utf8 id, ResultRow row)
    {
    }

    private static final String[] SIDES = {"left", "right"};

    private final ExpandableArrayBuffer encoded = new ExpandableArrayBuffer(RowIds.MAX_LENGTH);
    private final UnsafeBuffer plain = new UnsafeBuffer(0, 0);

    /**
     * Sorts rows by their ids, as a change-set has them.
     *
     * @param rows in any order.
     * @return a new list.
     */
    public static List<ResultRow> sorted(final Collection<? extends ResultRow> rows)
    {
        final RowIdText text = new RowIdText();
        return rows.stream().map(row -> new Named(Utf8.of(text.of(row)), row))
            .sorted(Comparator.comparing(Named::id)).map(Named::row).toList();
    }

    /**
     * The id of a row.
     *
     * @param row any.
     * @return its id.
     */
    public String of(final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            return "pair|" + pair.rule() + "|" + encode(pair.key()) + "|" + of(pair.left()) + "|" + of(pair.right());
        }
        if (row instanceof final SessionRow session)
        {
            return "session|" + session.rule() + "|" + encode(session.key()) + "|" + session.start();
        }
        final UnmatchedRow alone = (UnmatchedRow)row;
        return "unmatched|" + alone.rule() + "|" + encode(alone.key()) + "|" + side(alone.side()) + "|" +
            of(alone.row());
    }

    static String side(final int side)
    {
        return SIDES[side];
    }

    private String of(final SourceRow row)
    {
        return encode(row.id()) + "@" + row.revision();
    }

    private String encode(final Utf8 text)
    {
        plain.wrap(text.bytes());
        final int length = RowIds.putEncoded(encoded, 0, plain, 0, plain.capacity());
        return encoded.getStringWithoutLengthUtf8(0, length);
    }
}
