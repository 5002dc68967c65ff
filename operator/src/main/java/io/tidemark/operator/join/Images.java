package io.tidemark.operator.join;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.spec.JoinRule;
import org.agrona.UnsafeApi;

/**
 * Addresses of row images of one side, sorted as the row ids that they lead to. Beside each stands the beginning of its
 * id as a number that orders alike, so that most comparisons touch no row.
 */
final class Images extends NativeRecords
{
    private static final int IMAGE = 0;
    private static final int BEGINNING = 8;
    private static final int WIDTH = 16;
    private static final int RUN = 8;
    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    private boolean ofPairs;
    private int side;

    /** False once an id was added whose beginning is written differently in a row id. */
    private boolean arePlain = true;

    Images()
    {
        super(2);
    }

    void add(final long image)
    {
        final long record = add();
        UnsafeApi.putLong(record + IMAGE, image);
        UnsafeApi.putLong(record + BEGINNING, beginning(image));
    }

    long image(final int i)
    {
        return UnsafeApi.getLong(at(i) + IMAGE);
    }

    @Override
    void clear()
    {
        super.clear();
        arePlain = true;
    }

    void sortAsPartners(final int partnerSide)
    {
        ofPairs = true;
        side = partnerSide;
        sort();
    }

    void sortAsUnmatched()
    {
        ofPairs = false;
        side = JoinRule.LEFT;
        sort();
    }

    /** A merge sort as in {@link NativeRecords}, comparisons in place: change-sets of many pairs spend most here. */
    @Override
    void sort()
    {
        final int size = size();
        boolean isSorted = true;
        for (int i = 1; i < size && isSorted; i++)
        {
            isSorted = compare(at(i - 1), at(i)) < 0;
        }
        if (isSorted)
        {
            return;
        }
        for (int from = 0; from < size; from += RUN)
        {
            sortRun(at(from), at(Math.min(from + RUN, size)));
        }
        for (int run = RUN; run < size; run <<= 1)
        {
            for (int from = 0; from < size; from += run << 1)
            {
                merge(from, Math.min(from + run, size), Math.min(from + (run << 1), size));
            }
            useSpare();
        }
    }

    private void sortRun(final long from, final long end)
    {
        for (long next = from + WIDTH; next < end; next += WIDTH)
        {
            final long image = UnsafeApi.getLong(next + IMAGE);
            final long beginning = UnsafeApi.getLong(next + BEGINNING);
            long hole = next;
            while (hole > from && isBefore(image, beginning, hole - WIDTH))
            {
                UnsafeApi.putLong(hole + IMAGE, UnsafeApi.getLong(hole - WIDTH + IMAGE));
                UnsafeApi.putLong(hole + BEGINNING, UnsafeApi.getLong(hole - WIDTH + BEGINNING));
                hole -= WIDTH;
            }
            UnsafeApi.putLong(hole + IMAGE, image);
            UnsafeApi.putLong(hole + BEGINNING, beginning);
        }
    }

    private void merge(final int from, final int middle, final int end)
    {
        final long leftEnd = at(middle);
        final long rightEnd = at(end);
        long left = at(from);
        long right = leftEnd;
        long to = spare() + (left - at(0));
        while (left < leftEnd && right < rightEnd)
        {
            final long image = UnsafeApi.getLong(right + IMAGE);
            final long beginning = UnsafeApi.getLong(right + BEGINNING);
            if (isBefore(image, beginning, left))
            {
                UnsafeApi.putLong(to + IMAGE, image);
                UnsafeApi.putLong(to + BEGINNING, beginning);
                right += WIDTH;
            }
            else
            {
                UnsafeApi.putLong(to + IMAGE, UnsafeApi.getLong(left + IMAGE));
                UnsafeApi.putLong(to + BEGINNING, UnsafeApi.getLong(left + BEGINNING));
                left += WIDTH;
            }
            to += WIDTH;
        }
        UnsafeApi.copyMemory(left, to, leftEnd - left);
        UnsafeApi.copyMemory(right, to + (leftEnd - left), rightEnd - right);
    }

    private boolean isBefore(final long image, final long beginning, final long record)
    {
        final long other = UnsafeApi.getLong(record + BEGINNING);
        return (arePlain && beginning != other) ?
            beginning + Long.MIN_VALUE < other + Long.MIN_VALUE :
            compareWhole(image, UnsafeApi.getLong(record + IMAGE)) < 0;
    }

    private int compareWhole(final long left, final long right)
    {
        return ofPairs ? RowIds.comparePairs(left, right, side) : RowIds.compareUnmatched(side, left, side, right);
    }

    @Override
    int compare(final long a, final long b)
    {
        if (arePlain)
        {
            final int byBeginning = Long.compareUnsigned(
                UnsafeApi.getLong(a + BEGINNING), UnsafeApi.getLong(b + BEGINNING));
            if (byBeginning != 0)
            {
                return byBeginning;
            }
        }
        return compareWhole(UnsafeApi.getLong(a + IMAGE), UnsafeApi.getLong(b + IMAGE));
    }

    /** The first eight bytes of the id and the '@' behind it, most significant first. */
    private long beginning(final long image)
    {
        final int length = RowImage.idLength(image);
        long bytes;
        if (length >= Long.BYTES)
        {
            bytes = UnsafeApi.getLong(image + RowImage.ID_OFFSET);
            arePlain &= isPlain(bytes);
        }
        else
        {
            // The bytes before a short id belong to the image too; those behind it may belong to nobody.
            final int missing = (Long.BYTES - length) << 3;
            bytes = UnsafeApi.getLong(image + RowImage.ID_OFFSET + length - Long.BYTES) >>> missing;
            arePlain &= isPlain(bytes | ((EACH_BYTE * '0') << (length << 3)));
            bytes |= (long)'@' << (length << 3);
        }
        return Long.reverseBytes(bytes);
    }

    /** Whether none of eight bytes is a control character, '%', '@', '|' or part of a longer character. */
    private static boolean isPlain(final long bytes)
    {
        final long control = (bytes - EACH_BYTE * 0x20) & ~bytes;
        final long special = zeroes(bytes ^ EACH_BYTE * '%') | zeroes(bytes ^ EACH_BYTE * '@') |
            zeroes(bytes ^ EACH_BYTE * '|') | zeroes(bytes ^ EACH_BYTE * 0x7F);
        return ((bytes | control | special) & HIGH_BITS) == 0;
    }

    /** Has the high bit of a byte set if that byte, or one below it, is zero. */
    private static long zeroes(final long bytes)
    {
        return (bytes - EACH_BYTE) & ~bytes;
    }
}
