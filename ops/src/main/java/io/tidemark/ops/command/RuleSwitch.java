package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.log.LogException;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.RuleTables;
import io.tidemark.sink.repair.Publications;
import io.tidemark.sink.verify.Check;
import io.tidemark.sink.verify.ReportedCounters;
import io.tidemark.sink.verify.Verification;

/**
 * Builds the table of a new rule version beside the one that serves, by the same operators from the same order, checks
 * it by brute force, and lets it serve. Until then, and when it is found wrong for ever, readers use the old one.
 */
final class RuleSwitch
{
    private final Configuration configuration;
    private final Console console;
    private final RuleTables tables;

    RuleSwitch(final Configuration configuration, final Console console)
    {
        this.configuration = configuration;
        this.console = console;
        tables = new RuleTables(configuration);
    }

    /** Whether the configuration's rule version does not serve. */
    boolean isNeeded()
    {
        return tables.isCandidate();
    }

    /**
     * Builds and switches. What an earlier attempt has built is gone on with, unless the table that serves has got new
     * generations meanwhile.
     *
     * @return whether the new version serves now; not when it was stopped, or is wrong, which is said.
     */
    boolean build(final BooleanSupplier isStopped)
    {
        final RuleTables.Table serving = tables.serving();
        requireNoneRuns(serving);
        new DataFormat(configuration).fixInputs();
        final int version = configuration.spec().rule().version();
        if (tables.own() == null)
        {
            requireStart(version, serving.rule());
        }
        final long newest = Publications.read(serving.directory(), Long.MAX_VALUE)
            .newestGeneration(serving.firstGeneration());
        tables.begin(Math.toIntExact(newest + 1));
        console.note("rule version " + version + " is new: building its table in " + configuration.resultsDirectory() +
            "; version " + serving.rule() + " serves meanwhile");
        final long position;
        try (PipelineRun run = new PipelineRun(configuration, false);
            SinkRun sink = new SinkRun(configuration, console))
        {
            run.untilCaughtUp(isStopped);
            position = run.position();
            if (!isStopped.getAsBoolean())
            {
                sink.catchUp();
            }
        }
        if (isStopped.getAsBoolean())
        {
            console.note("stopped at position " + position + "; the next run goes on with rule version " + version);
            return false;
        }
        CrashPoint.hit("rule.built");
        final List<Check> wrong = checks(position).stream().filter(check -> !check.holds()).toList();
        for (final Check check : wrong)
        {
            console.line("FAILS  " + check.what());
            check.differences().forEach(difference -> console.line("         " + difference));
        }
        if (!wrong.isEmpty())
        {
            console.line("The table of rule version " + version + " is not what it should be: it is kept in " +
                configuration.resultsDirectory() + ", and version " + serving.rule() + " goes on serving.");
            return false;
        }
        CrashPoint.hit("rule.checked");
        tables.serve(position);
        CrashPoint.hit("rule.served");
        console.line("Rule version " + version + " serves from now on, as generation " + (newest + 1) +
            "; version " + serving.rule() + " stays readable until it is pruned.");
        return true;
    }

    /** A table that is not begun yet needs the logs from their start. */
    private void requireStart(final int version, final int serving)
    {
        final Path data = configuration.dataDirectory();
        try (Log order = Log.openReadOnly(data.resolve(PipelineRuntime.ORDER)))
        {
            OrderHistory.requireStart(data, order, "the table of the new rule version " + version, "go on with " +
                "version " + serving + ", or name an empty data directory and ingest the feeds again");
        }
    }

    /** The order goes on being written by who owns the data: one process, before, while and after it is built. */
    private void requireNoneRuns(final RuleTables.Table serving)
    {
        try
        {
            DataLock.acquire(configuration.dataDirectory()).close();
        }
        catch (final LogException held)
        {
            throw new FailedException("rule version " + configuration.spec().rule().version() + " is built by the " +
                "process that owns the data: stop the pipeline of version " + serving.rule() +
                " first, then run this again; readers go on with version " + serving.rule() +
                ", and producers with appending, meanwhile (" + held.getMessage() + ")");
        }
    }

    private List<Check> checks(final long position)
    {
        try (CountersFile counters = CountersFile.openReadOnly(configuration.resultsDirectory()))
        {
            return new Verification(
                configuration.spec(), configuration.dataDirectory(), configuration.resultsDirectory(), position,
                new ReportedCounters(
                    value(counters, PipelineCounters.EVENTS), value(counters, PipelineCounters.ACCEPTED),
                    value(counters, PipelineCounters.DUPLICATES), value(counters, PipelineCounters.CONFLICTS),
                    value(counters, PipelineCounters.LATE), value(counters, PipelineCounters.REJECTED)))
                .run(console::note);
        }
    }

    private static long value(final CountersFile counters, final int typeId)
    {
        return counters.value(typeId, 0, 0);
    }
}
