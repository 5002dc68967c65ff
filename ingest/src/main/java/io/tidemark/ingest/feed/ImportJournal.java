package io.tidemark.ingest.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadFeature;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * The file {@code imports.jsonl} of the data directory: what was imported, and which stretches of the source logs that
 * may have filled. A session is entered, and the entry synced, before it appends its first event; the numbers in it
 * bound the session before it, which may have been killed and then could not say how far it had come. Whoever holds the
 * source logs open to append is the only one to write here.
 *
 * <pre>
 *   {"entry":"begin","import":3,"at":"..","feed":"p.csv","path":"/..","stream":null,"head":"..","headLength":65536,
 *    "rejects":0,"numbers":{"payments-0":12,"payments-1":9}}     a session begins: next number of each source log
 *   {"entry":"end","import":3,"numbers":{..}}                    the import has taken in the whole feed
 *   {"entry":"changed","import":3}                               the feed no longer is what was imported
 * </pre>
 */
final class ImportJournal implements AutoCloseable
{
    static final String NAME = "imports.jsonl";

    private final JsonFactory json = JsonFactory.builder().disable(StreamReadFeature.AUTO_CLOSE_SOURCE).build();
    private final Path path;
    private final FileChannel channel;
    private final List<ImportRecord> imports = new ArrayList<>();
    private final Map<Integer, ImportRecord> importByNumber = new HashMap<>();
    private ImportRecord.Session lastSession;
    private long size;

    ImportJournal(final Path path)
    {
        this.path = path;
        try
        {
            channel = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ,
                StandardOpenOption.WRITE);
            size = WholeLines.keepIn(channel);
            load();
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
    }

    /** The newest import of this very feed: the same name, stream and beginning; or null. */
    ImportRecord findSame(final Feed feed, final FeedInput input)
    {
        for (int i = imports.size() - 1; i >= 0; i--)
        {
            final ImportRecord candidate = imports.get(i);
            if (candidate.feedName.equals(feed.identity()) &&
                Objects.equals(candidate.stream, feed.stream()) &&
                candidate.headDigest.equals(input.headDigest(candidate.headLength)))
            {
                return candidate;
            }
        }
        return null;
    }

    /** The newest import of the file at the feed's path, whatever was in it; or null. */
    ImportRecord findAtPath(final Feed feed)
    {
        final String feedPath = feed.path().toString();
        for (int i = imports.size() - 1; i >= 0; i--)
        {
            if (feedPath.equals(imports.get(i).path) && Objects.equals(feed.stream(), imports.get(i).stream))
            {
                return imports.get(i);
            }
        }
        return null;
    }

    int nextNumber()
    {
        return imports.isEmpty() ? 1 : imports.get(imports.size() - 1).number + 1;
    }

    /** Enters a session: the import is the given one, new or known, and appends from these numbers on. */
    void begin(final ImportRecord record, final Map<String, Long> numbers, final long rejectsSize)
    {
        write((generator) ->
        {
            generator.writeStringField("entry", "begin");
            generator.writeNumberField("import", record.number);
            generator.writeStringField("at", record.at);
            generator.writeStringField("feed", record.feedName);
            generator.writeStringField("path", record.path);
            generator.writeStringField("stream", record.stream);
            generator.writeStringField("head", record.headDigest);
            generator.writeNumberField("headLength", record.headLength);
            generator.writeNumberField("rejects", rejectsSize);
            writeNumbers(generator, numbers);
        });
        onBegin(record, numbers, rejectsSize);
    }

    void end(final ImportRecord record, final Map<String, Long> numbers)
    {
        write((generator) ->
        {
            generator.writeStringField("entry", "end");
            generator.writeNumberField("import", record.number);
            writeNumbers(generator, numbers);
        });
        onEnd(record, numbers);
    }

    void changed(final ImportRecord record)
    {
        write((generator) ->
        {
            generator.writeStringField("entry", "changed");
            generator.writeNumberField("import", record.number);
        });
        record.isChanged = true;
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

    private void onBegin(final ImportRecord record, final Map<String, Long> numbers, final long rejectsSize)
    {
        if (lastSession != null)
        {
            lastSession.endBefore(numbers);
            lastSession.rejectsTo = Math.min(lastSession.rejectsTo, rejectsSize);
        }
        if (importByNumber.putIfAbsent(record.number, record) == null)
        {
            imports.add(record);
        }
        lastSession = new ImportRecord.Session(rejectsSize);
        lastSession.fromNumbers.putAll(numbers);
        record.sessions.add(lastSession);
        record.isFinished = false;
        record.isChanged = false;
    }

    private void onEnd(final ImportRecord record, final Map<String, Long> numbers)
    {
        record.isFinished = true;
        if (lastSession == record.sessions.get(record.sessions.size() - 1))
        {
            lastSession.endBefore(numbers);
        }
    }

    private void load() throws IOException
    {
        long line = 0;
        // Closing the parser leaves the channel open.
        try (JsonParser parser = json.createParser(Channels.newInputStream(channel.position(0))))
        {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken())
            {
                line++;
                if (token != JsonToken.START_OBJECT || !apply(parser))
                {
                    throw damaged(line, null);
                }
            }
        }
        catch (final JsonProcessingException ex)
        {
            throw damaged(line + 1, ex);
        }
    }

    private boolean apply(final JsonParser parser) throws IOException
    {
        final Map<String, String> texts = new HashMap<>();
        final Map<String, Long> wholes = new HashMap<>();
        final Map<String, Long> numbers = new HashMap<>();
        while (parser.nextToken() == JsonToken.FIELD_NAME)
        {
            final String name = parser.currentName();
            final JsonToken value = parser.nextToken();
            if (value == JsonToken.START_OBJECT)
            {
                readNumbers(parser, numbers);
            }
            else if (value == JsonToken.VALUE_NUMBER_INT)
            {
                wholes.put(name, parser.getLongValue());
            }
            else if (value == JsonToken.VALUE_STRING)
            {
                texts.put(name, parser.getText());
            }
        }
        final int number = wholes.getOrDefault("import", 0L).intValue();
        final ImportRecord known = importByNumber.get(number);
        final String entry = texts.getOrDefault("entry", "");
        if (entry.equals("begin") && texts.keySet().containsAll(List.of("at", "feed", "head")) &&
            wholes.keySet().containsAll(List.of("headLength", "rejects")))
        {
            onBegin(known != null ? known : newRecord(number, texts, wholes), numbers, wholes.get("rejects"));
            return true;
        }
        if (known != null && entry.equals("end"))
        {
            onEnd(known, numbers);
            return true;
        }
        if (known != null && entry.equals("changed"))
        {
            known.isChanged = true;
            return true;
        }
        return false;
    }

    private static ImportRecord newRecord(
        final int number, final Map<String, String> texts, final Map<String, Long> wholes)
    {
        return new ImportRecord(number, texts.get("feed"), texts.get("path"), texts.get("stream"), texts.get("head"),
            wholes.get("headLength").intValue(), texts.get("at"));
    }

    private static void readNumbers(final JsonParser parser, final Map<String, Long> numbers) throws IOException
    {
        while (parser.nextToken() == JsonToken.FIELD_NAME)
        {
            numbers.put(parser.currentName(), parser.nextLongValue(0));
        }
    }

    private static void writeNumbers(final JsonGenerator generator, final Map<String, Long> numbers) throws IOException
    {
        generator.writeObjectFieldStart("numbers");
        for (final Map.Entry<String, Long> entry : numbers.entrySet())
        {
            generator.writeNumberField(entry.getKey(), entry.getValue());
        }
        generator.writeEndObject();
    }

    private void write(final Entry entry)
    {
        final ByteArrayOutputStream line = new ByteArrayOutputStream(512);
        try
        {
            try (JsonGenerator generator = json.createGenerator(line))
            {
                generator.writeStartObject();
                entry.writeTo(generator);
                generator.writeEndObject();
            }
            line.write('\n');
            WholeLines.write(channel, line.toByteArray(), size);
            size += line.size();
            channel.force(true);
        }
        catch (final IOException ex)
        {
            throw failed(ex);
        }
    }

    private FeedException damaged(final long line, final Exception cause)
    {
        return FeedException.failed("The import journal " + path + " is damaged in line " + line +
            "; restore it from a backup, or move it away if no import is to be continued or recognised.", cause);
    }

    private FeedException failed(final IOException ex)
    {
        return FeedException.failed("The import journal " + path + " cannot be read or written (" + ex + ").", ex);
    }

    private interface Entry
    {
        void writeTo(JsonGenerator generator) throws IOException;
    }
}
