package io.tidemark.sink.export;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import de.siegmar.fastcsv.writer.LineDelimiter;

/**
 * CSV with a header line. What is missing is empty; a record within the record is a field of JSON.
 */
final class CsvWriter implements RecordWriter
{
    private final de.siegmar.fastcsv.writer.CsvWriter csv;
    private final List<String> fields = new ArrayList<>();

    CsvWriter(final OutputStream out, final List<String> columns)
    {
        csv = de.siegmar.fastcsv.writer.CsvWriter.builder()
            .lineDelimiter(LineDelimiter.LF)
            .build(new OutputStreamWriter(out, StandardCharsets.UTF_8));
        csv.writeRecord(columns);
    }

    @Override
    public void begin()
    {
        fields.clear();
    }

    @Override
    public void text(final String name, final String value)
    {
        fields.add(value);
    }

    @Override
    public void number(final String name, final long value)
    {
        fields.add(Long.toString(value));
    }

    @Override
    public void number(final String name, final BigInteger value)
    {
        fields.add(value.toString());
    }

    @Override
    public void flag(final String name, final boolean value)
    {
        fields.add(Boolean.toString(value));
    }

    @Override
    public void missing(final String name)
    {
        fields.add(null);
    }

    @Override
    public RecordWriter nested(final String name) throws IOException
    {
        return new Nested();
    }

    @Override
    public void end() throws IOException
    {
        try
        {
            csv.writeRecord(fields);
        }
        catch (final UncheckedIOException e)
        {
            throw e.getCause();
        }
    }

    @Override
    public void close() throws IOException
    {
        csv.close();
    }

    /** Becomes a field when it ends. */
    private final class Nested implements RecordWriter
    {
        private final ByteArrayOutputStream text = new ByteArrayOutputStream();
        private final JsonLinesWriter json = new JsonLinesWriter(text);

        private Nested() throws IOException
        {
        }

        @Override
        public void begin() throws IOException
        {
            json.begin();
        }

        @Override
        public void text(final String name, final String value) throws IOException
        {
            json.text(name, value);
        }

        @Override
        public void number(final String name, final long value) throws IOException
        {
            json.number(name, value);
        }

        @Override
        public void number(final String name, final BigInteger value) throws IOException
        {
            json.number(name, value);
        }

        @Override
        public void flag(final String name, final boolean value) throws IOException
        {
            json.flag(name, value);
        }

        @Override
        public void missing(final String name) throws IOException
        {
            json.missing(name);
        }

        @Override
        public RecordWriter nested(final String name) throws IOException
        {
            return json.nested(name);
        }

        @Override
        public void end() throws IOException
        {
            json.end();
            json.close();
            fields.add(text.toString(StandardCharsets.UTF_8).stripTrailing());
        }

        @Override
        public void close()
        {
            // Nothing is left open.
        }
    }
}
