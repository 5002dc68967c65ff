package io.tidemark.ingest.event;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Keys and ids: 1 to 255 bytes of well-formed UTF-8, checked and encoded without allocation.
 */
public final class Utf8
{
    private static final int MAX_LENGTH = EventAppender.MAX_TEXT_LENGTH;

    private Utf8()
    {
    }

    static void check(final String field, final DirectBuffer src, final int offset, final int length)
    {
        checkLength(field, length);
        int at = 0;
        while (at < length)
        {
            final int lead = src.getByte(offset + at);
            final int following = following(lead);
            if (following < 0 || at + following >= length ||
                (following > 0 && !continues(lead, src, offset + at + 1, following)))
            {
                throw malformed(field);
            }
            at += 1 + following;
        }
    }

    static void check(final String field, final byte[] src, final int offset, final int length)
    {
        checkLength(field, length);
        if (!isWellFormed(src, offset, length))
        {
            throw malformed(field);
        }
    }

    /**
     * Whether bytes are UTF-8 as Unicode defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
     *
     * @param src    that holds them.
     * @param offset of the first.
     * @param length any number of bytes.
     * @return true when they are.
     */
    public static boolean isWellFormed(final byte[] src, final int offset, final int length)
    {
        int at = 0;
        while (at < length)
        {
            final int lead = src[offset + at];
            final int following = following(lead);
            if (following < 0 || at + following >= length ||
                (following > 0 && !continues(lead, src, offset + at + 1, following)))
            {
                return false;
            }
            at += 1 + following;
        }
        return true;
    }

    /**
     * @return number of bytes written.
     */
    static int encode(final String field, final CharSequence text, final MutableDirectBuffer dst, final int offset)
    {
        final int chars = text.length();
        // At least one byte a character: keeps what is far too long from being encoded past the buffer's end.
        checkLength(field, chars);
        int length = 0;
        for (int i = 0; i < chars; i++)
        {
            int codePoint = text.charAt(i);
            if (Character.isSurrogate((char)codePoint))
            {
                final boolean pair = Character.isHighSurrogate((char)codePoint) && i + 1 < chars &&
                    Character.isLowSurrogate(text.charAt(i + 1));
                if (!pair)
                {
                    throw malformed(field);
                }
                codePoint = Character.toCodePoint((char)codePoint, text.charAt(++i));
            }
            final int bytes = codePoint < 0x80 ? 1 : codePoint < 0x800 ? 2 : codePoint < 0x10000 ? 3 : 4;
            if (length + bytes > MAX_LENGTH)
            {
                throw tooLong(field);
            }
            put(codePoint, bytes, dst, offset + length);
            length += bytes;
        }
        return length;
    }

    private static void put(final int codePoint, final int bytes, final MutableDirectBuffer dst, final int offset)
    {
        if (bytes == 1)
        {
            dst.putByte(offset, (byte)codePoint);
            return;
        }
        int rest = codePoint;
        for (int i = bytes - 1; i > 0; i--)
        {
            dst.putByte(offset + i, (byte)(0x80 | (rest & 0x3F)));
            rest >>= 6;
        }
        dst.putByte(offset, (byte)((0xF00 >> bytes) | rest));
    }

    /**
     * Bytes that follow a lead byte, -1 when it leads nothing.
     */
    private static int following(final int lead)
    {
        if (lead >= 0)
        {
            return 0;
        }
        final int unsigned = lead & 0xFF;
        return unsigned < 0xC2 ? -1 : unsigned < 0xE0 ? 1 : unsigned < 0xF0 ? 2 : unsigned < 0xF5 ? 3 : -1;
    }

    private static boolean continues(final int lead, final DirectBuffer src, final int offset, final int count)
    {
        boolean all = isSecond(lead & 0xFF, src.getByte(offset) & 0xFF);
        for (int i = 1; i < count; i++)
        {
            all &= (src.getByte(offset + i) & 0xC0) == 0x80;
        }
        return all;
    }

    private static boolean continues(final int lead, final byte[] src, final int offset, final int count)
    {
        boolean all = isSecond(lead & 0xFF, src[offset] & 0xFF);
        for (int i = 1; i < count; i++)
        {
            all &= (src[offset + i] & 0xC0) == 0x80;
        }
        return all;
    }

    /**
     * The second byte is where overlong forms, surrogates and code points past U+10FFFF show.
     */
    private static boolean isSecond(final int lead, final int second)
    {
        final int least = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
        final int most = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
        return second >= least && second <= most;
    }

    private static void checkLength(final String field, final int length)
    {
        if (length < 1)
        {
            throw new IllegalArgumentException(field + " is missing");
        }
        if (length > MAX_LENGTH)
        {
            throw tooLong(field);
        }
    }

    private static IllegalArgumentException tooLong(final String field)
    {
        return new IllegalArgumentException(field + " is longer than " + MAX_LENGTH + " bytes of UTF-8");
    }

    private static IllegalArgumentException malformed(final String field)
    {
        return new IllegalArgumentException(field + " is not well-formed UTF-8");
    }
}
