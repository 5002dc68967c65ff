package io.tidemark.sink;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Consumer;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * A line of a feed that is no event, as ingest reported it in {@code rejects.jsonl}.
 *
 * @param file   name of the feed.
 * @param line   in it, from 1.
 * @param reason why.
 * @param text   the line itself.
 */
public record TurnedAwayLine(String file, long line, String reason, String text)
{
    private static final String FILE_NAME = "rejects.jsonl";
    private static final JsonFactory FACTORY = new JsonFactory();

    /**
     * Reads all that ingest has reported, in order.
     *
     * @param dataDirectory of the pipeline.
     * @param consumer      of each.
     * @throws IOException when the report cannot be read.
     */
    public static void forEach(final Path dataDirectory, final Consumer<TurnedAwayLine> consumer) throws IOException
    {
        final Path report = dataDirectory.resolve(FILE_NAME);
        if (!Files.exists(report))
        {
            return;
        }
        try (BufferedReader lines = Files.newBufferedReader(report))
        {
            for (String line = lines.readLine(); line != null; line = lines.readLine())
            {
                consumer.accept(parse(line));
            }
        }
    }

    private static TurnedAwayLine parse(final String json) throws IOException
    {
        String file = null;
        long line = 0;
        String reason = null;
        String text = null;
        try (JsonParser parser = FACTORY.createParser(json))
        {
            while (parser.nextToken() != null)
            {
                if (parser.currentToken() == JsonToken.FIELD_NAME)
                {
                    final String name = parser.currentName();
                    parser.nextToken();
                    switch (name)
                    {
                        case "file" -> file = parser.getText();
                        case "line" -> line = parser.getLongValue();
                        case "reason" -> reason = parser.getText();
                        case "text" -> text = parser.getText();
                        default -> parser.skipChildren();
                    }
                }
            }
        }
        return new TurnedAwayLine(file, line, reason, text);
    }
}
