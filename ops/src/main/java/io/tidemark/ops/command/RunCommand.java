package io.tidemark.ops.command;

import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;

import io.tidemark.operator.Tally;
import io.tidemark.ops.config.Configuration;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Runs a pipeline.
 */
@Command(
    name = "run",
    description = {
        "Puts events into their order, joins them and writes the change log, until it is stopped.",
        "Ctrl-C or SIGTERM ends it after the event in hand, with a checkpoint. However it ended, a run goes on from " +
        "the newest checkpoint that is whole; what is in the change log already is compared, not written again."})
final class RunCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Option(names = "--until-caught-up", description = "Ends when all that the logs hold is processed.")
    private boolean isUntilCaughtUp;

    @Option(
        names = "--end-of-input",
        description = "Ends the input of every partition, so that everything becomes final, and ends when caught up.")
    private boolean isEndOfInput;

    @Override
    public Integer call()
    {
        final Configuration configuration = option.read();
        final Console console = root.console();
        if (configuration.workers() > 1)
        {
            console.note("'workers' is " + configuration.workers() + ", and more than one is not built yet: one does " +
                "the work of all, with the same results");
        }
        final AtomicBoolean isStopped = new AtomicBoolean();
        final StopSignal signal = new StopSignal(() -> isStopped.set(true));
        try
        {
            final RuleSwitch ruleSwitch = new RuleSwitch(configuration, console);
            if (ruleSwitch.isNeeded() && !ruleSwitch.build(isStopped::get))
            {
                return isStopped.get() ? ExitCode.DONE : ExitCode.DONE_WITH_COMPLAINTS;
            }
            run(configuration, isStopped);
        }
        finally
        {
            signal.workEnded();
        }
        return ExitCode.DONE;
    }

    private void run(final Configuration configuration, final AtomicBoolean isStopped)
    {
        final Console console = root.console();
        try (PipelineRun run = new PipelineRun(configuration, !isUntilCaughtUp && !isEndOfInput);
            SinkRun sink = new SinkRun(configuration, console))
        {
            RecoveryText.refused(run.recovery()).forEach(console::note);
            final RunProgress progress = new RunProgress(console, configuration);
            try
            {
                work(run, isStopped);
            }
            finally
            {
                progress.end();
            }
            run.checkpoint();
            report(run);
            // said last: what was processed is safe in the logs, whatever has become of the sink
            sink.catchUp();
        }
    }

    private void work(final PipelineRun run, final AtomicBoolean isStopped)
    {
        if (isEndOfInput)
        {
            run.endOfInput();
        }
        if (isUntilCaughtUp || isEndOfInput)
        {
            run.untilCaughtUp(isStopped::get);
        }
        else
        {
            run.until(isStopped::get);
        }
    }

    private void report(final PipelineRun run)
    {
        RecoveryText.of(run.recovery()).ifPresent(root.console()::line);
        final Tally tally = run.tally();
        root.console().line(String.format(Locale.ROOT,
            "Processed %,d events up to position %,d: %,d accepted, %,d duplicates, %,d late, %,d rejected, " +
            "%,d watermarks; %,d rows held.",
            tally.events(), run.position(), tally.accepted(), tally.duplicates(), tally.late(), tally.rejected(),
            tally.events() - tally.accepted() - tally.duplicates() - tally.late() - tally.rejected(), run.rows()));
    }
}
