package io.tidemark.ops.command;

import java.nio.file.Path;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.ConfigurationReader;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/**
 * The option {@code -c}, which nearly every command has.
 */
final class ConfigurationOption
{
    @Option(
        names = {"-c", "--config"}, paramLabel = "FILE", defaultValue = "tidemark.yaml",
        scope = ScopeType.INHERIT,
        description = "The configuration; tidemark.yaml unless given.")
    private Path file;

    @Option(
        names = "--allow-unsafe", scope = ScopeType.INHERIT,
        description = "Accepts 'retention.unsafe_override', which loses results, to show what too short a one does.")
    private boolean isUnsafeAllowed;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    /** Read and validated; what loses results is refused, or warned of. */
    Configuration read()
    {
        final Configuration configuration = ConfigurationReader.read(file);
        if (configuration.unsafeRetention())
        {
            if (!isUnsafeAllowed)
            {
                throw new ConfigurationException(configuration.file() + ": 'retention.unsafe_override' loses " +
                    "results; it is refused without --allow-unsafe; remove the setting, or allow it");
            }
            ((RootCommand)command.root().userObject()).console()
                .note("warning: " + UnsafeRetention.warning(configuration));
        }
        return configuration;
    }

    Path file()
    {
        return file;
    }
}
