package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.SinkSettings;
import io.tidemark.sink.SinkAgent;
import io.tidemark.sink.SinkProgress;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SystemEpochClock;

/**
 * The sink beside a run, on a thread of its own. A sink that cannot work does not end the run: it is said once, tried
 * again, and at the end waited for as long as it gets on, and {@value #PATIENCE_PROPERTY} seconds (15) longer.
 */
final class SinkRun implements AutoCloseable
{
    static final String PATIENCE_PROPERTY = "tidemark.sink.patience";

    private static final long PATIENCE_S = 15;
    private static final int CLOSE_TIMEOUT_MS = 5_000;

    private final Configuration configuration;
    private final Console console;
    private final SinkAgent agent;
    private final AgentRunner runner;

    SinkRun(final Configuration configuration, final Console console)
    {
        this.configuration = configuration;
        this.console = console;
        agent = new SinkAgent(
            Sinks.open(configuration), configuration.resultsDirectory(), SystemEpochClock.INSTANCE);
        runner = new AgentRunner(idleStrategy(), e -> console.note("the sink: " + e), null, agent);
        final Thread thread = AgentRunner.startOnThread(runner, task ->
        {
            final Thread started = new Thread(task, "sink");
            started.setDaemon(true);
            return started;
        });
        assert thread.isDaemon();
    }

    /** At rest a database is asked every millisecond or less; nothing is sent to it for that, only the log is read. */
    private static IdleStrategy idleStrategy()
    {
        return new BackoffIdleStrategy(1, 10, TimeUnit.MICROSECONDS.toNanos(50), TimeUnit.MILLISECONDS.toNanos(1));
    }

    /**
     * Waits until all that the logs hold is in the tables.
     *
     * @throws FailedException when that does not come about.
     */
    void catchUp()
    {
        final Path data = configuration.resultsDirectory();
        final long changes = lastNumber(data.resolve(PipelineRuntime.CHANGES));
        final long late = configuration.sink().type() == SinkSettings.Type.VIEW ?
            -1 : lastNumber(data.resolve(PipelineRuntime.LATE));
        final SinkProgress progress = agent.progress();
        final IdleStrategy idle = idleStrategy();
        long seen = Long.MIN_VALUE;
        long movedMs = SystemEpochClock.INSTANCE.time();
        final long patienceMs = TimeUnit.SECONDS.toMillis(Long.getLong(PATIENCE_PROPERTY, PATIENCE_S));
        boolean isTold = false;
        while (progress.changeNumber() < changes || progress.lateNumber() < late || !progress.hasWorked())
        {
            if (agent.failure() != null)
            {
                throw new FailedException("the sink (" + Sinks.describe(configuration) + ") has stopped: " +
                    agent.failure().getMessage() + "; what was processed is safe in the logs");
            }
            final long nowMs = SystemEpochClock.INSTANCE.time();
            final long now = progress.changeNumber() + progress.lateNumber();
            if (now != seen)
            {
                seen = now;
                movedMs = nowMs;
            }
            if (!isTold && !progress.trouble().isEmpty())
            {
                isTold = true;
                console.note("waiting for the sink: " + progress.trouble());
            }
            if (nowMs - movedMs > patienceMs)
            {
                throw new FailedException("the sink has not caught up: " + behind(progress, changes) +
                    "; what was processed is safe in the logs, and the next run brings the sink up to it");
            }
            idle.idle();
        }
        if (progress.changeNumber() > changes || progress.lateNumber() > late)
        {
            throw new FailedException("the sink (" + Sinks.describe(configuration) + ") is ahead of the logs: it has " +
                "record " + Math.max(progress.changeNumber(), progress.lateNumber()) + ", and the change log ends " +
                "with record " + changes + ", so it has lost what came after its last sync, or is not made again " +
                "yet; run until caught up, or else move the sink's tables away, which are then made again");
        }
    }

    private String behind(final SinkProgress progress, final long changes)
    {
        final String why = progress.trouble().isEmpty() ? Sinks.describe(configuration) + " does not answer" :
            progress.trouble();
        return why + "; it is " + (changes - progress.changeNumber()) + " change-sets behind";
    }

    private static long lastNumber(final Path directory)
    {
        if (!Log.exists(directory))
        {
            return -1;
        }
        try (Log log = Log.openReadOnly(directory))
        {
            return log.lastNumber();
        }
    }

    @Override
    public void close()
    {
        runner.close(CLOSE_TIMEOUT_MS, thread -> agent.abort());
    }
}
