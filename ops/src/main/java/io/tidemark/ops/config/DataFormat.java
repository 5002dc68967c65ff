package io.tidemark.ops.config;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/**
 * The file {@code format.json} of a data directory: the version of its layout, and every setting that the data in it
 * were made with. Streams and slots are fixed when the first feed comes in, all else by the first run. A configuration
 * that says otherwise is refused, because its results would not be those of the data. Only under a new version of the
 * rule may they be others: they have a directory, and such a file, of their own ({@link RuleTables}).
 */
public final class DataFormat
{
    static final String FILE_NAME = "format.json";
    static final String VERSION_NAME = "format";

    /** What commands leave, and only after they have written this file. */
    private static final List<String> LEFT_BY_COMMANDS =
        List.of("imports.jsonl", RuleTables.SERVING, RuleTables.RULES, "tables.sqlite");

    /** 1: records without checksums. 2: with them, and checkpoints. */
    static final String VERSION = "2";

    private final Configuration configuration;
    private final Path file;
    private final Path ruleFile;

    /**
     * @param configuration to hold the data against.
     */
    public DataFormat(final Configuration configuration)
    {
        this.configuration = configuration;
        file = configuration.dataDirectory().resolve(FILE_NAME);
        ruleFile = configuration.resultsDirectory().resolve(FILE_NAME);
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
        final Map<String, String> stored = read();
        compare(stored);
        if (isOfOtherRule(stored) && SettingsFile.read(ruleFile).isEmpty())
        {
            throw new ConfigurationException(configuration.file() + ": rule version " +
                configuration.settings().get(RuleTables.VERSION) + " is new to the data in " +
                configuration.dataDirectory() + "; 'tidemark run' builds its table beside the others");
        }
    }

    /** Whether the results that lie in the data directory itself are of another version of the rule. */
    private boolean isOfOtherRule(final Map<String, String> stored)
    {
        return stored.containsKey(RuleTables.VERSION) &&
            !stored.get(RuleTables.VERSION).equals(configuration.settings().get(RuleTables.VERSION));
    }

    private void fix(final boolean all)
    {
        final Map<String, String> stored = read();
        compare(stored);
        if (isOfOtherRule(stored))
        {
            return;
        }
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
            SettingsFile.write(file, fixed);
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
        compare(stored, !isOfOtherRule(stored) && stored.keySet().stream().anyMatch(name -> !isInput(name)));
        if (isOfOtherRule(stored))
        {
            final Map<String, String> ofRule = SettingsFile.read(ruleFile);
            if (!ofRule.isEmpty())
            {
                compare(ofRule, true);
            }
        }
    }

    private void compare(final Map<String, String> stored, final boolean hasResults)
    {
        final TreeSet<String> names = new TreeSet<>(stored.keySet());
        names.addAll(configuration.settings().keySet());
        names.remove(VERSION_NAME);
        names.remove(RuleTables.FIRST_GENERATION);
        names.remove(RuleTables.SERVED);
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
            "; set it back, " + (isInput(name) ? "or name an empty data directory and ingest the feeds again" :
            "or give the changed rule a new 'rule.version', whose table is then built beside the old one"));
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
        final Map<String, String> stored = SettingsFile.read(file);
        if (stored.isEmpty())
        {
            requireNew();
        }
        if (!stored.isEmpty() && !stored.containsKey(VERSION_NAME))
        {
            throw new ConfigurationException(file + ": says no layout; restore it from a backup of the data directory");
        }
        return stored;
    }

    /** Without it nobody could tell which of several tables is which, or that a setting has changed. */
    private void requireNew()
    {
        final Path data = configuration.dataDirectory();
        for (final String left : LEFT_BY_COMMANDS)
        {
            if (Files.exists(data.resolve(left)))
            {
                throw new ConfigurationException(file + " is missing, but " + data + " has " + left + ": the file " +
                    "says what settings the data were made with; restore it from a backup of the data directory");
            }
        }
    }
}
