package io.tidemark.ops.command;

import java.nio.file.Path;

import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.ConfigurationReader;
import picocli.CommandLine.Option;
import picocli.CommandLine.ScopeType;

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

    /** Read and validated; what is not built yet is refused. */
    Configuration read()
    {
        final Configuration configuration = ConfigurationReader.read(file);
        if (configuration.unsafeRetention())
        {
            throw new ConfigurationException(configuration.file() + ": 'retention.unsafe_override' loses results; it " +
                "is refused without --allow-unsafe, which is not built yet; remove the setting");
        }
        return configuration;
    }

    Path file()
    {
        return file;
    }
}
