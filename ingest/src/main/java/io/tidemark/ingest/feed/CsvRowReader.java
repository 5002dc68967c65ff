package io.tidemark.ingest.feed;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of comma-separated values (RFC 4180) under a header. A quoted field may hold commas, doubled quotes and line
 * breaks. A line whose quotes do not work out is turned away alone, even where its open quote seems to swallow the
 * lines after it: those are read again as lines of their own, so one stray quote costs one line. That, and the line as
 * it stands for the report, is why the splitting is done here and not by a library that gives up the file.
 */
final class CsvRowReader implements RowReader
{
    private static final String NEVER_CLOSED = "a quote that is opened here is not closed";
    private static final String AFTER_QUOTE = "there is text behind a closing quote";
    private static final String NUL = "the line holds a NUL byte";

    /** More columns than that are no feed. */
    private static final int MAX_COLUMNS = 1_024;

    private final LineReader lines;
    private final Columns columns;
    private final int columnCount;
    private RawRow row = new RawRow(MAX_COLUMNS);

    CsvRowReader(final LineReader lines, final FeedTarget target, final String feedName) throws IOException
    {
        this.lines = lines;
        final List<String> header = readHeader(feedName);
        columns = Columns.ofHeader(header, target, feedName);
        columnCount = header.size();
        row = new RawRow(columnCount);
    }

    @Override
    public boolean next() throws IOException
    {
        while (lines.next())
        {
            if (lines.length() == 0)
            {
                continue;
            }
            row.reset(lines.line());
            if (lines.isTooLong())
            {
                row.problem("the line is longer than " + LineReader.MAX_LENGTH + " bytes");
            }
            else if (!splitLine())
            {
                lines.shrink();
            }
            return true;
        }
        return false;
    }

    @Override
    public RawRow row()
    {
        return row;
    }

    @Override
    public Columns columns()
    {
        return columns;
    }

    @Override
    public String text()
    {
        return lines.text();
    }

    private boolean splitLine() throws IOException
    {
        final int count = split(columnCount);
        if (count >= 0 && count != columnCount)
        {
            row.problem("the line has " + count + (count == 1 ? " field" : " fields") + ", the header has " +
                columnCount);
        }
        return count == columnCount;
    }

    /** Copies the record's fields into the row; returns how many there are, or -1 with a problem. */
    private int split(final int capacity) throws IOException
    {
        // Offsets count from the start of the record: the buffer may move when a quoted field takes in another line.
        int column = 0;
        int at = -1;
        do
        {
            at++;
            row.begin();
            final boolean quoted = at < lines.length() && byteAt(at) == '"';
            at = quoted ? quotedField(at + 1) : plainField(at);
            if (at < 0)
            {
                return -1;
            }
            if (column < capacity)
            {
                row.finishUnlessEmpty(column);
            }
            column++;
        }
        while (at < lines.length());
        return column;
    }

    /** Copies a field without quotes; returns where its comma or the end of the record is, or -1 with a problem. */
    private int plainField(final int from)
    {
        final byte[] buffer = lines.buffer();
        final int start = lines.offset() + from;
        final int end = lines.offset() + lines.length();
        int i = start;
        byte b = 0;
        while (i < end && (b = buffer[i]) != ',')
        {
            if (b == 0)
            {
                row.problem(NUL);
                return -1;
            }
            i++;
        }
        row.put(buffer, start, i - start);
        return i - lines.offset();
    }

    private int quotedField(final int from) throws IOException
    {
        int at = from;
        while (true)
        {
            if (at >= lines.length())
            {
                final int length = lines.length();
                if (!lines.extend())
                {
                    row.problem(NEVER_CLOSED);
                    return -1;
                }
                at = copyLineBreak(length);
                continue;
            }
            final byte b = byteAt(at++);
            if (b == 0)
            {
                row.problem(NUL);
                return -1;
            }
            if (b != '"')
            {
                row.put(b);
            }
            else if (at == lines.length() || byteAt(at) == ',')
            {
                return at;
            }
            else if (byteAt(at) == '"')
            {
                row.put(b);
                at++;
            }
            else
            {
                row.problem(AFTER_QUOTE);
                return -1;
            }
        }
    }

    private int copyLineBreak(final int from)
    {
        int at = from;
        if (byteAt(at) == '\r')
        {
            row.put((byte)'\r');
            at++;
        }
        row.put((byte)'\n');
        return at + 1;
    }

    private byte byteAt(final int at)
    {
        return lines.buffer()[lines.offset() + at];
    }

    private List<String> readHeader(final String feedName) throws IOException
    {
        if (!lines.next() || lines.length() == 0)
        {
            throw FeedException.failed(feedName + " has no header in its first line; a CSV feed begins with the " +
                "names of its columns.");
        }
        row.reset(lines.line());
        final int count = split(MAX_COLUMNS);
        if (count < 0 || count > MAX_COLUMNS)
        {
            throw FeedException.failed(feedName + " has a header that cannot be read: " +
                (count < 0 ? row.problem() : "it has " + count + " columns") + ".");
        }
        final List<String> header = new ArrayList<>();
        for (int column = 0; column < count; column++)
        {
            header.add(row.isPresent(column) ? row.wholeText(column) : "");
        }
        return header;
    }
}
