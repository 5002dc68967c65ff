package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.DataLock;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.ingest.order.Sequencer;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.SnapshotWriter;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.CompositeAgent;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.status.CountersManager;

import java.io.IOException;
import java.nio.file.Files;
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

    /**
     * Positions by which the order may be ahead of what was processed before it is written on, so that barriers come
     * where they are due and not behind all that waits, and a stop has little to finish.
     */
    private static final long LEAD = 1 << 12;

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Path dataDirectory;
    private final Topology topology;
    private final EpochClock epochClock;
    private final EpochNanoClock nanoClock;
    private final IdleStrategy idleStrategy;
    private final CountersFile countersFile;
    private final CheckpointCounters checkpointCounters;
    private final ErrorsFile errors;
    private final Sequencer sequencer;
    private final Operator operator;
    private final Worker worker;
    private final CheckpointTaker checkpoints;
    private final Agent agents;
    /** When the first position was about to be repeated; what is done between opening and running is not counted. */
    private long replayStartNs;
    private boolean started;
    private RecoveryReport recovery;
    private CheckpointStats shownStats;
    private boolean failed;
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
            final long startNs = nanoClock.nanoTime();
            opened(DataLock.acquire(dataDirectory));
            final Path results = context.resultsDirectory();
            Files.createDirectories(results);
            errors = opened(ErrorsFile.create(results, epochClock));
            final RuntimeLogs logs = opened(new RuntimeLogs(dataDirectory, results, topology, epochClock));
            final long openedNs = nanoClock.nanoTime();

            final CheckpointDirectory directory = new CheckpointDirectory(results);
            final SnapshotWriter writer = new SnapshotWriter(directory, context.spec().slots(),
                context.checkpoints().keep(), context.checkpoints().syncs(), CrashPoint::hit);
            opened.push(writer);
            opened(context.operatorFactory());
            final Recovery search = new Recovery(context, logs, directory);
            final RecoveredState state = opened(search.recover());
            search.damaged().forEach(writer::isDamaged);
            operator = state.operator();
            final OrderedEvents order = opened(new OrderedEvents(logs.sources(), logs.order(), true));
            final LogPruner pruner = new LogPruner(
                dataDirectory, topology, logs, directory, context.otherResults(), context.repairHorizonNs());
            pruner.finish();
            checkpoints = opened(new CheckpointTaker(context, state, order, writer, logs::sync, pruner));
            final long loadedNs = nanoClock.nanoTime();

            sequencer = new Sequencer(logs.sources(), logs.order(), logs.control(), state.mark(), checkpoints,
                context.tickAfterNs(), nanoClock);
            opened.push(sequencer::onClose);
            worker = new Worker(order, logs.control().tailer(), state.mark(), operator, checkpoints,
                state.publications(), state.logs().toArray(ReplayingAppender[]::new), sequencer.lastPosition());
            opened.push(worker::onClose);
            final long orderedNs = nanoClock.nanoTime();
            recovery = new RecoveryReport(state.mark().position(), search.refused(), operator.stateBytes(),
                sequencer.lastPosition() - state.mark().position(), openedNs - startNs, loadedNs - openedNs,
                orderedNs - loadedNs, 0);

            countersFile = opened(CountersFile.create(results,
                PipelineCounters.capacity(topology.sources()) + CheckpointCounters.COUNT, epochClock.time()));
            final CountersManager manager = countersFile.manager();
            opened.push(this::sayThatCountersEnded);
            checkpointCounters = new CheckpointCounters(manager);
            final CountersAgent counters = new CountersAgent(
                countersFile,
                new PipelineCounters(manager, topology, operator.clocks()),
                worker, operator, sequencer, state.encoder(), epochClock);
            opened.push(counters::onClose);
            showCheckpoint();
            agents = new CompositeAgent(new SequencerLead(sequencer, worker, LEAD), worker, counters);
            complete = true;
        }
        catch (final IOException | InternalError ex)
        {
            throw unusable(ex);
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
     * Opens a pipeline. It stands at the newest checkpoint that is whole, or before position 1.
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

    /**
     * How the pipeline came to where it went on.
     *
     * @return what is known as yet: the time of the replay when that is over.
     */
    public RecoveryReport recovery()
    {
        return recovery;
    }

    /**
     * The newest checkpoint.
     *
     * @return in numbers.
     */
    public CheckpointStats checkpointStats()
    {
        return checkpoints.stats();
    }

    /**
     * Takes a checkpoint, and returns when it counts: for an orderly stop. What has its place in the order already is
     * finished, some thousand positions at most, and the barrier stands behind it. Only in the middle of a replay,
     * whose order is a fact for longer and may go on for millions of positions, the checkpoint stands where the worker
     * does, without a barrier: with one worker any place between two positions is as good.
     *
     * @return its position; 0 when there was nothing yet.
     * @throws IllegalStateException after a failure: the operator may stand in the middle of an event.
     */
    public long checkpoint()
    {
        if (failed)
        {
            throw new IllegalStateException("the pipeline has failed and takes no checkpoint; start it again");
        }
        try
        {
            takeCheckpoint();
        }
        catch (final Exception | Error ex)
        {
            failed = true;
            errors.record(ex);
            throw rethrown(ex);
        }
        return worker.position();
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            closed = true;
            closeOpened();
        }
    }

    private int doWork()
    {
        if (!started)
        {
            started = true;
            replayStartNs = nanoClock.nanoTime();
        }
        try
        {
            final int work = agents.doWork();
            if (recovery.replayNs() == 0 && !worker.isReplaying())
            {
                recovery = recovery.withReplay(Math.max(1, nanoClock.nanoTime() - replayStartNs));
                showCheckpoint();
            }
            if (!checkpoints.stats().equals(shownStats))
            {
                showCheckpoint();
            }
            return work;
        }
        catch (final Exception | Error ex)
        {
            failed = true;
            errors.record(ex);
            throw rethrown(ex);
        }
    }

    private void takeCheckpoint()
    {
        if (!worker.isReplaying())
        {
            while (worker.position() < sequencer.lastPosition())
            {
                worker.doWork();
            }
            checkpoints.await();
            if (!checkpoints.isWritten(worker.position()))
            {
                sequencer.writeBarrier();
                while (checkpoints.awaitsBarrier())
                {
                    worker.doWork();
                }
            }
        }
        checkpoints.takeAndAwait(worker.position(), worker.requests());
        showCheckpoint();
    }

    private void showCheckpoint()
    {
        shownStats = checkpoints.stats();
        checkpointCounters.publish(shownStats, recovery);
    }

    /**
     * With an {@code InternalError} the JVM tells, a little later and wherever it is by then, that a mapped file ends
     * before what is read of it.
     */
    private RecoveryException unusable(final Throwable cause)
    {
        return new RecoveryException(cause instanceof IOException ?
            "directory " + dataDirectory + " cannot be used (" + cause +
            "); check that this user may read and write all in it" :
            "a file under " + dataDirectory + " cannot be read any more (" + cause.getMessage() +
            "): it was cut short, or its disk is failing; restore the data directory from a backup", cause);
    }

    private RuntimeException rethrown(final Throwable failure)
    {
        if (failure instanceof InternalError)
        {
            return unusable(failure);
        }
        if (failure instanceof Error error)
        {
            throw error;
        }
        return failure instanceof RuntimeException runtime ? runtime : new IllegalStateException(failure);
    }

    /** When all who write them are closed. A pipeline that could not be opened has not ended. */
    private void sayThatCountersEnded()
    {
        if (closed)
        {
            countersFile.ended(epochClock.time());
        }
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
