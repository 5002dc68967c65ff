package io.tidemark.ops.command;

import java.io.IOException;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.export.RecordWriter;

/**
 * What {@code retention.unsafe_override} does to results: each of them says that others are missing.
 */
final class UnsafeRetention implements RecordWriter
{
    static final String COLUMN = "warning";

    private final RecordWriter writer;
    private final String warning;

    private UnsafeRetention(final RecordWriter writer, final String warning)
    {
        this.writer = writer;
        this.warning = warning;
    }

    static String warning(final Configuration configuration)
    {
        return "results are missing: retention.unsafe_override forgets rows after " +
            configuration.settings().get("retention.unsafe_override");
    }

    /** Columns of a result, with one for the warning where it is due. */
    static List<String> columns(final Configuration configuration, final List<String> columns)
    {
        if (!configuration.unsafeRetention())
        {
            return columns;
        }
        final List<String> all = new ArrayList<>(columns);
        all.add(COLUMN);
        return all;
    }

    /** A writer that puts the warning into every record where it is due. */
    static RecordWriter marking(final Configuration configuration, final RecordWriter writer)
    {
        return configuration.unsafeRetention() ? new UnsafeRetention(writer, warning(configuration)) : writer;
    }

    @Override
    public void begin() throws IOException
    {
        writer.begin();
    }

    @Override
    public void text(final String name, final String value) throws IOException
    {
        writer.text(name, value);
    }

    @Override
    public void number(final String name, final long value) throws IOException
    {
        writer.number(name, value);
    }

    @Override
    public void number(final String name, final BigInteger value) throws IOException
    {
        writer.number(name, value);
    }

    @Override
    public void flag(final String name, final boolean value) throws IOException
    {
        writer.flag(name, value);
    }

    @Override
    public void missing(final String name) throws IOException
    {
        writer.missing(name);
    }

    @Override
    public RecordWriter nested(final String name) throws IOException
    {
        return writer.nested(name);
    }

    @Override
    public void close() throws IOException
    {
        writer.close();
    }

    @Override
    public void end() throws IOException
    {
        writer.text(COLUMN, warning);
        writer.end();
    }
}
