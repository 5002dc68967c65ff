package io.tidemark.ops.config;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;

/**
 * The file {@code format.json} of a data directory: the version of its layout, and every setting that the data in it
 * were made with. Streams and slots are fixed when the first feed comes in, all else by the first run. A configuration
 * that says otherwise is refused, because its results would not be those of the data.
 */
public final class DataFormat
{
    private static final String FILE_NAME = "format.json";
    private static final String VERSION_NAME = "format";
    /** 1: records without checksums. 2: with them, and checkpoints. */
    private static final String VERSION = "2";
    private static final JsonFactory FACTORY = new JsonFactory();

    private final Configuration configuration;
    private final Path file;

    /**
     * @param configuration to hold the data against.
     */
    public DataFormat(final Configuration configuration)
    {
        this.configuration = configuration;
        file = configuration.dataDirectory().resolve(FILE_NAME);
    }

    /** Data come in: their streams and the slot count are fixed from now on. */
    public void fixInputs()
    {
        fix(false);
    }

    /** Results are made: all that decides them is fixed from now on. */
    public void fixResults()
    {
        fix(true);
    }

    /**
     * Compares, and writes nothing.
     *
     * @throws ConfigurationException when the data were made with other settings.
     */
    public void check()
    {
        compare(read());
    }

    private void fix(final boolean all)
    {
        final Map<String, String> stored = read();
        compare(stored);
        final Map<String, String> fixed = new LinkedHashMap<>(stored);
        fixed.put(VERSION_NAME, VERSION);
        configuration.settings().forEach((name, value) ->
        {
            if (all || isInput(name))
            {
                fixed.put(name, value);
            }
        });
        if (!fixed.equals(stored))
        {
            write(fixed);
        }
    }

    private void compare(final Map<String, String> stored)
    {
        if (stored.isEmpty())
        {
            return;
        }
        if (!VERSION.equals(stored.get(VERSION_NAME)))
        {
            throw new ConfigurationException(configuration.dataDirectory() + " has layout " +
                stored.get(VERSION_NAME) + ", and this program knows layout " + VERSION +
                "; use the version of Tidemark that made it");
        }
        final boolean hasResults = stored.keySet().stream().anyMatch(name -> !isInput(name));
        final TreeSet<String> names = new TreeSet<>(stored.keySet());
        names.addAll(configuration.settings().keySet());
        names.remove(VERSION_NAME);
        for (final String name : names)
        {
            final String before = stored.get(name);
            final String now = configuration.settings().get(name);
            if ((hasResults || isInput(name)) && !(before == null ? now == null : before.equals(now)))
            {
                throw changed(name, before, now);
            }
        }
    }

    private ConfigurationException changed(final String name, final String before, final String now)
    {
        return new ConfigurationException(configuration.file() + ": '" + name + "' is " + shown(now) +
            ", but the data in " + configuration.dataDirectory() + " were made with " + shown(before) +
            "; set it back, or name an empty data directory and ingest the feeds again");
    }

    private static String shown(final String value)
    {
        return value == null ? "not set" : value.strip();
    }

    private static boolean isInput(final String name)
    {
        return name.equals(VERSION_NAME) || name.equals("slots") || name.startsWith("streams.");
    }

    private Map<String, String> read()
    {
        final Map<String, String> stored = new LinkedHashMap<>();
        if (!Files.exists(file))
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
        if (!stored.containsKey(VERSION_NAME))
        {
            throw new ConfigurationException(file + ": says no layout; restore it from a backup of the data directory");
        }
        return stored;
    }

    private void write(final Map<String, String> settings)
    {
        try
        {
            Files.createDirectories(file.getParent());
            final Path temporary = file.resolveSibling(FILE_NAME + ".tmp");
            try (OutputStream out = Files.newOutputStream(temporary);
                JsonGenerator json = FACTORY.createGenerator(out).useDefaultPrettyPrinter())
            {
                json.writeStartObject();
                for (final Map.Entry<String, String> setting : settings.entrySet())
                {
                    json.writeStringField(setting.getKey(), setting.getValue());
                }
                json.writeEndObject();
            }
            Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException e)
        {
            throw new ConfigurationException(file + ": cannot be written (" + e + ")", e);
        }
    }
}
