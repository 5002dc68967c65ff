package io.tidemark.sink.sql;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows in the text format of PostgreSQL's {@code COPY}: a tab between values, a line feed behind a row, and a backslash
 * before each of these, and before itself, within a value.
 */
final class CopyText
{
    private static final byte TAB = '\t';
    private static final byte LINE_FEED = '\n';
    private static final byte CARRIAGE_RETURN = '\r';
    private static final byte BACKSLASH = '\\';

    private byte[] bytes = new byte[1 << 16];
    private int length;

    void clear()
    {
        length = 0;
    }

    void row(final Object[] values)
    {
        for (int i = 0; i < values.length; i++)
        {
            if (i > 0)
            {
                put(TAB);
            }
            put(values[i]);
        }
        put(LINE_FEED);
    }

    private void put(final Object value)
    {
        if (value instanceof final String text)
        {
            putEscaped(text.getBytes(StandardCharsets.UTF_8));
        }
        else if (value instanceof final Boolean flag)
        {
            put((byte)(flag ? 't' : 'f'));
        }
        else
        {
            putEscaped(value.toString().getBytes(StandardCharsets.US_ASCII));
        }
    }

    private void putEscaped(final byte[] value)
    {
        ensure(2 * value.length);
        for (final byte b : value)
        {
            if (b == TAB || b == LINE_FEED || b == CARRIAGE_RETURN || b == BACKSLASH)
            {
                bytes[length++] = BACKSLASH;
                bytes[length++] = b == TAB ? (byte)'t' : b == LINE_FEED ? (byte)'n' :
                    b == CARRIAGE_RETURN ? (byte)'r' : BACKSLASH;
            }
            else
            {
                bytes[length++] = b;
            }
        }
    }

    private void put(final byte b)
    {
        ensure(1);
        bytes[length++] = b;
    }

    private void ensure(final int more)
    {
        if (length + more > bytes.length)
        {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }

    byte[] bytes()
    {
        return bytes;
    }

    int length()
    {
        return length;
    }
}
