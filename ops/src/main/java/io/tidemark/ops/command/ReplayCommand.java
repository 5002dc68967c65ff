package io.tidemark.ops.command;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.operator.change.ReplayMismatchException;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.Replay;
import io.tidemark.operator.worker.ReplayReport;
import io.tidemark.operator.worker.StateMismatchException;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.agrona.concurrent.UnsafeBuffer;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Processes logs once more and compares.
 */
@Command(
    name = "replay",
    description = {
        "Processes events once more, beside whatever runs, and compares every byte with the change log, and the " +
        "state with that of every checkpoint on the way.",
        "Writes nothing into the data directory but its claim on old files. The first difference is shown with both " +
        "sides (exit code 3)."})
final class ReplayCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @ArgGroup(multiplicity = "1")
    private Start start;

    @Option(names = "--verify", required = true, description = "Says that comparing is what is wanted.")
    @SuppressWarnings("unused")
    private boolean isVerifyWanted;

    /** Where to begin. */
    private static final class Start
    {
        @Option(names = "--from-checkpoint", paramLabel = "N", description = "Begins with this checkpoint.")
        private Long checkpoint;

        @Option(
            names = "--from-position", paramLabel = "N",
            description = "Begins with the newest checkpoint before this position, or at the start of the logs.")
        private Long position;

        @Option(names = "--from-start", description = "Begins at the start of the logs.")
        @SuppressWarnings("unused")
        private boolean isStart;
    }

    @Override
    public Integer call() throws IOException
    {
        final Configuration configuration = option.read();
        new DataFormat(configuration).check();
        final Path data = configuration.dataDirectory();
        for (final String log : List.of(PipelineRuntime.ORDER, PipelineRuntime.CHANGES))
        {
            final Path directory = log.equals(PipelineRuntime.ORDER) ? data : configuration.resultsDirectory();
            if (!Log.exists(directory.resolve(log)))
            {
                throw new ConfigurationException("there is nothing to replay: no pipeline has run on " + data);
            }
        }
        final Path scratch = Files.createTempDirectory(
            data.toAbsolutePath().getParent(), data.getFileName() + "-replay-");
        final RetentionHold hold = RetentionHold.acquire(data);
        try (Replay replay = new Replay(
            PipelineRun.context(configuration, scratch), checkpoint(configuration.resultsDirectory())))
        {
            report(replay.run());
            return ExitCode.DONE;
        }
        catch (final ReplayMismatchException e)
        {
            show(configuration, e);
            return ExitCode.DONE_WITH_COMPLAINTS;
        }
        catch (final StateMismatchException e)
        {
            root.console().line(e.getMessage());
            return ExitCode.DONE_WITH_COMPLAINTS;
        }
        finally
        {
            hold.close();
            deleteTree(scratch);
        }
    }

    private long checkpoint(final Path results)
    {
        final CheckpointDirectory directory = new CheckpointDirectory(results);
        if (start.checkpoint != null)
        {
            return directory.manifest(start.checkpoint).position();
        }
        if (start.position != null)
        {
            return directory.positions().stream().filter(position -> position < start.position).findFirst().orElse(0L);
        }
        return 0;
    }

    private void report(final ReplayReport report)
    {
        root.console().line(String.format(Locale.ROOT,
            "The same: positions %,d to %,d, %,d records, and the state of %,d checkpoints on the way.%s",
            report.from() + 1, report.to(), report.records(), report.checkpoints(),
            report.beyond() == 0 ? "" : String.format(Locale.ROOT,
            " %,d records are not in the logs yet.", report.beyond())));
    }

    private void show(final Configuration configuration, final ReplayMismatchException e)
    {
        final RecordText text = new RecordText(configuration.topology());
        root.console().line(e.getMessage());
        root.console().line("recorded, in words: " + text.of(new UnsafeBuffer(e.recorded()), 0));
        if (e.replayed().length > 0)
        {
            root.console().line("replayed, in words: " + text.of(new UnsafeBuffer(e.replayed()), 0));
        }
    }

    private static void deleteTree(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.walk(directory))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
    }
}
