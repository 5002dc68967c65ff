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

    /** From so many on, one pass would leave too much to do. */
    private static final int MANY = 256;

    /** One in eight out of order is much: ids that were counted up come in order but for the late ones among them. */
    private static final int MIXED_SHIFT = 3;

    /** So many steps a record are cheaper than a merge sort. */
    private static final int MOST_STEPS = 8;

    private static final long EACH_BYTE = 0x0101_0101_0101_0101L;
    private static final long HIGH_BITS = 0x8080_8080_8080_8080L;

    /** Common bytes that are verified by two words. */
    private static final int MOST_GUESSED = 16;

    private static final int BUCKETS = 256;
    private static final int TWO_BYTES = 16;

    /** What 'a' is worth beyond its lower four bits, as a hexadecimal digit. */
    private static final int LETTERS = 9;
    private static final long EACH_DIGIT = 0x0F0F_0F0F_0F0F_0F0FL;

    private final int[] highs = new int[BUCKETS];
    private final int[] lows = new int[BUCKETS];
    private final int[] ranks = new int[FEW];

    private boolean ofPairs;
    private int side;

    /** Whether the eight bytes of all ids are written in row ids as they are. */
    private boolean arePlain;

    /** Whether all of the eight bytes of all ids are hexadecimal digits, so that four bytes say the same. */
    private boolean areHexadecimal;

    /** Which bits of the eight bytes differ between ids. */
    private long differing;

    /** How many ids have less in their eight bytes than the one in front of them. */
    private int descents;

    /** How many bytes the ids of each side had in common that were sorted last: those of one stream are alike. */
    private final int[] guesses = new int[2];

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
        if (readLong(guess) || (allBeginAlike(guess) && readShort(guess)))
        {
            tellsApart = differing != 0;
            // Next time from the first byte that differs, so that more of the eight tell ids apart.
            guesses[side] = Math.min(MOST_GUESSED, guess + (Long.numberOfLeadingZeros(differing) >>> 3));
        }
        if (!tellsApart)
        {
            final int common = commonLength();
            guesses[side] = Math.min(MOST_GUESSED, common);
            readShort(common);
        }
    }

    /**
     * Reads eight bytes behind so many that all ids begin with, in one pass. Says no if ids begin differently, or if
     * one ends within.
     */
    private boolean readLong(final int from)
    {
        final int least = from + Long.BYTES;
        final int headOffset = RowImage.ID_OFFSET;
        final int tailOffset = headOffset + Math.max(0, from - Long.BYTES);
        final int wordOffset = headOffset + from;
        final long mask = from == 0 ? 0 : from < Long.BYTES ? (1L << (from << 3)) - 1 : -1;
        final long firstImage = image(0);
        if (RowImage.idLength(firstImage) < least)
        {
            return false;
        }
        final long head = UnsafeApi.getLong(firstImage + headOffset);
        final long tail = UnsafeApi.getLong(firstImage + tailOffset);
        final long first = UnsafeApi.getLong(firstImage + wordOffset);
        final long end = at(size());
        long previous = Long.MIN_VALUE;
        int less = 0;
        long prefixes = 0;
        long others = 0;
        long unusual = 0;
        long notHexadecimal = 0;
        for (long record = at(0); record < end; record += WIDTH)
        {
            final long image = UnsafeApi.getLong(record + IMAGE);
            if (RowImage.idLength(image) < least)
            {
                return false;
            }
            final long word = UnsafeApi.getLong(image + wordOffset);
            prefixes |= (UnsafeApi.getLong(image + headOffset) ^ head) | (UnsafeApi.getLong(image + tailOffset) ^ tail);
            others |= word ^ first;
            unusual |= outsideDigitsAndLetters(word);
            notHexadecimal |= beyondHexadecimal(word);
            final long bytes = Long.reverseBytes(word);
            UnsafeApi.putLong(record + BYTES, bytes);
            less += bytes + Long.MIN_VALUE < previous ? 1 : 0;
            previous = bytes + Long.MIN_VALUE;
        }
        if ((prefixes & mask) != 0)
        {
            return false;
        }
        descents = less;
        conclude(from, Long.reverseBytes(others), unusual);
        areHexadecimal = ((unusual | notHexadecimal) & HIGH_BITS) == 0;
        return true;
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

    /** Reads eight bytes behind so many that all ids begin with, or what takes their place where one ends within. */
    private boolean readShort(final int from)
    {
        final long first = bytes(image(0), from, word(image(0), from));
        long others = 0;
        long unusual = 0;
        long previous = Long.MIN_VALUE;
        descents = 0;
        for (int i = 0; i < size(); i++)
        {
            final long record = at(i);
            final long image = UnsafeApi.getLong(record + IMAGE);
            final long word = word(image, from);
            final long bytes = bytes(image, from, word);
            others |= bytes ^ first;
            unusual |= outsideDigitsAndLetters(word);
            UnsafeApi.putLong(record + BYTES, bytes);
            descents += bytes + Long.MIN_VALUE < previous ? 1 : 0;
            previous = bytes + Long.MIN_VALUE;
        }
        conclude(from, others, unusual);
        areHexadecimal = false;
        return true;
    }

    private void conclude(final int from, final long others, final long unusual)
    {
        differing = others;
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

    /** Of bytes from '0' to '?' and from '`' to '{', has the high bit of each set that is no hexadecimal digit. */
    private static long beyondHexadecimal(final long word)
    {
        final long isLetter = word << 1;
        final long bit3 = word << 4;
        final long bit2 = word << 5;
        final long bit1 = word << 6;
        final long bit0 = word << 7;
        final long isBehindF = (word << 3) | bit3 | (bit2 & bit1 & bit0);
        final long isBeforeA = ~(bit2 | bit1 | bit0);
        return (isLetter & (isBehindF | isBeforeA)) | (~isLetter & bit3 & (bit2 | bit1));
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
        return descents > (size() >>> MIXED_SHIFT);
    }

    /** Puts in order what is nearly so; gives up and returns false when it is not. */
    private boolean insertionSort()
    {
        final long from = at(0);
        final long end = at(size());
        long steps = (long)size() * MOST_STEPS;
        for (long next = from + WIDTH; next < end && steps >= 0; next += WIDTH)
        {
            final long bytes = UnsafeApi.getLong(next + BYTES);
            if (arePlain && UnsafeApi.getLong(next - WIDTH + BYTES) + Long.MIN_VALUE < bytes + Long.MIN_VALUE)
            {
                continue;
            }
            final long image = UnsafeApi.getLong(next + IMAGE);
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

    /** Sorts by the first two bytes that differ, or by the second of them first; four where they are digits. */
    private void radixSort()
    {
        final int alike = Long.numberOfLeadingZeros(differing) >>> 3;
        final int shift = Math.max(0, Long.SIZE - TWO_BYTES - alike * (areHexadecimal ? 4 : Byte.SIZE));
        count(shift);
        if (size() >= MANY)
        {
            scatter(lows, shift);
        }
        scatter(highs, shift + Byte.SIZE);
    }

    /** Counts what begins with each byte, and goes on with it; digits are put together on the way. */
    private void count(final int shift)
    {
        final long end = at(size());
        Arrays.fill(highs, 0);
        Arrays.fill(lows, 0);
        for (long record = at(0); record < end; record += WIDTH)
        {
            long bytes = UnsafeApi.getLong(record + BYTES);
            if (areHexadecimal)
            {
                bytes = digits(bytes);
                UnsafeApi.putLong(record + BYTES, bytes);
            }
            final int two = (int)(bytes >>> shift);
            lows[two & BUCKETS - 1]++;
            highs[(two >>> Byte.SIZE) & BUCKETS - 1]++;
        }
    }

    /** Eight hexadecimal digits as four bytes, which come first. */
    private static long digits(final long bytes)
    {
        final long eight = (bytes & EACH_DIGIT) + ((bytes >>> 6) & EACH_BYTE) * LETTERS;
        final long four = (eight | (eight >>> 4)) & 0x00FF_00FF_00FF_00FFL;
        final long two = (four | (four >>> 8)) & 0x0000_FFFF_0000_FFFFL;
        return (two | (two >>> 16)) << 32;
    }

    private void scatter(final int[] counts, final int shift)
    {
        int place = 0;
        for (int i = 0; i < BUCKETS; i++)
        {
            final int count = counts[i];
            counts[i] = place;
            place += count;
        }
        final long end = at(size());
        final long to = spare();
        for (long record = at(0); record < end; record += WIDTH)
        {
            final long bytes = UnsafeApi.getLong(record + BYTES);
            final int bucket = (int)(bytes >>> shift) & BUCKETS - 1;
            final long target = to + (long)counts[bucket]++ * WIDTH;
            UnsafeApi.putLong(target + IMAGE, UnsafeApi.getLong(record + IMAGE));
            UnsafeApi.putLong(target + BYTES, bytes);
        }
        useSpare();
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
