package io.tidemark.ingest.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.ingest.log.FreeSpace;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The lines that were turned away, one JSON object a line: {@code {"file","line","reason","text"}}. Only ever
 * appended to, each line in one write, so that all of a report is there or nothing of it; half a line that a crash of
 * the machine has left is cut off.
 */
final class RejectsFile implements AutoCloseable
{
    /**
     * Name of the file in the data directory.
     */
    static final String NAME = "rejects.jsonl";

    private static final int MAX_TAIL_LENGTH = 1 << 16;

    private final JsonFactory json = new JsonFactory();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
    private final Path path;
    private final FreeSpace freeSpace;
    private final FileChannel channel;
    private long size;

    RejectsFile(final Path path, final FreeSpace freeSpace)
    {
        this.path = path;
        this.freeSpace = freeSpace;
        try
        {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            size = WholeLines.keepIn(channel);
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
    }

    long size()
    {
        return size;
    }

    void append(final String file, final long lineNumber, final String reason, final String text)
    {
        line.reset();
        try (JsonGenerator generator = json.createGenerator(line))
        {
            generator.writeStartObject();
            generator.writeStringField("file", file);
            generator.writeNumberField("line", lineNumber);
            generator.writeStringField("reason", reason);
            generator.writeStringField("text", text);
            generator.writeEndObject();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        line.write('\n');
        freeSpace.beforeAppend(line.size());
        try
        {
            WholeLines.write(channel, line.toByteArray(), size);
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
        size += line.size();
    }

    /** Number of the feed's line in the last report between two places of this file, or 0 where there is none. */
    long lastLineBetween(final long from, final long to)
    {
        final long end = Math.min(to, size);
        if (from >= end)
        {
            return 0;
        }
        final long start = Math.max(from, end - MAX_TAIL_LENGTH);
        final ByteBuffer tail = ByteBuffer.allocate((int)(end - start));
        try
        {
            WholeLines.read(channel, tail, start);
            final byte[] bytes = tail.array();
            int at = bytes.length - 1;
            while (at > 0 && bytes[at - 1] != '\n')
            {
                at--;
            }
            return lineNumber(bytes, at, bytes.length - at);
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
    }

    private long lineNumber(final byte[] bytes, final int offset, final int length) throws IOException
    {
        try (JsonParser parser = json.createParser(bytes, offset, length))
        {
            while (parser.nextToken() != null)
            {
                if (parser.currentToken() == JsonToken.FIELD_NAME && "line".equals(parser.currentName()))
                {
                    return parser.nextLongValue(0);
                }
            }
        }
        return 0;
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
    }

    private FeedException failed(final IOException ex)
    {
        return FeedException.failed(
            "The report of lines turned away cannot be written: " + path + " (" + ex + ").", ex);
    }
}
