package io.tidemark.operator.oracle;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Comparator;

/**
 * A row of the result: a pair, an unmatched row or a session (SEMANTICS.md sections 6 and 7, row ids of INTERFACE.md).
 */
public sealed interface ResultRow
{
    /** By row id, as unsigned bytes of UTF-8. */
    Comparator<ResultRow> BY_ROW_ID = Comparator.comparing(ResultRow::rowId, ResultRow::compareUtf8);

    /** The join key. */
    String key();

    /** The row id. */
    String rowId();

    /**
     * A pair.
     *
     * @param rule  rule version.
     * @param key   join key.
     * @param left  left row.
     * @param right right row.
     */
    record Pair(int rule, String key, RowImage left, RowImage right) implements ResultRow
    {
        @Override
        public String rowId()
        {
            return "pair|" + rule + '|' + encoded(key) + '|' + encoded(left.id()) + '@' + left.revision() +
                '|' + encoded(right.id()) + '@' + right.revision();
        }
    }

    /**
     * A row without a current pair.
     *
     * @param rule    rule version.
     * @param key     join key.
     * @param side    0 left, 1 right.
     * @param row     the row.
     * @param isFinal whether it stands for ever.
     */
    record Unmatched(int rule, String key, int side, RowImage row, boolean isFinal) implements ResultRow
    {
        @Override
        public String rowId()
        {
            return "unmatched|" + rule + '|' + encoded(key) + '|' + (side == 0 ? "left" : "right") +
                '|' + encoded(row.id()) + '@' + row.revision();
        }
    }

    /**
     * A session.
     *
     * @param rule        rule version.
     * @param key         of its members.
     * @param start       time of the first.
     * @param end         time of the last.
     * @param count       how many.
     * @param sum         of their values.
     * @param min         smallest value.
     * @param max         largest value.
     * @param isFinal     whether it stands for ever.
     * @param publication position at which it was published.
     */
    record Session(
        int rule,
        String key,
        long start,
        long end,
        long count,
        BigInteger sum,
        long min,
        long max,
        boolean isFinal,
        long publication) implements ResultRow
    {
        @Override
        public String rowId()
        {
            return "session|" + rule + '|' + encoded(key) + '|' + start;
        }

        /** The same, published at a position. */
        Session published(final long position, final boolean asFinal)
        {
            return new Session(rule, key, start, end, count, sum, min, max, asFinal, position);
        }
    }

    /** Compares two strings as unsigned bytes of UTF-8. */
    static int compareUtf8(final String a, final String b)
    {
        return Arrays.compareUnsigned(a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8));
    }

    private static String encoded(final String text)
    {
        final StringBuilder encoded = new StringBuilder();
        text.codePoints().forEach(c ->
        {
            final boolean isControl = c < 0x20 || (c >= 0x7f && c < 0xa0);
            if (isControl || c == '%' || c == '|' || c == '@')
            {
                for (final byte b : Character.toString(c).getBytes(StandardCharsets.UTF_8))
                {
                    encoded.append(String.format("%%%02X", b & 0xff));
                }
            }
            else
            {
                encoded.appendCodePoint(c);
            }
        });
        return encoded.toString();
    }
}
