package io.tidemark.ingest.feed;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Cuts a stream of bytes into lines, in place: the current record is {@link #length()} bytes at {@link #offset()} of
 * {@link #buffer()}, without its line end, until the next call. A record is one line, unless {@link #extend()} takes
 * the next one in as well (a quoted CSV field with a line break), which {@link #shrink()} undoes. Lines end in LF or
 * CR LF, the last one perhaps in nothing. One buffer, which grows to the longest record and no further than
 * {@link #MAX_LENGTH}; of a longer line only the beginning is shown.
 */
final class LineReader
{
    static final int MAX_LENGTH = 1 << 20;
    /** Enough for any event with all its text escaped; a quote that is never closed ends here. */
    static final int MAX_EXTENDED_LENGTH = 1 << 16;
    private static final int TEXT_LENGTH = 1_000;

    private final InputStream in;
    private byte[] buffer;
    private int limit;
    private int start;
    private int end;
    private int next;
    private int firstEnd;
    private int firstNext;
    private long line;
    private int lineCount = 1;
    private boolean tooLong;
    private boolean atEnd;
    private boolean unterminated;

    /**
     * Reads what was read ahead, and then the rest.
     */
    LineReader(final byte[] ahead, final int offset, final int length, final InputStream in)
    {
        this.in = in;
        buffer = Arrays.copyOfRange(ahead, offset, offset + Math.max(length, 1 << 16));
        limit = length;
    }

    boolean next() throws IOException
    {
        start = next;
        line += lineCount;
        lineCount = 1;
        tooLong = false;
        final int newline = find(start, MAX_LENGTH);
        if (newline < 0)
        {
            return lastOrTooLong();
        }
        endAt(newline);
        firstEnd = end;
        firstNext = next;
        return true;
    }

    /**
     * Takes the following line into the record, line break included.
     *
     * @return false where there is none, or the record would become too long for anything but an unclosed quote.
     */
    boolean extend() throws IOException
    {
        if (tooLong || unterminated)
        {
            return false;
        }
        final int newline = find(next, MAX_EXTENDED_LENGTH);
        if (newline < 0 && (!atEnd || next == limit || limit - start > MAX_EXTENDED_LENGTH))
        {
            return false;
        }
        if (newline < 0)
        {
            end = limit;
            next = limit;
        }
        else
        {
            endAt(newline);
        }
        lineCount++;
        return true;
    }

    /** Goes back to the record's first line: the others are read again as lines of their own. */
    void shrink()
    {
        end = firstEnd;
        next = firstNext;
        lineCount = 1;
    }

    byte[] buffer()
    {
        return buffer;
    }

    int offset()
    {
        return start;
    }

    int length()
    {
        return end - start;
    }

    /** Length with the line end. */
    int fullLength()
    {
        return next - start;
    }

    /** Number of the record's first line, from 1. */
    long line()
    {
        return line;
    }

    boolean isTooLong()
    {
        return tooLong;
    }

    /** Whether the last line had no line end: a file cut off in the middle looks like that. */
    boolean isUnterminated()
    {
        return unterminated;
    }

    /** The record for a person to read: the beginning at least, with a mark in place of what is not UTF-8. */
    String text()
    {
        final int length = Math.min(length(), TEXT_LENGTH);
        final String text = new String(buffer, start, length, StandardCharsets.UTF_8);
        return length < length() ? text + "..." : text;
    }

    private void endAt(final int newline)
    {
        end = newline > start && buffer[newline - 1] == '\r' ? newline - 1 : newline;
        next = newline + 1;
    }

    private boolean lastOrTooLong() throws IOException
    {
        if (atEnd && limit - start <= MAX_LENGTH)
        {
            end = limit;
            next = limit;
            firstEnd = end;
            firstNext = next;
            unterminated |= end > start;
            return end > start;
        }
        tooLong = true;
        end = start + TEXT_LENGTH + 1;
        firstEnd = end;
        skipLine();
        firstNext = next;
        return true;
    }

    private void skipLine() throws IOException
    {
        // Keeps the beginning, for the text, and lets the rest of the line pass through the space behind it.
        int newline = indexOfNewline(end, limit);
        while (newline < 0)
        {
            final int count = atEnd ? -1 : in.read(buffer, end, buffer.length - end);
            if (count < 0)
            {
                atEnd = true;
                limit = end;
                next = end;
                return;
            }
            limit = end + count;
            newline = indexOfNewline(end, limit);
        }
        next = newline + 1;
    }

    /** Index of the first LF at or after a place in the record, reading on as needed; -1 at the end or past the cap. */
    private int find(final int from, final int maxLength) throws IOException
    {
        int relative = from - start;
        while (true)
        {
            final int newline = indexOfNewline(start + relative, limit);
            if (newline >= 0)
            {
                return newline - start > maxLength ? -1 : newline;
            }
            relative = limit - start;
            if (atEnd || relative > maxLength)
            {
                return -1;
            }
            fill();
        }
    }

    private int indexOfNewline(final int from, final int to)
    {
        final byte[] bytes = buffer;
        for (int i = from; i < to; i++)
        {
            if (bytes[i] == '\n')
            {
                return i;
            }
        }
        return -1;
    }

    private void fill() throws IOException
    {
        if (limit == buffer.length && start > 0)
        {
            final int shift = start;
            System.arraycopy(buffer, start, buffer, 0, limit - start);
            start = 0;
            end -= shift;
            next -= shift;
            firstEnd -= shift;
            firstNext -= shift;
            limit -= shift;
        }
        else if (limit == buffer.length)
        {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        final int count = in.read(buffer, limit, buffer.length - limit);
        if (count < 0)
        {
            atEnd = true;
        }
        else
        {
            limit += count;
        }
    }
}
