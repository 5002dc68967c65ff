package io.tidemark.operator.session;

import io.tidemark.operator.keyed.Memory;
import io.tidemark.store.TimeIndex;
import org.agrona.UnsafeApi;

/**
 * Layout of the body of a member or a tombstone in a {@link TimeIndex}. The tree has its time: of a member the event
 * time, of a tombstone the largest time seen.
 *
 * <pre>
 *    0  largestTime (64)    seen in any accepted or duplicate event of the row
 *    8  value (64)          0 in tombstones
 *   16  revision (32)
 *   20  idLength (8)
 *   21  id
 * </pre>
 */
final class MemberDescriptor
{
    private static final int LARGEST_TIME = 0;
    private static final int VALUE = 8;
    private static final int REVISION = 16;
    private static final int ID_LENGTH = 20;
    private static final int ID = 21;

    private MemberDescriptor()
    {
    }

    static int length(final int idLength)
    {
        return Math.max(TimeIndex.SHORTEST_BODY, ID + idLength);
    }

    static void put(
        final long row,
        final long largestTime,
        final long value,
        final int revision,
        final long id,
        final int idLength)
    {
        UnsafeApi.putLong(row + LARGEST_TIME, largestTime);
        UnsafeApi.putLong(row + VALUE, value);
        UnsafeApi.putInt(row + REVISION, revision);
        UnsafeApi.putByte(row + ID_LENGTH, (byte)idLength);
        UnsafeApi.copyMemory(id, row + ID, idLength);
    }

    static long largestTime(final long row)
    {
        return UnsafeApi.getLong(row + LARGEST_TIME);
    }

    static void largestTime(final long row, final long value)
    {
        UnsafeApi.putLong(row + LARGEST_TIME, value);
    }

    static long value(final long row)
    {
        return UnsafeApi.getLong(row + VALUE);
    }

    static void value(final long row, final long value)
    {
        UnsafeApi.putLong(row + VALUE, value);
    }

    static int revision(final long row)
    {
        return UnsafeApi.getInt(row + REVISION);
    }

    static void revision(final long row, final int value)
    {
        UnsafeApi.putInt(row + REVISION, value);
    }

    static boolean hasId(final long row, final long id, final int length)
    {
        return (UnsafeApi.getByte(row + ID_LENGTH) & 0xFF) == length && Memory.equal(row + ID, id, length);
    }
}
