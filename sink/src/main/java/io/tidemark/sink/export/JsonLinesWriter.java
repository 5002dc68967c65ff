package io.tidemark.sink.export;

import java.io.IOException;
import java.io.OutputStream;
import java.math.BigInteger;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.MinimalPrettyPrinter;

/**
 * One JSON object a line.
 */
final class JsonLinesWriter implements RecordWriter
{
    private static final JsonFactory FACTORY = new JsonFactory();

    private final JsonGenerator json;
    private int depth;

    JsonLinesWriter(final OutputStream out) throws IOException
    {
        json = FACTORY.createGenerator(out).setPrettyPrinter(new MinimalPrettyPrinter(""));
    }

    @Override
    public void begin() throws IOException
    {
        depth++;
        json.writeStartObject();
    }

    @Override
    public void text(final String name, final String value) throws IOException
    {
        json.writeStringField(name, value);
    }

    @Override
    public void number(final String name, final long value) throws IOException
    {
        json.writeNumberField(name, value);
    }

    @Override
    public void number(final String name, final BigInteger value) throws IOException
    {
        json.writeFieldName(name);
        json.writeNumber(value);
    }

    @Override
    public void flag(final String name, final boolean value) throws IOException
    {
        json.writeBooleanField(name, value);
    }

    @Override
    public void missing(final String name) throws IOException
    {
        json.writeNullField(name);
    }

    @Override
    public RecordWriter nested(final String name) throws IOException
    {
        json.writeFieldName(name);
        return this;
    }

    @Override
    public void end() throws IOException
    {
        json.writeEndObject();
        if (--depth == 0)
        {
            json.writeRaw('\n');
        }
    }

    @Override
    public void close() throws IOException
    {
        json.close();
    }
}
