package io.tidemark.ops.config;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import io.tidemark.sink.sql.SqlTarget;

/**
 * The tables of a data directory, one a rule version (SEMANTICS.md section 8). They are made of the same source logs in
 * the same order. The results of the first version lie in the data directory itself, those of others under
 * {@code rules/VERSION}. {@code serving.json} is the one record that says which of them readers use; where it is
 * missing that is the first.
 */
public final class RuleTables
{
    /** The setting that names a version. */
    static final String VERSION = "rule.version";

    /** What a table's own settings say besides: the generation that it begins with. */
    static final String FIRST_GENERATION = "generation.first";

    /** What they say from when the table has served: then the record of that must be there. */
    static final String SERVED = "served";

    static final String RULES = "rules";
    static final String SERVING = "serving.json";

    /**
     * A table.
     *
     * @param rule            version of its rule.
     * @param directory       of its results.
     * @param firstGeneration that it begins with.
     */
    public record Table(int rule, Path directory, int firstGeneration)
    {
    }

    private final Path data;
    private final Configuration configuration;

    /**
     * @param configuration names the data directory and the rule version.
     */
    public RuleTables(final Configuration configuration)
    {
        this.configuration = configuration;
        data = configuration.dataDirectory();
    }

    /** Where the results of a rule version lie, whether there are any yet or not. */
    static Path directory(final Path data, final String version)
    {
        final String first = SettingsFile.read(data.resolve(DataFormat.FILE_NAME)).get(VERSION);
        return first == null || first.equals(version) ? data : data.resolve(RULES).resolve(version);
    }

    /**
     * All tables that there are.
     *
     * @return by their first generation.
     */
    public List<Table> all()
    {
        final List<Table> tables = new ArrayList<>();
        add(tables, data);
        final Path rules = data.resolve(RULES);
        if (Files.isDirectory(rules))
        {
            try (Stream<Path> directories = Files.list(rules))
            {
                directories.sorted().forEach(directory -> add(tables, directory));
            }
            catch (final IOException e)
            {
                throw new UncheckedIOException("cannot read " + rules, e);
            }
        }
        tables.sort(Comparator.comparingInt(Table::firstGeneration));
        return tables;
    }

    private static void add(final List<Table> tables, final Path directory)
    {
        final Map<String, String> settings = SettingsFile.read(directory.resolve(DataFormat.FILE_NAME));
        if (settings.containsKey(VERSION) && Files.isDirectory(directory.resolve("changes")))
        {
            tables.add(new Table(Integer.parseInt(settings.get(VERSION)), directory,
                Integer.parseInt(settings.getOrDefault(FIRST_GENERATION, "1"))));
        }
    }

    /**
     * The table that readers use.
     *
     * @return null before the first run.
     */
    public Table serving()
    {
        final String rule = SettingsFile.read(data.resolve(SERVING)).get("rule");
        if (rule == null)
        {
            requireNoneServed();
        }
        return all().stream()
            .filter(table -> rule == null ? table.directory().equals(data) : rule.equals(String.valueOf(table.rule())))
            .findFirst().orElse(null);
    }

    /** Only the first table serves without a record of it. */
    private void requireNoneServed()
    {
        for (final Table table : all())
        {
            if (SettingsFile.read(table.directory().resolve(DataFormat.FILE_NAME)).containsKey(SERVED))
            {
                throw new ConfigurationException(data.resolve(SERVING) + " does not say which table serves, but that " +
                    "of rule version " + table.rule() + " has; restore the file from a backup of the data directory");
            }
        }
    }

    /**
     * The other tables that may be gone on with: the one that serves, and those that are being built to follow it. A
     * table that was replaced never is.
     *
     * @return directories of their results.
     */
    public List<Path> goingOn()
    {
        final Table serving = serving();
        return all().stream()
            .filter(table -> serving == null || table.firstGeneration() >= serving.firstGeneration())
            .map(Table::directory)
            .filter(directory -> !directory.equals(configuration.resultsDirectory())).toList();
    }

    /**
     * The table of the configuration's rule version.
     *
     * @return null when it was not begun.
     */
    public Table own()
    {
        return all().stream().filter(table -> table.directory().equals(configuration.resultsDirectory()))
            .findFirst().orElse(null);
    }

    /**
     * The generation that the table of the configuration's rule version begins with.
     *
     * @return 1 for the first version.
     */
    public int firstGeneration()
    {
        return Integer.parseInt(SettingsFile.read(configuration.resultsDirectory().resolve(DataFormat.FILE_NAME))
            .getOrDefault(FIRST_GENERATION, "1"));
    }

    /**
     * Whether the configuration's rule version has a table to build, beside one that serves.
     *
     * @return false when it serves, or is the first of all.
     */
    public boolean isCandidate()
    {
        final Table serving = serving();
        return serving != null && !serving.directory().equals(configuration.resultsDirectory());
    }

    /**
     * Refuses to show a table that has not served yet: it may be half built, or wrong.
     *
     * @throws ConfigurationException when the configuration's rule version is such a one.
     */
    public void requireReadable()
    {
        final Table serving = serving();
        if (isCandidate() && (own() == null || own().firstGeneration() > serving.firstGeneration()))
        {
            final boolean isPruned = configuration.resultsDirectory().equals(data);
            throw new ConfigurationException(configuration.file() + ": rule version " +
                configuration.settings().get(VERSION) + (isPruned ? " was pruned, version " : " does not serve yet, " +
                "version ") + serving.rule() + (isPruned ? " serves; give this configuration its rule and version" :
                " does; 'tidemark run' builds and checks its table"));
        }
    }

    /**
     * The table that a generation is of.
     *
     * @param generation from 1.
     * @return the table with the largest first generation up to it, which need not have come to it.
     * @throws ConfigurationException when that is pruned, or does not serve.
     */
    public Table ofGeneration(final long generation)
    {
        final Table serving = serving();
        final List<Table> older = all().stream().filter(table -> table.firstGeneration() <= generation &&
            serving != null && table.firstGeneration() <= serving.firstGeneration()).toList();
        if (older.isEmpty())
        {
            throw new ConfigurationException("there is no generation " + generation + " any more" +
                "; 'tidemark generation list' shows those that there are");
        }
        return older.get(older.size() - 1);
    }

    /**
     * Begins the table of the configuration's rule version; what an earlier attempt on another generation has left is
     * deleted.
     *
     * @param generation that it begins with.
     * @throws ConfigurationException when that table served before another one did.
     */
    public void begin(final int generation)
    {
        final Table serving = serving();
        final Table own = own();
        if (own != null && own.firstGeneration() < serving.firstGeneration())
        {
            throw new ConfigurationException(configuration.file() + ": rule version " + own.rule() +
                " was replaced by version " + serving.rule() + "; use that, or give the rule a new version");
        }
        final Path directory = configuration.resultsDirectory();
        if (own != null && own.firstGeneration() != generation)
        {
            delete(directory);
        }
        final Map<String, String> settings = new LinkedHashMap<>();
        settings.put(DataFormat.VERSION_NAME, DataFormat.VERSION);
        settings.putAll(configuration.settings());
        settings.put(FIRST_GENERATION, String.valueOf(generation));
        SettingsFile.write(directory.resolve(DataFormat.FILE_NAME), settings);
    }

    /**
     * Makes readers use the table of the configuration's rule version: one record, written whole or not at all.
     *
     * @param position up to which it was built and checked.
     */
    public void serve(final long position)
    {
        final Map<String, String> record = new LinkedHashMap<>();
        record.put("rule", configuration.settings().get(VERSION));
        record.put("generation", String.valueOf(firstGeneration()));
        record.put("position", String.valueOf(position));
        SettingsFile.write(data.resolve(SERVING), record);
        final Path file = configuration.resultsDirectory().resolve(DataFormat.FILE_NAME);
        final Map<String, String> settings = SettingsFile.read(file);
        settings.put(SERVED, "from position " + position);
        SettingsFile.write(file, settings);
    }

    /**
     * Deletes a table.
     *
     * @param rule version of its rule.
     * @throws ConfigurationException when there is none, or it serves.
     */
    public void prune(final int rule)
    {
        prune(rule, table ->
        {
            // files are all that it has
        });
    }

    /**
     * Deletes a table that has more than files.
     *
     * @param rule version of its rule.
     * @param also deletes what it has elsewhere; when that fails, the files stay.
     * @throws ConfigurationException when there is none, or it serves.
     */
    public void prune(final int rule, final Consumer<Table> also)
    {
        final Table serving = serving();
        final Table pruned = all().stream().filter(table -> table.rule() == rule).findFirst().orElseThrow(
            () -> new ConfigurationException("there is no table of rule version " + rule));
        if (pruned.equals(serving))
        {
            throw new ConfigurationException("rule version " + rule + " serves; it cannot be pruned");
        }
        also.accept(pruned);
        if (!pruned.directory().equals(data))
        {
            delete(pruned.directory());
            return;
        }
        // The first one shares its directory with what all need.
        for (final String name : List.of("changes", "late", "rejects", "state", "checkpoints", "repair", "view",
            SqlTarget.SQLITE_FILE, SqlTarget.SQLITE_FILE + "-wal", SqlTarget.SQLITE_FILE + "-shm"))
        {
            delete(data.resolve(name));
        }
    }

    private static void delete(final Path directory)
    {
        if (!Files.exists(directory))
        {
            return;
        }
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("cannot delete " + directory, e);
        }
    }
}
