package io.tidemark.ingest.feed;

import de.siegmar.fastcsv.reader.AbstractBaseCsvCallbackHandler;
import de.siegmar.fastcsv.reader.CloseableIterator;
import de.siegmar.fastcsv.reader.CsvParseException;
import de.siegmar.fastcsv.reader.CsvReader;
import de.siegmar.fastcsv.reader.FieldMismatchStrategy;
import de.siegmar.fastcsv.reader.RecordType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows of comma-separated values (RFC 4180) under a header, taken apart by FastCSV. A quoted field may hold commas,
 * doubled quotes and line breaks. A line whose quotes do not work out is turned away alone, even where its open quote
 * seems to swallow the lines after it: those are read again as lines of their own, by a parser that knows nothing of
 * the quote, so one stray quote costs one line. Makes no garbage where nothing is wrong.
 */
final class CsvRowReader implements RowReader
{
    /** More columns than that are no feed. */
    private static final int MAX_COLUMNS = 1_024;
    /** The parser doubles its buffer while a field has no room in it; a line is all that it is ever given. */
    private static final int MAX_BUFFER_LENGTH = 4 * LineReader.MAX_LENGTH;

    private final LineReader lines;
    private final CsvText text;
    private final RowHandler handler = new RowHandler();
    private final Columns columns;
    private final int columnCount;
    private CloseableIterator<RawRow> records;
    private RawRow row = new RawRow(MAX_COLUMNS);

    CsvRowReader(final LineReader lines, final FeedTarget target, final String feedName) throws IOException
    {
        this.lines = lines;
        text = new CsvText(lines);
        startParser();
        final List<String> header = readHeader(feedName);
        columns = Columns.ofHeader(header, target, feedName);
        columnCount = header.size();
        row = new RawRow(columnCount);
    }

    @Override
    public boolean next() throws IOException
    {
        if (!readRecord())
        {
            return false;
        }
        final int count = handler.count();
        if (row.problem() == null && count != columnCount)
        {
            row.problem("the line has " + count + (count == 1 ? " field" : " fields") + ", the header has " +
                columnCount);
        }
        if (row.problem() != null)
        {
            lines.shrink();
            startParser();
        }
        return true;
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

    /** Reads on to the next record that is not blank; one that cannot be taken apart is a row with a problem. */
    private boolean readRecord() throws IOException
    {
        boolean isBlank;
        do
        {
            try
            {
                if (!records.hasNext())
                {
                    return false;
                }
                records.next();
                isBlank = handler.isBlank();
                if (isBlank && lines.isTooLong())
                {
                    row.problem("the line is longer than " + LineReader.MAX_LENGTH + " bytes");
                    isBlank = false;
                }
            }
            catch (final UncheckedIOException ex)
            {
                throw ex.getCause();
            }
            catch (final CsvParseException ex)
            {
                if (ex.getCause() != null)
                {
                    throw ex;
                }
                // Its message counts lines from where this parser began.
                row.problem(text.isCutShort() ?
                    "a quote that is opened here is not closed" : "there is text behind a closing quote");
                isBlank = false;
            }
        }
        while (isBlank);
        row.line(lines.line());
        return true;
    }

    private void startParser()
    {
        records = CsvReader.builder()
            .allowUnclosedQuote(false)
            .skipEmptyLines(false)
            .extraFieldStrategy(FieldMismatchStrategy.IGNORE)
            .missingFieldStrategy(FieldMismatchStrategy.IGNORE)
            .maxBufferSize(MAX_BUFFER_LENGTH)
            .build(handler, text)
            .iterator();
    }

    private List<String> readHeader(final String feedName) throws IOException
    {
        if (!readRecord() || row.line() != 1)
        {
            throw FeedException.failed(feedName + " has no header in its first line; a CSV feed begins with the " +
                "names of its columns.");
        }
        final int count = handler.count();
        if (row.problem() != null || count > MAX_COLUMNS)
        {
            throw FeedException.failed(feedName + " has a header that cannot be read: " +
                (row.problem() != null ? row.problem() : "it has " + count + " columns") + ".");
        }
        final List<String> header = new ArrayList<>();
        for (int column = 0; column < count; column++)
        {
            header.add(row.isPresent(column) ? row.wholeText(column) : "");
        }
        return header;
    }

    /** Copies what the parser finds into the row. */
    private final class RowHandler extends AbstractBaseCsvCallbackHandler<RawRow>
    {
        @Override
        protected void handleBegin(final long lineOfParser)
        {
            text.beginRecord();
            row.reset();
        }

        @Override
        protected void handleField(
            final int column, final char[] chars, final int offset, final int length, final boolean isQuoted)
        {
            row.begin();
            if (!row.putBytes(chars, offset, length))
            {
                row.problem("the line holds a NUL byte");
            }
            if (column < row.capacity())
            {
                row.finishUnlessEmpty(column);
            }
        }

        @Override
        protected RawRow buildRecord()
        {
            return row;
        }

        private int count()
        {
            return getFieldCount();
        }

        private boolean isBlank()
        {
            return getRecordType() == RecordType.EMPTY;
        }
    }
}
