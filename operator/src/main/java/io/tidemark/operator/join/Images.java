package io.tidemark.operator.join;

import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.keyed.Memory;
import io.tidemark.operator.keyed.NativeRecords;
import io.tidemark.operator.spec.JoinRule;
import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Addresses of row images of one side, sorted as the row ids that they lead to. For that, each has beside it eight
 * bytes of its id, from where the ids begin to differ, as a number that orders alike; a radix sort takes no look at the
 * rows and has no branches to guess, which is what a sort of unordered ids spends its time on.
 */
final class Images extends NativeRecords
{
    private static final int IMAGE = 0;
    private static final int BYTES = 8;
    private static final int WIDTH = 16;

    /** Up to so many are ranked by comparing each with each. */
    private static final int FEW = 12;

    /** From so many on, two bytes of hexadecimal digits would leave too much to do. */
    private static final int MANY = 256;

    /** One in eight out of order is much: ids that were counted up come in order but for the late ones among them. */
    private static final int MIXED_SHIFT = 3;

    /** So many steps a record are cheaper than a merge sort. */
    private static final int MOST_STEPS = 8;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** Common bytes that are verified by two words. */
    private static final int MOST_GUESSED = 16;

    private static final int DIGIT = 0xF;

    /** What 'a' is worth beyond its lower four bits, as a hexadecimal digit. */
    private static final int LETTERS = 9;

    /** Bytes that nearly do for less than {@link #MANY}. */
    private static final int FEW_SHIFTS = 2;

    private final int[] counts = new int[256];
    private final int[] ranks = new int[FEW];

    /** Where the first bytes that differ are. */
    private final int[] shifts = new int[4];
    private boolean ofPairs;
    private int side;

    /** Whether the eight bytes of all ids are written in row ids as they are. */
    private boolean arePlain;

    /** Whether all of the eight bytes of all ids are digits, 'a' to 'f' among them. */
    private boolean areHexadecimal;

    /** Which bits of the eight bytes differ between ids. */
    private long differing;

    /** How many bytes the ids of each side had in common that were sorted last: those of one stream are alike. */
    private final int[] guesses = new int[2];

    /** Entries of {@link #counts} that may not be 0. */
    private int counted = 256;

    Images()
    {
        super(2);
    }

    void add(final long image)
    {
        UnsafeApi.putLong(add() + IMAGE, image);
    }

    long image(final int i)
    {
        return UnsafeApi.getLong(at(i) + IMAGE);
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

    @Override
    public void sort()
    {
        final int size = size();
        if (size < 2)
        {
            return;
        }
        readBytes();
        if (arePlain && isMixed())
        {
            if (size <= FEW)
            {
                rankSort();
            }
            else
            {
                radixSort();
            }
        }
        if (!insertionSort())
        {
            super.sort();
        }
    }

    @Override
    protected int compare(final long a, final long b)
    {
        final long left = UnsafeApi.getLong(a + BYTES);
        final long right = UnsafeApi.getLong(b + BYTES);
        return (arePlain && left != right) ?
            Long.compareUnsigned(left, right) :
            compareWhole(UnsafeApi.getLong(a + IMAGE), UnsafeApi.getLong(b + IMAGE));
    }

    private int compareWhole(final long left, final long right)
    {
        return ofPairs ? RowIds.comparePairs(left, right, side) : RowIds.compareUnmatched(side, left, side, right);
    }

    /** Number of bytes that all ids begin with. */
    private int commonLength()
    {
        final long first = image(0);
        int common = RowImage.idLength(first);
        for (int i = 1; i < size() && common > 0; i++)
        {
            final long other = image(i);
            final int length = Math.min(common, RowImage.idLength(other));
            common = Memory.commonLength(first + RowImage.ID_OFFSET, other + RowImage.ID_OFFSET, length);
        }
        return common;
    }

    private void readBytes()
    {
        final int guess = guesses[side];
        boolean tellsApart = false;
        if (allBeginAlike(guess))
        {
            readBytes(guess);
            tellsApart = differing != 0;
            // Next time from the first byte that differs, so that more of the eight tell ids apart.
            guesses[side] = Math.min(MOST_GUESSED, guess + (Long.numberOfLeadingZeros(differing) >>> 3));
        }
        if (!tellsApart)
        {
            final int common = commonLength();
            guesses[side] = Math.min(MOST_GUESSED, common);
            readBytes(common);
        }
    }

    /** Whether all ids begin with the same bytes; says no if one has less than eight. */
    private boolean allBeginAlike(final int length)
    {
        if (length == 0)
        {
            return true;
        }
        final int least = Math.max(length, Long.BYTES);
        final int tailOffset = RowImage.ID_OFFSET + least - Long.BYTES;
        final long mask = length < Long.BYTES ? (1L << (length << 3)) - 1 : -1;
        final long first = image(0);
        if (RowImage.idLength(first) < least)
        {
            return false;
        }
        final long head = UnsafeApi.getLong(first + RowImage.ID_OFFSET);
        final long tail = UnsafeApi.getLong(first + tailOffset);
        long others = 0;
        for (int i = 1; i < size(); i++)
        {
            final long image = image(i);
            if (RowImage.idLength(image) < least)
            {
                return false;
            }
            others |= (UnsafeApi.getLong(image + RowImage.ID_OFFSET) ^ head) |
                (UnsafeApi.getLong(image + tailOffset) ^ tail);
        }
        return (others & mask) == 0;
    }

    private void readBytes(final int from)
    {
        final long first = bytes(image(0), from, word(image(0), from));
        long others = 0;
        long unusual = 0;
        long notHexadecimal = 0;
        for (int i = 0; i < size(); i++)
        {
            final long record = at(i);
            final long image = UnsafeApi.getLong(record + IMAGE);
            final long word = word(image, from);
            final long bytes = bytes(image, from, word);
            others |= bytes ^ first;
            unusual |= outsideDigitsAndLetters(word);
            notHexadecimal |= beyondHexadecimal(word);
            UnsafeApi.putLong(record + BYTES, bytes);
        }
        differing = others;
        areHexadecimal = ((unusual | notHexadecimal) & HIGH_BITS) == 0;
        arePlain = (unusual & HIGH_BITS) == 0 || allArePlain(from);
    }

    /** Eight bytes of the id and the '@' behind it, most significant first. */
    private static long bytes(final long image, final int from, final long word)
    {
        final int length = RowImage.idLength(image) - from;
        final int bits = length << 3;
        return Long.reverseBytes(
            length >= Long.BYTES ? word : word ^ ((EACH_BYTE * '0') << bits) ^ ((long)'@' << bits));
    }

    /** Eight bytes of the id, with zeroes behind its end, least significant first. */
    private static long word(final long image, final int from)
    {
        final int length = RowImage.idLength(image) - from;
        final long id = image + RowImage.ID_OFFSET + from;
        if (length >= Long.BYTES)
        {
            return UnsafeApi.getLong(id);
        }
        // The bytes before the end of an id belong to the image; those behind it may belong to nobody.
        final int bits = length << 3;
        final long last = length == 0 ? 0 : UnsafeApi.getLong(id + length - Long.BYTES) >>> (Long.SIZE - bits);
        return last | (EACH_BYTE * '0') << bits;
    }

    /** Has the high bit of each byte set that is neither from '0' to '?' nor from '`' to '{'. */
    private static long outsideDigitsAndLetters(final long word)
    {
        final long isLetter = word << 1;
        final long bit4 = word << 3;
        return word | ~(word << 2) | ~(isLetter | bit4) | (isLetter & bit4 & (word << 4) & (word << 5));
    }

    /** Has the high bit of each byte set that is from 'g' to the end of letters; others may have it too. */
    private static long beyondHexadecimal(final long word)
    {
        final long isLetter = word << 1;
        return isLetter & ((word << 3) | (word << 4) | ((word << 5) & (word << 6) & (word << 7)));
    }

    private boolean allArePlain(final int from)
    {
        for (int i = 0; i < size(); i++)
        {
            if (!isPlain(word(image(i), from)))
            {
                return false;
            }
        }
        return true;
    }

    /** Whether so many records are before the one in front of them that inserting them one by one takes long. */
    private boolean isMixed()
    {
        final int size = size();
        int steps = 0;
        long previous = UnsafeApi.getLong(at(0) + BYTES) + Long.MIN_VALUE;
        for (int i = 1; i < size; i++)
        {
            final long bytes = UnsafeApi.getLong(at(i) + BYTES) + Long.MIN_VALUE;
            steps += bytes < previous ? 1 : 0;
            previous = bytes;
        }
        return steps > (size >>> MIXED_SHIFT);
    }

    /** Puts in order what is nearly so; gives up and returns false when it is not. */
    private boolean insertionSort()
    {
        final long from = at(0);
        final long end = at(size());
        long steps = (long)size() * MOST_STEPS;
        for (long next = from + WIDTH; next < end && steps >= 0; next += WIDTH)
        {
            final long image = UnsafeApi.getLong(next + IMAGE);
            final long bytes = UnsafeApi.getLong(next + BYTES);
            long hole = next;
            while (hole > from && isBefore(image, bytes, hole - WIDTH))
            {
                UnsafeApi.putLong(hole + IMAGE, UnsafeApi.getLong(hole - WIDTH + IMAGE));
                UnsafeApi.putLong(hole + BYTES, UnsafeApi.getLong(hole - WIDTH + BYTES));
                hole -= WIDTH;
                steps--;
            }
            UnsafeApi.putLong(hole + IMAGE, image);
            UnsafeApi.putLong(hole + BYTES, bytes);
        }
        return steps >= 0;
    }

    private boolean isBefore(final long image, final long bytes, final long record)
    {
        final long other = UnsafeApi.getLong(record + BYTES);
        return (arePlain && bytes != other) ?
            bytes + Long.MIN_VALUE < other + Long.MIN_VALUE :
            compareWhole(image, UnsafeApi.getLong(record + IMAGE)) < 0;
    }

    /** Sorts by the eight bytes, which are positive numbers, in steps that have no branches to guess either. */
    private void rankSort()
    {
        final int size = size();
        final long from = at(0);
        for (int i = 0; i < size; i++)
        {
            final long bytes = UnsafeApi.getLong(from + (long)i * WIDTH + BYTES);
            int rank = i;
            for (int j = 0; j < i; j++)
            {
                final int isBefore = (int)((bytes - UnsafeApi.getLong(from + (long)j * WIDTH + BYTES)) >>> 63);
                ranks[j] += isBefore;
                rank -= isBefore;
            }
            ranks[i] = rank;
        }
        final long to = spare();
        for (int i = 0; i < size; i++)
        {
            final long record = from + (long)i * WIDTH;
            final long target = to + (long)ranks[i] * WIDTH;
            UnsafeApi.putLong(target + IMAGE, UnsafeApi.getLong(record + IMAGE));
            UnsafeApi.putLong(target + BYTES, UnsafeApi.getLong(record + BYTES));
        }
        useSpare();
    }

    /** Sorts by so many of the first bytes that differ as will nearly do; two that are digits go in one pass. */
    private void radixSort()
    {
        final int wanted = size() < MANY ? FEW_SHIFTS : shifts.length;
        int found = 0;
        for (int shift = Long.SIZE - Byte.SIZE; shift >= 0 && found < wanted; shift -= Byte.SIZE)
        {
            if (((differing >>> shift) & 0xFF) != 0)
            {
                shifts[found++] = shift;
            }
        }
        while (found > 0)
        {
            final int low = shifts[--found];
            if (found > 0 && (areHexadecimal || (areDigits(low) && areDigits(shifts[found - 1]))))
            {
                sortBy(low, DIGIT, shifts[--found], DIGIT);
            }
            else
            {
                sortBy(low, 0xFF, 0, 0);
            }
        }
    }

    /** Whether a byte is told by its lower four bits. */
    private boolean areDigits(final int shift)
    {
        return ((differing >>> shift) & (0xFF & ~DIGIT)) == 0;
    }

    /** Sorts by the byte at a shift, or by two digits. */
    private void sortBy(final int lowShift, final int lowMask, final int highShift, final int highMask)
    {
        final int size = size();
        final long from = at(0);
        final long to = spare();
        final int letters = areHexadecimal && highMask != 0 ? LETTERS : 0;
        Arrays.fill(counts, 0, counted, 0);
        int last = 0;
        for (int i = 0; i < size; i++)
        {
            final long bytes = UnsafeApi.getLong(from + (long)i * WIDTH + BYTES);
            final int bucket = digit((int)(bytes >>> lowShift), lowMask, letters) +
                (digit((int)(bytes >>> highShift), highMask, letters) << 4);
            counts[bucket]++;
            last = Math.max(last, bucket);
        }
        counted = last + 1;
        int place = 0;
        for (int i = 0; i <= last; i++)
        {
            final int count = counts[i];
            counts[i] = place;
            place += count;
        }
        for (int i = 0; i < size; i++)
        {
            final long record = from + (long)i * WIDTH;
            final long bytes = UnsafeApi.getLong(record + BYTES);
            final int bucket = digit((int)(bytes >>> lowShift), lowMask, letters) +
                (digit((int)(bytes >>> highShift), highMask, letters) << 4);
            final long target = to + (long)counts[bucket]++ * WIDTH;
            UnsafeApi.putLong(target + IMAGE, UnsafeApi.getLong(record + IMAGE));
            UnsafeApi.putLong(target + BYTES, bytes);
        }
        useSpare();
    }

    private static int digit(final int bytes, final int mask, final int letters)
    {
        return (bytes & mask) + letters * ((bytes >>> 6) & 1);
    }

    /** Whether none of eight bytes is a control character, '%', '@', '|' or part of a longer character. */
    private static boolean isPlain(final long bytes)
    {
        final long control = (bytes - EACH_BYTE * 0x20) & ~bytes;
        final long special = zeroes(bytes ^ EACH_BYTE * '%') | zeroes(bytes ^ EACH_BYTE * '@') |
            zeroes(bytes ^ EACH_BYTE * '|') | zeroes(bytes ^ EACH_BYTE * 0x7F);
        return ((bytes | control | special) & HIGH_BITS) == 0;
    }

    /** Has the high bit of a byte set if that byte is zero, and perhaps if one below it is. */
    private static long zeroes(final long bytes)
    {
        return (bytes - EACH_BYTE) & ~bytes;
    }
}
