package io.tidemark.sink.view;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.change.RowKind;
import io.tidemark.operator.change.SessionImageDecoder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The content of a row: what a retraction repeats, besides key, rule and kind.
 * <pre>
 *   pair       left row, right row
 *   unmatched  side int8, final int8, row
 *   session    start, end, count, sum high, sum low, min, max, publication int64 each, final int8
 *
 *   row        revision int32, partition int32, time int64, value int64, index int64, id length uint8, id
 * </pre>
 */
final class Content
{
    static final int REVISION = 0;
    static final int PARTITION = 4;
    static final int TIME = 8;
    static final int VALUE = 16;
    static final int INDEX = 24;
    static final int ID_LENGTH = 32;
    static final int ID = 33;

    static final int SIDE = 0;
    static final int UNMATCHED_FINAL = 1;
    static final int UNMATCHED_ROW = 2;

    static final int START = 0;
    static final int END = 8;
    static final int COUNT = 16;
    static final int SUM_HIGH = 24;
    static final int SUM_LOW = 32;
    static final int MIN = 40;
    static final int MAX = 48;
    static final int PUBLICATION = 56;
    static final int SESSION_FINAL = 64;
    static final int SESSION_LENGTH = 65;

    static final int MAX_LENGTH = 2 * (ID + 255);

    private Content()
    {
    }

    /** The number of a kind in a record; 0 is none. */
    static byte code(final RowKind kind)
    {
        return switch (kind)
        {
            case PAIR -> 1;
            case UNMATCHED -> 2;
            case SESSION -> 3;
        };
    }

    /** The kind of a number; null for what is none. */
    static RowKind kind(final int code)
    {
        return switch (code)
        {
            case 1 -> RowKind.PAIR;
            case 2 -> RowKind.UNMATCHED;
            case 3 -> RowKind.SESSION;
            default -> null;
        };
    }

    /** Writes the content of a change's row; returns its length. */
    static int put(final MutableDirectBuffer target, final int offset, final ChangeSetDecoder change)
    {
        return switch (change.kind())
        {
            case PAIR ->
            {
                final int left = putRow(target, offset, change.left());
                yield left + putRow(target, offset + left, change.right());
            }
            case UNMATCHED ->
            {
                target.putByte(offset + SIDE, (byte)change.rowSide());
                target.putByte(offset + UNMATCHED_FINAL, (byte)(change.isFinal() ? 1 : 0));
                yield UNMATCHED_ROW + putRow(target, offset + UNMATCHED_ROW, change.row());
            }
            case SESSION -> putSession(target, offset, change.session());
        };
    }

    private static int putRow(final MutableDirectBuffer target, final int offset, final RowImageDecoder row)
    {
        target.putInt(offset + REVISION, row.revision());
        target.putInt(offset + PARTITION, row.partition());
        target.putLong(offset + TIME, row.time());
        target.putLong(offset + VALUE, row.value());
        target.putLong(offset + INDEX, row.index());
        target.putByte(offset + ID_LENGTH, (byte)row.idLength());
        target.putBytes(offset + ID, row.buffer(), row.idOffset(), row.idLength());
        return ID + row.idLength();
    }

    private static int putSession(
        final MutableDirectBuffer target, final int offset, final SessionImageDecoder session)
    {
        target.putLong(offset + START, session.start());
        target.putLong(offset + END, session.end());
        target.putLong(offset + COUNT, session.count());
        target.putLong(offset + SUM_HIGH, session.sumHigh());
        target.putLong(offset + SUM_LOW, session.sumLow());
        target.putLong(offset + MIN, session.min());
        target.putLong(offset + MAX, session.max());
        target.putLong(offset + PUBLICATION, session.publication());
        target.putByte(offset + SESSION_FINAL, (byte)(session.isFinal() ? 1 : 0));
        return SESSION_LENGTH;
    }

    /** Where the right row of a pair starts. */
    static int rightRow(final DirectBuffer content, final int offset)
    {
        return offset + ID + idLength(content, offset);
    }

    static int idLength(final DirectBuffer content, final int row)
    {
        return content.getByte(row + ID_LENGTH) & 0xFF;
    }

    /** Bytes of a content, never more than there can be, whatever stands there. */
    static int length(final RowKind kind, final DirectBuffer content, final int offset)
    {
        return switch (kind)
        {
            case PAIR ->
            {
                final int right = rightRow(content, offset);
                yield right + ID + idLength(content, right) - offset;
            }
            case UNMATCHED -> UNMATCHED_ROW + ID + idLength(content, offset + UNMATCHED_ROW);
            case SESSION -> SESSION_LENGTH;
        };
    }

    static long time(final RowKind kind, final DirectBuffer content, final int offset)
    {
        return switch (kind)
        {
            case PAIR -> content.getLong(offset + TIME);
            case UNMATCHED -> content.getLong(offset + UNMATCHED_ROW + TIME);
            case SESSION -> content.getLong(offset + START);
        };
    }

    static long time2(final RowKind kind, final DirectBuffer content, final int offset)
    {
        return switch (kind)
        {
            case PAIR -> content.getLong(rightRow(content, offset) + TIME);
            case UNMATCHED -> content.getLong(offset + UNMATCHED_ROW + TIME);
            case SESSION -> content.getLong(offset + END);
        };
    }

    /** Whether two contents of one kind are versions of one row. */
    static boolean isSameRow(
        final RowKind kind, final DirectBuffer a, final int aOffset, final DirectBuffer b, final int bOffset)
    {
        return switch (kind)
        {
            case PAIR -> isSameId(a, aOffset, b, bOffset) &&
                isSameId(a, rightRow(a, aOffset), b, rightRow(b, bOffset));
            case UNMATCHED -> a.getByte(aOffset + SIDE) == b.getByte(bOffset + SIDE) &&
                isSameId(a, aOffset + UNMATCHED_ROW, b, bOffset + UNMATCHED_ROW);
            case SESSION -> a.getLong(aOffset + START) == b.getLong(bOffset + START);
        };
    }

    private static boolean isSameId(final DirectBuffer a, final int aRow, final DirectBuffer b, final int bRow)
    {
        final int length = idLength(a, aRow);
        return a.getInt(aRow + REVISION) == b.getInt(bRow + REVISION) && length == idLength(b, bRow) &&
            isEqual(a, aRow + ID, b, bRow + ID, length);
    }

    static boolean isEqual(
        final DirectBuffer a, final int aOffset, final DirectBuffer b, final int bOffset, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            if (a.getByte(aOffset + i) != b.getByte(bOffset + i))
            {
                return false;
            }
        }
        return true;
    }

    static BigInteger sum(final DirectBuffer content, final int offset)
    {
        return new BigInteger(ByteBuffer.allocate(2 * Long.BYTES).order(ByteOrder.BIG_ENDIAN)
            .putLong(content.getLong(offset + SUM_HIGH)).putLong(content.getLong(offset + SUM_LOW)).array());
    }
}
