package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.ControlLog;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/** All logs of a pipeline: those it reads, and those it appends to. */
final class RuntimeLogs implements AutoCloseable
{
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final SourceLogs sources;
    private final Log control;
    private final Log order;
    private final Log changes;
    private final Log late;
    private final Log rejects;

    RuntimeLogs(
        final Path dataDirectory, final Path resultsDirectory, final Topology topology, final EpochClock clock)
    {
        boolean complete = false;
        try
        {
            sources = opened(SourceLogs.openReadOnly(dataDirectory, topology));
            control = opened(ControlLog.openReadOnly(dataDirectory, clock));
            order = opened(Log.open(dataDirectory.resolve(PipelineRuntime.ORDER), clock));
            changes = opened(Log.open(resultsDirectory.resolve(PipelineRuntime.CHANGES), clock));
            late = opened(Log.open(resultsDirectory.resolve(PipelineRuntime.LATE), clock));
            rejects = opened(Log.open(resultsDirectory.resolve(PipelineRuntime.REJECTS), clock));
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                close();
            }
        }
    }

    SourceLogs sources()
    {
        return sources;
    }

    Log control()
    {
        return control;
    }

    Log order()
    {
        return order;
    }

    Log changes()
    {
        return changes;
    }

    Log late()
    {
        return late;
    }

    Log rejects()
    {
        return rejects;
    }

    /** Brings everything that was appended, by whomever, to the disk. */
    void sync()
    {
        for (int source = 0; source < sources.topology().sources(); source++)
        {
            sources.log(source).sync();
        }
        control.sync();
        order.sync();
        changes.sync();
        late.sync();
        rejects.sync();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(opened);
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.push(resource);
        return resource;
    }
}
