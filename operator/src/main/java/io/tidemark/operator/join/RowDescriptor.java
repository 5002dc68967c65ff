package io.tidemark.operator.join;

import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.keyed.Memory;
import io.tidemark.store.TimeIndex;
import org.agrona.UnsafeApi;

/**
 * Layout of a row's body in a {@link io.tidemark.store.TimeIndex}. Its image is stored as it is put out, so that a
 * match is one copy.
 *
 * <pre>
 *    0  pairs (32)          current pairs, those with partners that are gone included
 *    4  flags (8)
 *    8  largestTime (64)    seen in any accepted or duplicate event of the row
 *   16  end (64)            of the interval (the tree has its start)
 *   24  image               {@link RowImage}
 * </pre>
 */
final class RowDescriptor
{
    /** The row was withdrawn; only its record is left. */
    static final int TOMBSTONE = 1;

    /** A provisional unmatched row is current. */
    static final int PROVISIONAL = 2;

    /** Its final unmatched row was published. */
    static final int FINAL = 4;

    /**
     * The agenda of the left clock has an entry with the hash of this row's id that is due exactly when the clock
     * closes the row as it is; likewise, one bit up, that of the right clock.
     */
    private static final int NOTED = 8;

    /** Offset of the row's {@link RowImage}. */
    static final int IMAGE = 24;

    private static final int PAIRS = 0;
    private static final int FLAGS = 4;
    private static final int LARGEST_TIME = 8;
    private static final int END = 16;

    private RowDescriptor()
    {
    }

    static int length(final int idLength)
    {
        return Math.max(TimeIndex.SHORTEST_BODY, IMAGE + RowImage.length(idLength));
    }

    /** The row that an image is part of. */
    static long ofImage(final long image)
    {
        return image - IMAGE;
    }

    static int pairs(final long row)
    {
        return UnsafeApi.getInt(row + PAIRS);
    }

    static void pairs(final long row, final int value)
    {
        UnsafeApi.putInt(row + PAIRS, value);
    }

    static int flags(final long row)
    {
        return UnsafeApi.getByte(row + FLAGS);
    }

    static void flags(final long row, final int value)
    {
        UnsafeApi.putByte(row + FLAGS, (byte)value);
    }

    static boolean isNoted(final long row, final int clock)
    {
        return (flags(row) & (NOTED << clock)) != 0;
    }

    static void noted(final long row, final int clock, final boolean is)
    {
        final int bit = NOTED << clock;
        flags(row, is ? flags(row) | bit : flags(row) & ~bit);
    }

    /** Forgets what was published of a row, not what agendas hold for it. */
    static void publishedNothing(final long row)
    {
        flags(row, flags(row) & (NOTED | (NOTED << 1)));
    }

    static boolean isTombstone(final long row)
    {
        return (flags(row) & TOMBSTONE) != 0;
    }

    static long largestTime(final long row)
    {
        return UnsafeApi.getLong(row + LARGEST_TIME);
    }

    static void largestTime(final long row, final long value)
    {
        UnsafeApi.putLong(row + LARGEST_TIME, value);
    }

    static long end(final long row)
    {
        return UnsafeApi.getLong(row + END);
    }

    static void end(final long row, final long value)
    {
        UnsafeApi.putLong(row + END, value);
    }

    static int revision(final long row)
    {
        return RowImage.revision(row + IMAGE);
    }

    static long time(final long row)
    {
        return RowImage.time(row + IMAGE);
    }

    static boolean hasId(final long row, final long id, final int length)
    {
        return RowImage.idLength(row + IMAGE) == length && Memory.equal(row + IMAGE + RowImage.ID_OFFSET, id, length);
    }
}
