package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.candidate.Candidate;
import io.tidemark.sink.repair.PublicationProgress;
import io.tidemark.sink.repair.Repairs;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;

/**
 * Asks for publications and sees to it that they happen: by the pipeline that runs, or, when none does, by running it
 * until it has caught up.
 */
final class PublicationRun
{
    /** How often candidates are built again because others came first, before that is called a failure. */
    static final int MOST_ROUNDS = 10;

    private static final long PATIENCE_MS = 60_000;
    private static final long PAUSE_MS = 20;

    private final Configuration configuration;
    private final Repairs repairs;
    private final Console console;

    PublicationRun(final Configuration configuration, final Repairs repairs, final Console console)
    {
        this.configuration = configuration;
        this.repairs = repairs;
        this.console = console;
    }

    /** Returns when each of them was published or overtaken. */
    void publish(final List<Candidate> candidates)
    {
        long last = -1;
        for (final Candidate candidate : candidates)
        {
            last = repairs.request(candidate, SystemEpochClock.INSTANCE);
        }
        if (isRunning())
        {
            await(last);
        }
        else
        {
            console.note("the pipeline is not running: running it until it has caught up");
            try (PipelineRun run = new PipelineRun(configuration, false);
                SinkRun sink = new SinkRun(configuration, console))
            {
                run.untilCaughtUp(() -> false);
                sink.catchUp();
                CrashPoint.hit("repair.before-acknowledged");
            }
        }
    }

    private boolean isRunning()
    {
        try
        {
            DataLock.acquire(configuration.dataDirectory()).close();
            return false;
        }
        catch (final LogException held)
        {
            return true;
        }
    }

    private void await(final long request)
    {
        final Path data = configuration.dataDirectory();
        final IdleStrategy pause = new SleepingMillisIdleStrategy(PAUSE_MS);
        final long giveUpMs = SystemEpochClock.INSTANCE.time() + PATIENCE_MS;
        try (Log orderLog = Log.openReadOnly(data.resolve("order"));
            PublicationProgress progress = new PublicationProgress(
                orderLog, configuration.topology(), configuration.resultsDirectory()))
        {
            while (!progress.isProcessed(request))
            {
                if (SystemEpochClock.INSTANCE.time() > giveUpMs)
                {
                    throw new FailedException("the pipeline that runs has not come to the publication within " +
                        PATIENCE_MS / 1_000 + " s; it will, unless it hangs: see 'tidemark repair list' later");
                }
                pause.idle();
            }
        }
    }
}
