package io.tidemark.ops.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.verify.Check;
import io.tidemark.sink.verify.ReportedCounters;
import io.tidemark.sink.verify.SinkVerification;
import io.tidemark.sink.verify.Verification;
import io.tidemark.store.snapshot.CheckpointDirectory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.ParentCommand;

/**
 * Recomputes the answer by brute force.
 */
@Command(
    name = "verify",
    description = {
        "Recomputes the answer from the raw logs by brute force, with none of the engine's code.",
        "Compares it with the current table, the late and rejected events and the counters.",
        "Exit code 3 when a check does not hold; then the first differences are shown.",
        "Once the oldest logs were pruned the answer can't be recomputed: then only the sink's tables are compared, " +
        "with the change log (exit code 1). 'replay --from-checkpoint N --verify' recomputes from a checkpoint on."})
final class VerifyCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Override
    public Integer call()
    {
        final Configuration configuration = option.read();
        new DataFormat(configuration).check();
        if (!PipelineRun.hasEarlier(configuration))
        {
            throw new FailedException("nothing has been computed yet; run the pipeline first: " + runIt());
        }
        // Nothing may run meanwhile: counters, tables and logs must be of one position.
        final DataLock lock = DataLock.acquire(configuration.dataDirectory());
        try (CountersFile counters = CountersFile.openReadOnly(configuration.resultsDirectory()))
        {
            if (counters.endedMs() == 0)
            {
                throw new FailedException("the last run did not end in order: its counters may be behind its logs; " +
                    "run it again first: " + runIt());
            }
            if (OrderHistory.firstDay(configuration.dataDirectory()) != OrderHistory.WHOLE)
            {
                return withoutStart(configuration);
            }
            return report(verify(configuration, counters), true);
        }
        finally
        {
            lock.close();
        }
    }

    private List<Check> verify(final Configuration configuration, final CountersFile counters)
    {
        final long position = value(counters, PipelineCounters.POSITION);
        final long ordered = value(counters, PipelineCounters.ORDERED_POSITION);
        if (position < ordered)
        {
            root.console().note("the pipeline was stopped at position " + position + " of " + ordered +
                "; verifying up to there");
        }
        final ReportedCounters reported = new ReportedCounters(
            value(counters, PipelineCounters.EVENTS), value(counters, PipelineCounters.ACCEPTED),
            value(counters, PipelineCounters.DUPLICATES), value(counters, PipelineCounters.CONFLICTS),
            value(counters, PipelineCounters.LATE), value(counters, PipelineCounters.REJECTED));
        final List<Check> checks = new ArrayList<>(
            new Verification(configuration.spec(), configuration.dataDirectory(), configuration.resultsDirectory(),
                position, reported)
            .run(what -> root.console().note(what)));
        checks.addAll(verifySink(configuration));
        return checks;
    }

    private List<Check> verifySink(final Configuration configuration)
    {
        if (!Sinks.exists(configuration))
        {
            throw new FailedException("there is no " + Sinks.describe(configuration) +
                "; run the pipeline with this sink first: " + runIt());
        }
        root.console().note("comparing the tables of the sink with the change log");
        try (TableSource source = Sinks.read(configuration))
        {
            return new SinkVerification(configuration.resultsDirectory(), configuration.topology(), source).run();
        }
    }

    /** What does not need the raw logs is compared; that the rest was not must not look like success. */
    private int withoutStart(final Configuration configuration)
    {
        final int exitCode = report(verifySink(configuration), false);
        if (exitCode != ExitCode.DONE)
        {
            return exitCode;
        }
        final List<Long> checkpoints = new CheckpointDirectory(configuration.resultsDirectory()).positions();
        try (Log order = Log.openReadOnly(configuration.dataDirectory().resolve(PipelineRuntime.ORDER)))
        {
            OrderHistory.requireStart(configuration.dataDirectory(), order, "recomputing the results",
                checkpoints.isEmpty() ? "only the sink's tables were compared, with the change log" :
                "only the sink's tables were compared, with the change log. 'tidemark replay -c " + option.file() +
                " --from-checkpoint " + checkpoints.get(checkpoints.size() - 1) +
                " --verify' recomputes what came after that checkpoint");
        }
        throw new IllegalStateException("the logs are whole");
    }

    private int report(final List<Check> checks, final boolean isRecomputed)
    {
        final Console console = root.console();
        boolean allHold = true;
        for (final Check check : checks)
        {
            allHold &= check.holds();
            console.line(String.format(Locale.ROOT, "%-6s %-16s %s", check.holds() ? "holds" : "FAILS", check.what(),
                check.holds() ? check.summary() :
                check.different() + (check.different() == 1 ? " difference" : " differences") + "; expected " +
                check.summary()));
            check.differences().forEach(difference -> console.line("         " + difference));
        }
        if (isRecomputed)
        {
            console.line("The results " + (allHold ? "equal" : "differ from") + " the recomputed ones.");
        }
        return allHold ? ExitCode.DONE : ExitCode.DONE_WITH_COMPLAINTS;
    }

    private String runIt()
    {
        return "tidemark run -c " + option.file() + " --until-caught-up";
    }

    private static long value(final CountersFile counters, final int typeId)
    {
        return counters.value(typeId, 0, 0);
    }
}
