package io.tidemark.ops.config;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.Map;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * A small JSON file of names with texts. It is replaced whole or not at all.
 */
final class SettingsFile
{
    private static final JsonFactory FACTORY = new JsonFactory();

    private SettingsFile()
    {
    }

    /** Empty where there is no file. */
    static Map<String, String> read(final Path file)
    {
        final Map<String, String> stored = new LinkedHashMap<>();
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        {
            return stored;
        }
        try (JsonParser json = FACTORY.createParser(Files.readAllBytes(file)))
        {
            String name = null;
            for (JsonToken token = json.nextToken(); token != null; token = json.nextToken())
            {
                if (token == JsonToken.FIELD_NAME)
                {
                    name = json.currentName();
                }
                else if (token.isScalarValue() && name != null)
                {
                    stored.put(name, json.getText());
                }
            }
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": cannot be read (" + e.getMessage() +
                "); restore it from a backup of the data directory", e);
        }
        if (stored.isEmpty())
        {
            throw new ConfigurationException(file + ": says nothing; restore it from a backup of the data directory");
        }
        return stored;
    }

    static void write(final Path file, final Map<String, String> settings)
    {
        try
        {
            Files.createDirectories(file.getParent());
            final Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
            final ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (JsonGenerator json = FACTORY.createGenerator(out).useDefaultPrettyPrinter())
            {
                json.writeStartObject();
                for (final Map.Entry<String, String> setting : settings.entrySet())
                {
                    json.writeStringField(setting.getKey(), setting.getValue());
                }
                json.writeEndObject();
            }
            try (FileChannel channel = FileChannel.open(temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
                StandardOpenOption.TRUNCATE_EXISTING))
            {
                channel.write(ByteBuffer.wrap(out.toByteArray()));
                // Without it the name could reach the disk before the content, and the file be empty after a crash.
                channel.force(true);
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": cannot be written (" + e + ")", e);
        }
    }
}
