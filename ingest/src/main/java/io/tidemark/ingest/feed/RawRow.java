package io.tidemark.ingest.feed;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * The columns of one line, as bytes, before anything is made of them. A column is absent where the line says nothing
 * about it: an empty CSV field, a JSON name that is left out or null. Reused for every line.
 */
final class RawRow
{
    private byte[] bytes = new byte[4_096];
    private int length;
    private final int[] offsets;
    private final int[] lengths;
    private final boolean[] present;
    private long line;
    private int open;
    private String problem;

    RawRow(final int columns)
    {
        offsets = new int[columns];
        lengths = new int[columns];
        present = new boolean[columns];
    }

    void reset()
    {
        length = 0;
        problem = null;
        Arrays.fill(present, false);
    }

    void begin()
    {
        open = length;
    }

    void put(final byte b)
    {
        ensure(1);
        bytes[length++] = b;
    }

    /**
     * Puts characters each of which stands for one byte.
     *
     * @return whether none of them is NUL.
     */
    boolean putBytes(final char[] source, final int offset, final int count)
    {
        ensure(count);
        final byte[] target = bytes;
        boolean isText = true;
        for (int i = 0; i < count; i++)
        {
            final byte b = (byte)source[offset + i];
            target[length + i] = b;
            isText &= b != 0;
        }
        length += count;
        return isText;
    }

    /** Ends the column begun last; it is present even when it is empty. */
    void finish(final int column)
    {
        offsets[column] = open;
        lengths[column] = length - open;
        present[column] = true;
    }

    /** Ends the column begun last; without a byte in it, it is absent. */
    void finishUnlessEmpty(final int column)
    {
        if (length > open)
        {
            finish(column);
        }
    }

    /** What is wrong with the line as such; null when it could be taken apart. */
    String problem()
    {
        return problem;
    }

    void problem(final String reason)
    {
        problem = reason;
    }

    /** Number of the line in the feed, from 1. */
    long line()
    {
        return line;
    }

    void line(final long number)
    {
        line = number;
    }

    /** How many columns there is room for. */
    int capacity()
    {
        return present.length;
    }

    byte[] bytes()
    {
        return bytes;
    }

    boolean isPresent(final int column)
    {
        return column >= 0 && present[column];
    }

    int offset(final int column)
    {
        return offsets[column];
    }

    int length(final int column)
    {
        return lengths[column];
    }

    boolean is(final int column, final byte[] text)
    {
        return Arrays.equals(bytes, offsets[column], offsets[column] + lengths[column], text, 0, text.length);
    }

    /** The column for a person to read, cut short. */
    String text(final int column)
    {
        final int count = Math.min(lengths[column], 60);
        final String text = new String(bytes, offsets[column], count, StandardCharsets.UTF_8);
        return count < lengths[column] ? text + "..." : text;
    }

    String wholeText(final int column)
    {
        return new String(bytes, offsets[column], lengths[column], StandardCharsets.UTF_8);
    }

    private void ensure(final int count)
    {
        if (bytes.length - length < count)
        {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + count));
        }
    }
}
