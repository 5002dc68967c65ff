package io.tidemark.sink.view;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowKind;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A row of the view: a copy, filled again for each row that a {@link ViewReader} finds, so that reading allocates
 * nothing but for {@link #row()} and {@link #rowId()}. One thread at a time.
 */
public final class ViewRow
{
    private static final String[] SIDES = {"|left|", "|right|"};
    private static final int KEY_AT = RecordDescriptor.MAX_ROW_LENGTH;

    private final UnsafeBuffer bytes = new UnsafeBuffer(new byte[RecordDescriptor.MAX_ROW_LENGTH + 255]);
    private final UnsafeBuffer text = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private int keyLength;

    /** Creates a row that holds nothing. */
    public ViewRow()
    {
    }

    UnsafeBuffer bytes()
    {
        return bytes;
    }

    int keyAt()
    {
        return KEY_AT;
    }

    void keyLength(final int length)
    {
        keyLength = length;
    }

    int contentAt()
    {
        return RecordDescriptor.contentOffset(bytes.getByte(RecordDescriptor.LEVELS_OFFSET));
    }

    /** Whether it may be a row: what was read while memory was used again can be anything. */
    boolean isPlausible()
    {
        final int levels = bytes.getByte(RecordDescriptor.LEVELS_OFFSET);
        return bytes.getByte(RecordDescriptor.TYPE_OFFSET) == RecordDescriptor.ROW && kind() != null &&
            levels > 0 && levels <= RecordDescriptor.MAX_LEVELS;
    }

    /** Bytes of the record. */
    int length()
    {
        return contentAt() + Content.length(kind(), bytes, contentAt());
    }

    /**
     * What the row is.
     *
     * @return its kind.
     */
    public RowKind kind()
    {
        return Content.kind(bytes.getByte(RecordDescriptor.KIND_OFFSET));
    }

    /**
     * Version of the rule that made it.
     *
     * @return the version.
     */
    public int rule()
    {
        return bytes.getInt(RecordDescriptor.RULE_OFFSET);
    }

    /**
     * Generation that inserted it.
     *
     * @return from 1.
     */
    public long generation()
    {
        return Integer.toUnsignedLong(bytes.getInt(RecordDescriptor.GENERATION_OFFSET));
    }

    /**
     * Number, in the change log, of the change-set that inserted it.
     *
     * @return from 0.
     */
    public long inserted()
    {
        return bytes.getLong(RecordDescriptor.INSERTED_OFFSET);
    }

    /**
     * Time of the left row of a pair, of an unmatched row, or of the start of a session.
     *
     * @return nanoseconds since the epoch.
     */
    public long time()
    {
        return bytes.getLong(RecordDescriptor.TIME_OFFSET);
    }

    /**
     * Time of the right row of a pair, of an unmatched row, or of the end of a session.
     *
     * @return nanoseconds since the epoch.
     */
    public long time2()
    {
        return bytes.getLong(RecordDescriptor.TIME_2_OFFSET);
    }

    /**
     * Value of the left row of a pair, or of an unmatched row; largest value of a session.
     *
     * @return the value.
     */
    public long value()
    {
        return switch (kind())
        {
            case PAIR -> bytes.getLong(contentAt() + Content.VALUE);
            case UNMATCHED -> bytes.getLong(contentAt() + Content.UNMATCHED_ROW + Content.VALUE);
            case SESSION -> bytes.getLong(contentAt() + Content.MAX);
        };
    }

    /**
     * Value of the right row of a pair; 0 for other rows.
     *
     * @return the value.
     */
    public long rightValue()
    {
        return kind() == RowKind.PAIR ?
            bytes.getLong(Content.rightRow(bytes, contentAt()) + Content.VALUE) : 0;
    }

    /**
     * Whether the row stands for ever; a pair does as long as its rows do.
     *
     * @return false for a provisional unmatched row or session.
     */
    public boolean isFinal()
    {
        return switch (kind())
        {
            case PAIR -> false;
            case UNMATCHED -> bytes.getByte(contentAt() + Content.UNMATCHED_FINAL) != 0;
            case SESSION -> bytes.getByte(contentAt() + Content.SESSION_FINAL) != 0;
        };
    }

    /**
     * The key; allocates.
     *
     * @return a copy.
     */
    public Utf8 key()
    {
        return Utf8.of(bytes, KEY_AT, keyLength);
    }

    /**
     * The whole row as an object; allocates.
     *
     * @return a copy.
     */
    public ResultRow row()
    {
        final int at = contentAt();
        return switch (kind())
        {
            case PAIR -> new PairRow(rule(), key(), sourceRow(at), sourceRow(Content.rightRow(bytes, at)));
            case UNMATCHED -> new UnmatchedRow(
                rule(), key(), bytes.getByte(at + Content.SIDE), sourceRow(at + Content.UNMATCHED_ROW), isFinal());
            case SESSION -> new SessionRow(
                rule(), key(), bytes.getLong(at + Content.START), bytes.getLong(at + Content.END),
                bytes.getLong(at + Content.COUNT), Content.sum(bytes, at), bytes.getLong(at + Content.MIN),
                bytes.getLong(at + Content.MAX), isFinal(), bytes.getLong(at + Content.PUBLICATION));
        };
    }

    private SourceRow sourceRow(final int row)
    {
        return new SourceRow(
            Utf8.of(bytes, row + Content.ID, Content.idLength(bytes, row)), bytes.getInt(row + Content.REVISION),
            bytes.getLong(row + Content.TIME), bytes.getLong(row + Content.VALUE),
            bytes.getInt(row + Content.PARTITION), bytes.getLong(row + Content.INDEX));
    }

    /**
     * The row id (INTERFACE.md, "Row ids"); allocates.
     *
     * @return the row id.
     */
    public String rowId()
    {
        return text.getStringWithoutLengthUtf8(0, putRowId());
    }

    /** Writes the row id into {@link #text}; returns its length. */
    int putRowId()
    {
        final int content = contentAt();
        int at = text.putStringWithoutLengthAscii(0, switch (kind())
        {
            case PAIR -> "pair|";
            case UNMATCHED -> "unmatched|";
            case SESSION -> "session|";
        });
        at += text.putNaturalIntAscii(at, rule());
        text.putByte(at++, (byte)'|');
        at += RowIds.putEncoded(text, at, bytes, KEY_AT, keyLength);
        switch (kind())
        {
            case PAIR ->
            {
                text.putByte(at++, (byte)'|');
                at = putId(at, content);
                text.putByte(at++, (byte)'|');
                at = putId(at, Content.rightRow(bytes, content));
            }
            case UNMATCHED ->
            {
                at += text.putStringWithoutLengthAscii(at, SIDES[bytes.getByte(content + Content.SIDE) & 1]);
                at = putId(at, content + Content.UNMATCHED_ROW);
            }
            case SESSION ->
            {
                text.putByte(at++, (byte)'|');
                at += text.putLongAscii(at, bytes.getLong(content + Content.START));
            }
        }
        return at;
    }

    private int putId(final int from, final int row)
    {
        int at = from;
        at += RowIds.putEncoded(text, at, bytes, row + Content.ID, Content.idLength(bytes, row));
        text.putByte(at++, (byte)'@');
        return at + text.putNaturalIntAscii(at, Math.max(0, bytes.getInt(row + Content.REVISION)));
    }

    boolean hasRowId(final UnsafeBuffer wanted, final int length)
    {
        return putRowId() == length && Content.isEqual(text, 0, wanted, 0, length);
    }
}
