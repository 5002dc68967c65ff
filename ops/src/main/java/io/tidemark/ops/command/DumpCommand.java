package io.tidemark.ops.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.Suggestion;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Shows a log's records, also beside a running pipeline.
 */
@Command(
    name = "dump",
    description = {
        "Shows a log's records, one a line: queue index, number in the log, content.",
        "Logs: order, control, changes, late, rejects, and the source logs by stream and partition, like payments-0."})
final class DumpCommand implements Callable<Integer>
{
    private static final List<String> RESULT_LOGS = List.of("order", "control", "changes", "late", "rejects");

    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Parameters(paramLabel = "LOG", description = "order, control, changes, late, rejects or STREAM-PARTITION.")
    private String name;

    @Option(names = "--from", paramLabel = "I", description = "First queue index to show, decimal or 0x...")
    private String from;

    @Option(names = "--to", paramLabel = "I", description = "Last queue index to show.")
    private String to;

    @Override
    public Integer call()
    {
        final Configuration configuration = option.read();
        final Topology topology = configuration.topology();
        final Path directory = directory(configuration);
        final long first = from == null ? 0 : index("--from", from);
        final long last = to == null ? Long.MAX_VALUE : index("--to", to);
        if (!Log.exists(directory))
        {
            root.console().note("log " + name + " does not exist yet; there is nothing in " + directory);
            return ExitCode.DONE;
        }
        final RecordText text = new RecordText(topology);
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            tailer.toOldest();
            while (tailer.poll() && tailer.index() <= last)
            {
                if (tailer.index() >= first)
                {
                    root.console().line(tailer.index() + "  #" + tailer.number() + "  " +
                        text.of(tailer.buffer(), tailer.offset()));
                }
            }
        }
        return ExitCode.DONE;
    }

    private Path directory(final Configuration configuration)
    {
        final Topology topology = configuration.topology();
        final List<String> names = new ArrayList<>(RESULT_LOGS);
        for (int source = 0; source < topology.sources(); source++)
        {
            if (topology.sourceName(source).equals(name.replace('/', '-')))
            {
                return SourceLogs.directory(configuration.dataDirectory(), topology, source);
            }
            names.add(topology.sourceName(source));
        }
        if (!RESULT_LOGS.contains(name))
        {
            throw new ConfigurationException("there is no log '" + name + "'" + Suggestion.of(name, names));
        }
        final Path results = configuration.resultsDirectory().resolve(name);
        return Files.isDirectory(results) ? results : configuration.dataDirectory().resolve(name);
    }

    private static long index(final String option, final String text)
    {
        try
        {
            return Long.decode(text);
        }
        catch (final NumberFormatException e)
        {
            throw new ConfigurationException(option + " is a queue index, decimal or 0x..., not '" + text + "'", e);
        }
    }
}
