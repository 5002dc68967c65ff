package io.tidemark.ops.command;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.Suggestion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Writes a commented configuration to start from.
 */
@Command(name = "init", description = "Writes a commented tidemark.yaml to start from.")
final class InitCommand implements Callable<Integer>
{
    private static final List<String> TYPES = List.of("interval-join", "overlap-join", "session");

    @ParentCommand
    private RootCommand root;

    @Parameters(paramLabel = "DIR", description = "Where to; created if need be.")
    private Path directory;

    @Option(
        names = "--rule", required = true, paramLabel = "TYPE",
        description = "interval-join: rows of the right stream within a time span around those of the left. " +
        "overlap-join: rows with start and end that overlap. session: events of a key that are at most a gap apart.")
    private String rule;

    @Override
    public Integer call() throws IOException
    {
        if (!TYPES.contains(rule))
        {
            throw new ConfigurationException("there is no rule of type '" + rule + "'" + Suggestion.of(rule, TYPES));
        }
        final Path file = directory.resolve("tidemark.yaml");
        if (Files.exists(file))
        {
            throw new ConfigurationException(file + ": exists already; remove it or choose another directory");
        }
        Files.createDirectories(directory);
        try (InputStream template = InitCommand.class.getResourceAsStream("/init/" + rule + ".yaml"))
        {
            Files.copy(template, file);
        }
        root.console().line("Wrote " + file + ". Fit it to your streams, then:");
        root.console().line("  tidemark ingest -c " + file + " FEED...");
        root.console().line("  tidemark run -c " + file + " --until-caught-up");
        root.console().line("  tidemark export -c " + file + (rule.equals("session") ? " sessions" : " pairs"));
        return ExitCode.DONE;
    }
}
