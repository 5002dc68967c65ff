package io.tidemark.ops.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.order.ControlLog;
import io.tidemark.operator.worker.CheckpointCounters;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.Suggestion;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.PageFile;
import io.tidemark.store.snapshot.SlotDigest;
import io.tidemark.store.snapshot.SnapshotException;
import io.tidemark.store.snapshot.SnapshotLoader;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Shows, checks and takes checkpoints.
 */
@Command(
    name = "checkpoint",
    description = {
        "list: the checkpoints that are there, newest first. A checkpoint goes by the position after which it stands.",
        "show N: what a checkpoint is made of. verify [N]: reads one, or all, and compares every digest (exit code 3 " +
        "when one does not hold). create: takes one now, by the pipeline if it runs."})
final class CheckpointCommand implements Callable<Integer>
{
    private static final List<String> ACTIONS = List.of("list", "show", "verify", "create");
    private static final long PATIENCE_MS = 120_000;
    private static final long LOOK_INTERVAL_MS = 20;

    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Parameters(index = "0", paramLabel = "list|show|verify|create", description = "What to do.")
    private String action;

    @Parameters(index = "1", arity = "0..1", paramLabel = "N", description = "Position of a checkpoint.")
    private Long position;

    private CheckpointDirectory directory;

    @Override
    public Integer call()
    {
        if (!ACTIONS.contains(action))
        {
            throw new ConfigurationException("checkpoint does not know '" + action + "'" +
                Suggestion.of(action, ACTIONS));
        }
        final Configuration configuration = option.read();
        new DataFormat(configuration).check();
        directory = new CheckpointDirectory(configuration.resultsDirectory());
        switch (action)
        {
            case "list" -> list();
            case "show" -> show();
            case "verify" ->
            {
                return verify();
            }
            default -> create(configuration);
        }
        return ExitCode.DONE;
    }

    private void list()
    {
        final List<Long> positions = directory.positions();
        if (positions.isEmpty())
        {
            root.console().note("there are no checkpoints in " + directory.path() + " yet");
            return;
        }
        root.console().line(String.format(Locale.ROOT, "%15s  %-24s %10s %6s  %s",
            "position", "taken", "KiB", "files", "state"));
        for (final long each : positions)
        {
            try
            {
                final Manifest manifest = directory.manifest(each);
                root.console().line(String.format(Locale.ROOT, "%15d  %-24s %,10d %6d  %s", each,
                    Instant.ofEpochMilli(manifest.takenMs()), manifest.bytes() >> 10, manifest.files().size(),
                    manifest.stateDigest()));
            }
            catch (final SnapshotException e)
            {
                root.console().line(String.format(Locale.ROOT, "%15d  damaged: %s", each, e.getMessage()));
            }
        }
    }

    private void show()
    {
        if (position == null)
        {
            throw new ConfigurationException("checkpoint show takes the position of a checkpoint; list names them");
        }
        final Manifest manifest = directory.manifest(position);
        final Console console = root.console();
        console.line("position  " + manifest.position());
        console.line("taken     " + Instant.ofEpochMilli(manifest.takenMs()));
        console.line("state     " + manifest.stateDigest());
        console.line("made with " + manifest.madeWith());
        console.line("registers " + manifest.registers().length() + " bytes");
        for (final LogMark log : manifest.logs())
        {
            console.line("log       " + log.name() + (log.number() < 0 ? ": nothing yet" :
                " up to record " + log.number() + " at index " + log.index()));
        }
        for (final PageFile file : manifest.files())
        {
            console.line(String.format(Locale.ROOT, "file      %s, %,d bytes, %,d pages", file.name(), file.bytes(),
                file.pages()));
        }
        for (final SlotDigest slot : manifest.slots())
        {
            console.line(slot.toString());
        }
    }

    private int verify()
    {
        final List<Long> positions = position != null ? List.of(position) : directory.positions();
        boolean allWhole = true;
        for (final long each : positions)
        {
            try
            {
                final Manifest manifest = directory.manifest(each);
                new SnapshotLoader(directory).verify(manifest);
                root.console().line("checkpoint " + each + ": whole, state " + manifest.stateDigest());
            }
            catch (final SnapshotException e)
            {
                allWhole = false;
                root.console().line("checkpoint " + each + ": damaged: " + e.getMessage());
            }
        }
        if (positions.isEmpty())
        {
            root.console().note("there are no checkpoints in " + directory.path() + " yet");
        }
        return allWhole ? ExitCode.DONE : ExitCode.DONE_WITH_COMPLAINTS;
    }

    private void create(final Configuration configuration)
    {
        final Path data = configuration.dataDirectory();
        if (Files.exists(data) && DataLock.isHeld(data))
        {
            final long position = ask(data, configuration.resultsDirectory());
            root.console().line("checkpoint " + position + " was taken by the pipeline that runs");
            return;
        }
        try (PipelineRun run = new PipelineRun(configuration, false))
        {
            run.untilRepeated();
            run.checkpoint();
            root.console().line(run.position() == 0 ? "there is nothing to take a checkpoint of yet" :
                "checkpoint " + run.position() + " was taken");
        }
    }

    /** Asks the pipeline that runs, and waits for it. */
    private static long ask(final Path data, final Path results)
    {
        final long request;
        try (ControlLog control = ControlLog.open(data, SystemEpochClock.INSTANCE))
        {
            request = control.requestBarrier();
        }
        final IdleStrategy pause = new SleepingMillisIdleStrategy(LOOK_INTERVAL_MS);
        final long deadlineMs = SystemEpochClock.INSTANCE.time() + PATIENCE_MS;
        while (SystemEpochClock.INSTANCE.time() < deadlineMs)
        {
            try (CountersFile counters = CountersFile.openReadOnly(results))
            {
                if (counters.value(CheckpointCounters.REQUESTS, 0, 0) > request)
                {
                    return counters.value(CheckpointCounters.POSITION, 0, 0);
                }
                if (counters.endedMs() != 0 || ProcessHandle.of(counters.pid()).isEmpty())
                {
                    break;
                }
            }
            pause.idle();
        }
        throw new FailedException(
            "the pipeline on " + data + " has not answered; see 'tidemark status', and ask again");
    }
}
