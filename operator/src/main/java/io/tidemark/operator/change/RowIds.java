package io.tidemark.operator.change;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.UnsafeApi;

import java.nio.charset.StandardCharsets;

/**
 * Row ids (INTERFACE.md, "Row ids") and their order, that of unsigned UTF-8 bytes.
 * <p>
 * {@code %}, {@code |}, {@code @} and control characters of keys and ids are percent-encoded: C0 and DEL are one byte
 * each, C1 is the byte C2 followed by 80 to 9F. Whether a byte is encoded shows from it and its neighbours alone, so
 * two row ids can be compared without building either: up to the first difference both encode alike, and there an
 * encoded byte stands for {@code %}.
 * <p>
 * No method allocates.
 */
public final class RowIds
{
    /** Bytes that a buffer for any row id must have. */
    public static final int MAX_LENGTH = 10 + 1 + 10 + 3 * (1 + 3 * 255) + 2 * (1 + 10);

    private static final byte[] PAIR = "pair|".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNMATCHED_LEFT = "|left|".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNMATCHED_RIGHT = "|right|".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] UNMATCHED = "unmatched|".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] SESSION = "session|".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] HEX = "0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII);
    private static final int C1_LEAD = 0xC2;

    private RowIds()
    {
    }

    /**
     * Writes the row id of a pair.
     *
     * @param target    to write to.
     * @param offset    to write at.
     * @param rule      version of the rule.
     * @param key       holds the key.
     * @param keyOffset of the key.
     * @param keyLength of the key.
     * @param left      row of the pair.
     * @param right     row of the pair.
     * @return bytes written.
     */
    public static int putPair(
        final MutableDirectBuffer target,
        final int offset,
        final int rule,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final RowImageDecoder left,
        final RowImageDecoder right)
    {
        target.putBytes(offset, PAIR);
        int at = offset + PAIR.length;
        at += target.putNaturalIntAscii(at, rule);
        target.putByte(at++, (byte)'|');
        at += putEncoded(target, at, key, keyOffset, keyLength);
        target.putByte(at++, (byte)'|');
        at += putRow(target, at, left);
        target.putByte(at++, (byte)'|');
        at += putRow(target, at, right);
        return at - offset;
    }

    /**
     * Writes the row id of a row without a pair.
     *
     * @param target    to write to.
     * @param offset    to write at.
     * @param rule      version of the rule.
     * @param key       holds the key.
     * @param keyOffset of the key.
     * @param keyLength of the key.
     * @param side      of the row: 0 left, 1 right.
     * @param row       without a pair.
     * @return bytes written.
     */
    public static int putUnmatched(
        final MutableDirectBuffer target,
        final int offset,
        final int rule,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final int side,
        final RowImageDecoder row)
    {
        target.putBytes(offset, UNMATCHED);
        int at = offset + UNMATCHED.length;
        at += target.putNaturalIntAscii(at, rule);
        target.putByte(at++, (byte)'|');
        at += putEncoded(target, at, key, keyOffset, keyLength);
        final byte[] name = side == 0 ? UNMATCHED_LEFT : UNMATCHED_RIGHT;
        target.putBytes(at, name);
        at += name.length;
        at += putRow(target, at, row);
        return at - offset;
    }

    /**
     * Writes the row id of a session.
     *
     * @param target    to write to.
     * @param offset    to write at.
     * @param rule      version of the rule.
     * @param key       holds the key.
     * @param keyOffset of the key.
     * @param keyLength of the key.
     * @param start     of the session.
     * @return bytes written.
     */
    public static int putSession(
        final MutableDirectBuffer target,
        final int offset,
        final int rule,
        final DirectBuffer key,
        final int keyOffset,
        final int keyLength,
        final long start)
    {
        target.putBytes(offset, SESSION);
        int at = offset + SESSION.length;
        at += target.putNaturalIntAscii(at, rule);
        target.putByte(at++, (byte)'|');
        at += putEncoded(target, at, key, keyOffset, keyLength);
        target.putByte(at++, (byte)'|');
        at += target.putLongAscii(at, start);
        return at - offset;
    }

    /**
     * Compares the row ids of two sessions of one key: by the texts of their starts.
     *
     * @param a start of one session.
     * @param b start of the other.
     * @return as a comparator.
     */
    public static int compareSessions(final long a, final long b)
    {
        if (a < 0 != b < 0)
        {
            return a < 0 ? -1 : 1;
        }
        // magnitudes as unsigned numbers, so that the smallest long has one too
        long longer = Math.abs(a);
        long shorter = Math.abs(b);
        final boolean swapped = Long.compareUnsigned(longer, shorter) < 0;
        if (swapped)
        {
            final long other = longer;
            longer = shorter;
            shorter = other;
        }
        boolean isLonger = false;
        while (unsignedDigits(longer) > unsignedDigits(shorter))
        {
            longer = Long.divideUnsigned(longer, 10);
            isLonger = true;
        }
        final int difference = Long.compareUnsigned(longer, shorter);
        final int order = difference == 0 && isLonger ? 1 : difference;
        return swapped ? -order : order;
    }

    /**
     * Writes a key or an id, percent-encoded.
     *
     * @param target       to write to.
     * @param offset       to write at.
     * @param source       holds the text.
     * @param sourceOffset of the text.
     * @param length       of the text.
     * @return bytes written.
     */
    public static int putEncoded(
        final MutableDirectBuffer target,
        final int offset,
        final DirectBuffer source,
        final int sourceOffset,
        final int length)
    {
        int at = offset;
        int before = 0;
        for (int i = 0; i < length; i++)
        {
            final int b = source.getByte(sourceOffset + i) & 0xFF;
            final int after = i + 1 < length ? source.getByte(sourceOffset + i + 1) & 0xFF : 0;
            if (isEncoded(before, b, after))
            {
                target.putByte(at++, (byte)'%');
                target.putByte(at++, HEX[b >> 4]);
                target.putByte(at++, HEX[b & 15]);
            }
            else
            {
                target.putByte(at++, (byte)b);
            }
            before = b;
        }
        return at - offset;
    }

    /**
     * Compares the row ids of two pairs of one subject by their partners.
     *
     * @param a            address of the image of one partner.
     * @param b            address of the image of the other.
     * @param partnerSide  side of the partners: 0 left, 1 right.
     * @return as a comparator.
     */
    public static int comparePairs(final long a, final long b, final int partnerSide)
    {
        return compare(a, b, partnerSide == 0);
    }

    /**
     * Compares the row ids of two unmatched rows of one key.
     *
     * @param aSide side of one row.
     * @param a     address of its image.
     * @param bSide side of the other row.
     * @param b     address of its image.
     * @return as a comparator.
     */
    public static int compareUnmatched(final int aSide, final long a, final int bSide, final long b)
    {
        return aSide != bSide ? Integer.compare(aSide, bSide) : compare(a, b, false);
    }

    private static int putRow(final MutableDirectBuffer target, final int offset, final RowImageDecoder row)
    {
        int at = offset;
        at += putEncoded(target, at, row.buffer(), row.idOffset(), row.idLength());
        target.putByte(at++, (byte)'@');
        at += target.putNaturalIntAscii(at, row.revision());
        return at - offset;
    }

    /** Compares {@code id@revision} of two images; {@code goesOn} says whether a '|' follows or nothing. */
    private static int compare(final long a, final long b, final boolean goesOn)
    {
        final int aLength = RowImage.idLength(a);
        final int bLength = RowImage.idLength(b);
        final int length = Math.min(aLength, bLength);
        final long aId = a + RowImage.ID_OFFSET;
        final long bId = b + RowImage.ID_OFFSET;
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            final long difference = UnsafeApi.getLong(aId + i) ^ UnsafeApi.getLong(bId + i);
            if (difference != 0)
            {
                return compareAt(i + (Long.numberOfTrailingZeros(difference) >>> 3), aId, aLength, bId, bLength);
            }
        }
        for (; i < length; i++)
        {
            if (UnsafeApi.getByte(aId + i) != UnsafeApi.getByte(bId + i))
            {
                return compareAt(i, aId, aLength, bId, bLength);
            }
        }
        return aLength == bLength ?
            compareRevisions(RowImage.revision(a), RowImage.revision(b), goesOn) :
            compareAt(length, aId, aLength, bId, bLength);
    }

    /** Compares two ids that are equal before {@code i} and differ there; one of them may end there, with its '@'. */
    private static int compareAt(final int i, final long aId, final int aLength, final long bId, final int bLength)
    {
        final int before = i > 0 ? UnsafeApi.getByte(aId + i - 1) & 0xFF : 0;
        final int a = i < aLength ? UnsafeApi.getByte(aId + i) & 0xFF : '@';
        final int b = i < bLength ? UnsafeApi.getByte(bId + i) & 0xFF : '@';
        if (before == C1_LEAD)
        {
            final boolean isC1 = i < aLength && isC1(a);
            if (isC1 != (i < bLength && isC1(b)))
            {
                // one of the two equal bytes before is encoded, the other is not
                return isC1 ? -1 : 1;
            }
        }
        final boolean aEncoded = i < aLength && isEncoded(before, a, byteOrZero(aId, i + 1, aLength));
        final boolean bEncoded = i < bLength && isEncoded(before, b, byteOrZero(bId, i + 1, bLength));
        if (aEncoded == bEncoded)
        {
            return a - b;
        }
        return aEncoded ? '%' - b : a - '%';
    }

    /** Compares decimal texts, each followed by '|' or by nothing. */
    private static int compareRevisions(final int a, final int b, final boolean goesOn)
    {
        if (a == b)
        {
            return 0;
        }
        long longer = Math.max(a, b);
        final long shorter = Math.min(a, b);
        int moreDigits = 0;
        while (digits(longer) > digits(shorter))
        {
            longer /= 10;
            moreDigits++;
        }
        final int order;
        if (longer != shorter)
        {
            order = Long.compare(longer, shorter);
        }
        else
        {
            // the shorter text ends: nothing is before, and '|' is after, any digit
            assert moreDigits > 0;
            order = goesOn ? -1 : 1;
        }
        return a > b ? order : -order;
    }

    private static int unsignedDigits(final long number)
    {
        int digits = 1;
        for (long rest = number; Long.compareUnsigned(rest, 10) >= 0; rest = Long.divideUnsigned(rest, 10))
        {
            digits++;
        }
        return digits;
    }

    private static int digits(final long number)
    {
        int digits = 1;
        for (long rest = number; rest >= 10; rest /= 10)
        {
            digits++;
        }
        return digits;
    }

    private static boolean isEncoded(final int before, final int b, final int after)
    {
        return b < 0x20 || b == '%' || b == '@' || b == '|' || b == 0x7F ||
            (b == C1_LEAD && isC1(after)) ||
            (before == C1_LEAD && isC1(b));
    }

    private static boolean isC1(final int b)
    {
        return b >= 0x80 && b < 0xA0;
    }

    private static int byteOrZero(final long id, final int i, final int length)
    {
        return i < length ? UnsafeApi.getByte(id + i) & 0xFF : 0;
    }
}
