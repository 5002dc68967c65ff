package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.ingest.order.Sequencer;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.ReplayingAppender;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.function.BooleanSupplier;

/**
 * A pipeline in one thread, without its command line: opens logs and counters under a lock on the data directory, and
 * runs sequencer and worker one after the other. The first failure stops it, is remembered in {@code errors.dat} and
 * thrown.
 * <p>
 * Only {@link #runUntil}'s condition may be set by another thread; everything else is called by one at a time.
 */
public final class PipelineRuntime implements AutoCloseable
{
    /** The order log in the data directory. */
    public static final String ORDER = "order";

    /** The change log in the data directory. */
    public static final String CHANGES = "changes";

    /** The repair queue in the data directory. */
    public static final String LATE = "late";

    /** The log of events rejected in their place, in the data directory. */
    public static final String REJECTS = "rejects";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Path dataDirectory;
    private final Topology topology;
    private final EpochClock epochClock;
    private final EpochNanoClock nanoClock;
    private final IdleStrategy idleStrategy;
    private final CountersFile countersFile;
    private final ErrorsFile errors;
    private final Sequencer sequencer;
    private final Operator operator;
    private final Worker worker;
    private final Agent agents;
    private boolean closed;

    private PipelineRuntime(final RuntimeContext context)
    {
        dataDirectory = context.dataDirectory();
        topology = context.spec().topology();
        epochClock = context.epochClock();
        nanoClock = context.nanoClock();
        idleStrategy = context.idleStrategy();
        boolean complete = false;
        try
        {
            opened(DataLock.acquire(dataDirectory));
            errors = opened(ErrorsFile.create(dataDirectory, epochClock));
            final SourceLogs sources = opened(SourceLogs.openReadOnly(dataDirectory, topology));
            final Log orderLog = open(ORDER);
            final ReplayingAppender changes = appender(CHANGES);
            final ReplayingAppender late = appender(LATE);
            final ReplayingAppender rejects = appender(REJECTS);
            final ChangeSetEncoder encoder = new ChangeSetEncoder(changes);

            sequencer = new Sequencer(sources, orderLog, context.tickAfterNs(), nanoClock);
            opened.push(sequencer::onClose);
            operator = opened(opened(context.operatorFactory()).create(encoder, new OutcomePublisher(late, rejects)));
            worker = new Worker(new OrderedEvents(sources, orderLog), topology.sources(), operator,
                new ReplayingAppender[]{changes, late, rejects}, sequencer.lastPosition());
            opened.push(worker::onClose);

            countersFile = opened(CountersFile.create(
                dataDirectory, PipelineCounters.capacity(topology.sources()), epochClock.time()));
            final CountersAgent counters = new CountersAgent(
                countersFile,
                new PipelineCounters(countersFile.manager(), topology, operator.clocks()),
                worker, operator, sequencer, encoder, epochClock);
            opened.push(counters::onClose);
            agents = new CompositeAgent(sequencer, worker, counters);
            complete = true;
        }
        finally
        {
            if (!complete)
            {
                closeOpened();
            }
        }
    }

    /**
     * Opens a pipeline. It stands before position 1 with empty state.
     *
     * @param context not used before.
     * @return the pipeline, not running yet.
     */
    public static PipelineRuntime open(final RuntimeContext context)
    {
        return new PipelineRuntime(context.conclude());
    }

    /** Runs until all that the source logs hold is ordered and processed. */
    public void runUntilCaughtUp()
    {
        while (doWork() > 0 || worker.position() < sequencer.lastPosition())
        {
            // the idle strategy is for those who wait
        }
    }

    /**
     * Runs until it is told to stop; what is being processed is finished.
     *
     * @param isStopped may be set by another thread, or a signal.
     */
    public void runUntil(final BooleanSupplier isStopped)
    {
        while (!isStopped.getAsBoolean())
        {
            idleStrategy.idle(doWork());
        }
    }

    /**
     * Appends the end of input to every partition, so that everything becomes final when it is processed. No other
     * process may be appending.
     */
    public void endOfInput()
    {
        try (SourceLogs sources = SourceLogs.open(dataDirectory, topology, epochClock, nanoClock))
        {
            sources.appendEndOfInput();
        }
    }

    /**
     * The last position that was processed.
     *
     * @return 0 before the first.
     */
    public long position()
    {
        return worker.position();
    }

    /**
     * The operator, to look at between runs.
     *
     * @return as its factory made it.
     */
    public Operator operator()
    {
        return operator;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            countersFile.ended(epochClock.time());
            closeOpened();
        }
    }

    private int doWork()
    {
        try
        {
            return agents.doWork();
        }
        catch (final Exception | Error ex)
        {
            errors.record(ex);
            throw rethrown(ex);
        }
    }

    private static RuntimeException rethrown(final Throwable failure)
    {
        if (failure instanceof Error error)
        {
            throw error;
        }
        return failure instanceof RuntimeException runtime ? runtime : new IllegalStateException(failure);
    }

    private Log open(final String name)
    {
        return opened(Log.open(dataDirectory.resolve(name), epochClock));
    }

    private ReplayingAppender appender(final String name)
    {
        return opened(new ReplayingAppender(open(name)));
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.push(resource);
        return resource;
    }

    /** Last opened, first closed: who uses something goes before it. */
    private void closeOpened()
    {
        CloseHelper.closeAll(opened);
    }
}
