package io.tidemark.ingest.event;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemEpochNanoClock;

import java.nio.file.Path;

/**
 * The logs of all sources of a topology, under {@code sources/<stream>-<partition>} of the data directory. Either to
 * append to (one process at a time, for example an ingest run; it may read as well), or only to read, beside the
 * process that appends.
 */
public final class SourceLogs implements AutoCloseable
{
    private static final String DIRECTORY = "sources";

    private final Topology topology;
    private final Log[] logs;
    private final EventAppender[] appenders;
    private final ArrivalClock arrivals = new ArrivalClock();
    private final EpochNanoClock arrivalClock;

    private SourceLogs(final Topology topology, final EpochNanoClock arrivalClock)
    {
        this.topology = topology;
        this.logs = new Log[topology.sources()];
        this.appenders = new EventAppender[topology.sources()];
        this.arrivalClock = arrivalClock;
    }

    /**
     * Opens the logs to append to, and creates those that do not exist.
     *
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @return the logs.
     */
    public static SourceLogs open(final Path dataDirectory, final Topology topology)
    {
        return open(dataDirectory, topology, SystemEpochClock.INSTANCE, new SystemEpochNanoClock());
    }

    /**
     * Opens the logs to append to, and creates those that do not exist.
     *
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @param cycleClock    that picks the queue file of an append.
     * @param arrivalClock  that gives the arrival of events which bring none.
     * @return the logs.
     */
    public static SourceLogs open(
        final Path dataDirectory,
        final Topology topology,
        final EpochClock cycleClock,
        final EpochNanoClock arrivalClock)
    {
        final SourceLogs sources = new SourceLogs(topology, arrivalClock);
        try
        {
            for (int source = 0; source < sources.logs.length; source++)
            {
                sources.logs[source] = Log.open(directory(dataDirectory, topology, source), cycleClock);
            }
            return sources;
        }
        catch (final RuntimeException ex)
        {
            sources.close();
            throw ex;
        }
    }

    /**
     * Opens the logs to read, beside a process that may append to them. Those that do not exist are created, empty: so
     * a pipeline can run before its first producer does.
     *
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @return the logs.
     */
    public static SourceLogs openReadOnly(final Path dataDirectory, final Topology topology)
    {
        final SourceLogs sources = new SourceLogs(topology, null);
        try
        {
            for (int source = 0; source < sources.logs.length; source++)
            {
                sources.logs[source] = Log.openReadOnlyOrCreate(
                    directory(dataDirectory, topology, source), SystemEpochClock.INSTANCE);
            }
            return sources;
        }
        catch (final RuntimeException ex)
        {
            sources.close();
            throw ex;
        }
    }

    /**
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @param source        ordinal.
     * @return directory of that source's log.
     */
    public static Path directory(final Path dataDirectory, final Topology topology, final int source)
    {
        return dataDirectory.resolve(DIRECTORY).resolve(topology.sourceName(source));
    }

    /**
     * @return the topology that the logs belong to.
     */
    public Topology topology()
    {
        return topology;
    }

    /**
     * @param source ordinal.
     * @return that source's log.
     */
    public Log log(final int source)
    {
        return logs[source];
    }

    /**
     * @param source ordinal.
     * @return a new tailer of that source's log.
     */
    public LogTailer tailer(final int source)
    {
        return logs[source].tailer();
    }

    /**
     * @param source ordinal.
     * @return the one appender of that source. Different sources may be appended to by different threads; the arrivals
     * of all are strictly increasing together.
     */
    public EventAppender appender(final int source)
    {
        if (appenders[source] == null)
        {
            appenders[source] = new EventAppender(logs[source].appender(), arrivals, arrivalClock);
        }
        return appenders[source];
    }

    /**
     * Appends the end of input to every source: a watermark of plus infinity.
     */
    public void appendEndOfInput()
    {
        for (int source = 0; source < logs.length; source++)
        {
            appender(source).watermark(Long.MAX_VALUE).append();
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(logs);
    }
}
