package io.tidemark.sink.sql;

import java.nio.charset.StandardCharsets;

import org.agrona.DirectBuffer;

/**
 * Keys and ids as SQL text. NUL, which PostgreSQL cannot hold and which ends a text for many a tool, stands as U+2400;
 * row ids, which are percent-encoded, keep what it was.
 */
final class SqlText
{
    private static final char NUL = '\0';
    private static final char SHOWN = '\u2400';

    private SqlText()
    {
    }

    static String of(final DirectBuffer buffer, final int offset, final int length)
    {
        return of(buffer.getStringWithoutLengthUtf8(offset, length));
    }

    static String of(final byte[] utf8)
    {
        return of(new String(utf8, StandardCharsets.UTF_8));
    }

    private static String of(final String text)
    {
        return text.indexOf(NUL) < 0 ? text : text.replace(NUL, SHOWN);
    }
}
