package io.tidemark.sink;

import java.nio.file.Path;

import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochClock;

/**
 * Drives a sink on a thread of its own, so that no database can hold the pipeline up, and shows to the outside how far
 * it is. When the log does not fit the table the sink stays as it is, says so, and does nothing more: the pipeline's
 * own logs are not at fault.
 */
public final class SinkAgent implements Agent
{
    private static final long SHOW_INTERVAL_MS = 20;

    private final TableSink sink;
    private final EpochClock clock;
    private final SinkMarkFile mark;
    private long shownMs;
    private volatile RuntimeException failure;

    /**
     * Makes the mark file.
     *
     * @param sink          closed with the agent.
     * @param dataDirectory of the pipeline.
     * @param clock         milliseconds since the epoch.
     */
    public SinkAgent(final TableSink sink, final Path dataDirectory, final EpochClock clock)
    {
        this.sink = sink;
        this.clock = clock;
        mark = SinkMarkFile.create(dataDirectory);
    }

    @Override
    public int doWork()
    {
        if (failure != null)
        {
            return 0;
        }
        final long nowMs = clock.time();
        int work = 0;
        try
        {
            work = sink.work(nowMs);
        }
        catch (final RuntimeException e)
        {
            sink.progress().failed(String.valueOf(e.getMessage()));
            failure = e;
        }
        if (nowMs - shownMs >= SHOW_INTERVAL_MS || failure != null)
        {
            shownMs = nowMs;
            show();
        }
        return work;
    }

    /**
     * How far the sink is; for any thread.
     *
     * @return updated as it works.
     */
    public SinkProgress progress()
    {
        return sink.progress();
    }

    /**
     * Why the sink has given up; for any thread.
     *
     * @return null while it has not.
     */
    public RuntimeException failure()
    {
        return failure;
    }

    /** Ends a call to a database that hangs; from any thread. */
    public void abort()
    {
        sink.abort();
    }

    @Override
    public void onClose()
    {
        try
        {
            final SinkMarkFile.State last =
                failure == null ? SinkMarkFile.State.ENDED : SinkMarkFile.State.FAILED;
            mark.show(sink.progress(), last, clock.time());
        }
        finally
        {
            CloseHelper.closeAll(sink, mark);
        }
    }

    @Override
    public String roleName()
    {
        return "sink";
    }

    private void show()
    {
        final SinkMarkFile.State state;
        if (failure != null)
        {
            state = SinkMarkFile.State.FAILED;
        }
        else
        {
            state = sink.progress().isConnected() ? SinkMarkFile.State.WORKING : SinkMarkFile.State.CONNECTING;
        }
        mark.show(sink.progress(), state, clock.time());
    }
}
