package io.tidemark.ops.command;

import java.nio.file.Path;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.RuleTables;
import io.tidemark.ops.config.SinkSettings;
import io.tidemark.sink.TableSink;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.sql.SqlSink;
import io.tidemark.sink.sql.SqlTables;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewReader;
import io.tidemark.sink.view.ViewSink;
import io.tidemark.sink.view.ViewTables;

/**
 * The sink that a configuration names.
 */
final class Sinks
{
    private Sinks()
    {
    }

    static TableSink open(final Configuration configuration)
    {
        return configuration.sink().type() == SinkSettings.Type.VIEW ?
            new ViewSink(configuration.resultsDirectory()) :
            new SqlSink(target(configuration), configuration.pipeline(), configuration.resultsDirectory(),
                configuration.topology()).lateStates(new RepairedStates(configuration));
    }

    /** Whether there is anything to read yet. */
    static boolean exists(final Configuration configuration)
    {
        return configuration.sink().type() == SinkSettings.Type.VIEW ?
            ViewReader.exists(configuration.resultsDirectory()) : target(configuration).exists();
    }

    static TableSource read(final Configuration configuration)
    {
        return configuration.sink().type() == SinkSettings.Type.VIEW ?
            ViewTables.open(configuration.resultsDirectory()) :
            SqlTables.open(target(configuration), configuration.pipeline());
    }

    /** What the sink is, for people. */
    static String describe(final Configuration configuration)
    {
        return switch (configuration.sink().type())
        {
            case VIEW -> "view in " + configuration.resultsDirectory();
            case SQLITE -> "sqlite in " + target(configuration).describe();
            case POSTGRES -> target(configuration).describe();
        };
    }

    /** Deletes what the table of a rule version has in a database; what it has in files goes with those. */
    static void drop(final Configuration configuration, final RuleTables.Table table)
    {
        if (configuration.sink().type() == SinkSettings.Type.POSTGRES)
        {
            target(configuration, table.directory(), table.rule()).drop(configuration.pipeline());
        }
    }

    private static SqlTarget target(final Configuration configuration)
    {
        return target(configuration, configuration.resultsDirectory(), configuration.spec().rule().version());
    }

    private static SqlTarget target(final Configuration configuration, final Path resultsDirectory, final int rule)
    {
        final SinkSettings sink = configuration.sink();
        if (sink.type() == SinkSettings.Type.SQLITE)
        {
            return SqlTarget.sqlite(resultsDirectory);
        }
        final SqlTarget server = SqlTarget.postgres(sink.url(), sink.user(), sink.passwordEnv());
        return resultsDirectory.equals(configuration.dataDirectory()) ? server : server.inSchema("rule_" + rule);
    }
}
