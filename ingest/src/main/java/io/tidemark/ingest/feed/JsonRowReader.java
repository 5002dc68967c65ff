package io.tidemark.ingest.feed;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.ingest.event.Utf8;

import java.io.IOException;

/**
 * Rows of JSON Lines: one object a line, values plain. Texts and whole numbers are taken as they are written, null as
 * not said; anything else is no value of an event. A name that is not known is an error of the feed in its first object
 * (as a column in a CSV header would be), and of its line after that.
 */
final class JsonRowReader implements RowReader
{
    private final LineReader lines;
    private final FeedTarget target;
    private final String feedName;
    private final Columns columns;
    private final RawRow row;
    private final JsonFactory json = JsonFactory.builder()
        // A line is UTF-8, however much its first bytes look like UTF-16.
        .disable(JsonFactory.Feature.CHARSET_DETECTION)
        .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(16).build())
        .build();
    private boolean hasObject;

    JsonRowReader(final LineReader lines, final FeedTarget target, final String feedName)
    {
        this.lines = lines;
        this.target = target;
        this.feedName = feedName;
        columns = Columns.ofAllNames(target);
        row = new RawRow(columns.count());
    }

    @Override
    public boolean next() throws IOException
    {
        while (lines.next())
        {
            if (isBlank())
            {
                continue;
            }
            row.reset();
            row.line(lines.line());
            if (lines.isTooLong())
            {
                row.problem("the line is longer than " + LineReader.MAX_LENGTH + " bytes");
            }
            else if (!Utf8.isWellFormed(lines.buffer(), lines.offset(), lines.length()))
            {
                row.problem("the line is not UTF-8");
            }
            else
            {
                parse();
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

    private boolean isBlank()
    {
        for (int i = 0; i < lines.length(); i++)
        {
            final byte b = lines.buffer()[lines.offset() + i];
            if (b != ' ' && b != '\t' && b != '\r')
            {
                return false;
            }
        }
        return true;
    }

    private void parse() throws IOException
    {
        try (JsonParser parser = json.createParser(lines.buffer(), lines.offset(), lines.length()))
        {
            if (parser.nextToken() != JsonToken.START_OBJECT)
            {
                row.problem("the line is not a JSON object");
                return;
            }
            String problem = null;
            while (problem == null && parser.nextToken() == JsonToken.FIELD_NAME)
            {
                problem = parseField(parser);
            }
            if (problem == null && parser.nextToken() != null)
            {
                problem = "there is text behind the JSON object";
            }
            row.problem(problem);
            hasObject = true;
        }
        catch (final JsonProcessingException ex)
        {
            final long column = ex.getLocation() != null ? ex.getLocation().getColumnNr() : 0;
            row.problem("malformed JSON at column " + column + ": " + firstLine(ex.getOriginalMessage()));
        }
    }

    private String parseField(final JsonParser parser) throws IOException
    {
        final String name = parser.currentName();
        final int column = columns.named(name);
        if (column == Columns.NONE)
        {
            if (!hasObject)
            {
                throw Columns.unknown(name, target, feedName);
            }
            return "unknown name " + Columns.shown(name);
        }
        if (row.isPresent(column))
        {
            return name + " is there twice";
        }
        return switch (parser.nextToken())
        {
            case VALUE_NULL -> null;
            case VALUE_STRING, VALUE_NUMBER_INT ->
                copyText(parser, column) ? null : name + " is not UTF-8: it holds half of a surrogate pair";
            case VALUE_NUMBER_FLOAT -> name + " " + Columns.shown(parser.getText()) + " is not a whole number";
            default -> name + " is neither a text nor a whole number";
        };
    }

    /** Copies the parser's characters as UTF-8. */
    private boolean copyText(final JsonParser parser, final int column) throws IOException
    {
        final char[] chars = parser.getTextCharacters();
        final int end = parser.getTextOffset() + parser.getTextLength();
        row.begin();
        int i = parser.getTextOffset();
        while (i < end)
        {
            final char c = chars[i++];
            if (c < 0x80)
            {
                row.put((byte)c);
            }
            else if (!Character.isSurrogate(c))
            {
                putSequence(c);
            }
            else if (Character.isHighSurrogate(c) && i < end && Character.isLowSurrogate(chars[i]))
            {
                putSequence(Character.toCodePoint(c, chars[i++]));
            }
            else
            {
                return false;
            }
        }
        row.finish(column);
        return true;
    }

    private void putSequence(final int codePoint)
    {
        if (codePoint < 0x800)
        {
            row.put((byte)(0xC0 | codePoint >> 6));
        }
        else if (codePoint < 0x10000)
        {
            row.put((byte)(0xE0 | codePoint >> 12));
            row.put((byte)(0x80 | (codePoint >> 6 & 0x3F)));
        }
        else
        {
            row.put((byte)(0xF0 | codePoint >> 18));
            row.put((byte)(0x80 | (codePoint >> 12 & 0x3F)));
            row.put((byte)(0x80 | (codePoint >> 6 & 0x3F)));
        }
        row.put((byte)(0x80 | (codePoint & 0x3F)));
    }

    private static String firstLine(final String message)
    {
        final int newline = message.indexOf('\n');
        return newline < 0 ? message : message.substring(0, newline);
    }
}
