package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.order.BarrierPolicy;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.Operator;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.PageCapture;
import io.tidemark.store.Slots;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SnapshotRequest;
import io.tidemark.store.snapshot.SnapshotWriter;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;

/**
 * Takes checkpoints: decides when a barrier is due, captures the state where one stands, and has it written by a thread
 * of its own while events go on. One checkpoint at a time. A checkpoint that can't be written stops the pipeline, which
 * loses nothing by it.
 */
final class CheckpointTaker implements BarrierHandler, BarrierPolicy, AutoCloseable
{
    /**
     * Positions ordered at once while a barrier is due and has to wait for the checkpoint before: as many as the worker
     * processes meanwhile, so that the next barrier is no farther ahead when it can be written.
     */
    private static final int WHILE_WAITING = Worker.MOST_EVENTS;

    private final CheckpointSettings settings;
    private final Topology topology;
    private final RecoveredState state;
    private final OrderedEvents order;
    private final SnapshotWriter writer;
    private final Runnable sync;
    private final LogPruner pruner;
    private final EpochClock epochClock;
    private final EpochNanoClock nanoClock;
    private final AgentRunner runner;

    private long barrierPosition;
    private long barrierNs;
    private boolean awaitsBarrier;
    private long mostNs;
    private long taken;
    private long pauseNs;
    private long largestTime;

    private volatile SnapshotRequest pending;
    private volatile RuntimeException failure;
    private volatile CheckpointStats stats = CheckpointStats.NONE;

    CheckpointTaker(
        final RuntimeContext context,
        final RecoveredState state,
        final OrderedEvents order,
        final SnapshotWriter writer,
        final Runnable sync,
        final LogPruner pruner)
    {
        this.settings = context.checkpoints();
        this.topology = context.spec().topology();
        this.state = state;
        this.order = order;
        this.writer = writer;
        this.sync = sync;
        this.pruner = pruner;
        this.epochClock = context.epochClock();
        this.nanoClock = context.nanoClock();
        barrierPosition = state.mark().position();
        barrierNs = nanoClock.nanoTime();
        if (state.manifest() != null)
        {
            final Manifest manifest = state.manifest();
            writer.continueFrom(manifest, state.digests());
            stats = new CheckpointStats(
                manifest.position(), manifest.takenMs(), manifest.requests(), 0, 0, 0, 0, 0);
        }
        runner = settings.inBackground() ? start() : null;
    }

    @Override
    public boolean isReady()
    {
        final RuntimeException failed = failure;
        if (failed != null)
        {
            throw failed;
        }
        return pending == null && !awaitsBarrier;
    }

    @Override
    public boolean isDue(final long lastPosition)
    {
        return isReady() && lastPosition > barrierPosition &&
            (lastPosition - barrierPosition >= settings.everyEvents() ||
            (settings.everyNs() != Long.MAX_VALUE && nanoClock.nanoTime() - barrierNs >= settings.everyNs()));
    }

    @Override
    public int mostPositions(final long lastPosition)
    {
        final long left = settings.everyEvents() - (lastPosition - barrierPosition);
        return left > 0 ? (int)Math.min(left, Integer.MAX_VALUE) : WHILE_WAITING;
    }

    @Override
    public void onBarrier(final long position)
    {
        barrierPosition = position;
        barrierNs = nanoClock.nanoTime();
        awaitsBarrier = true;
    }

    @Override
    public void onBarrier(final long position, final long requests)
    {
        if (position >= barrierPosition)
        {
            awaitsBarrier = false;
        }
        if (pending != null || failure != null)
        {
            return;
        }
        if (isWritten(position))
        {
            // An earlier run took it, or nothing has happened since: only the request is answered.
            final CheckpointStats last = stats;
            stats = new CheckpointStats(last.position(), last.takenMs(), Math.max(last.requests(), requests),
                last.bytes(), last.pauseNs(), last.mostNs(), last.writeNs(), last.taken());
        }
        else
        {
            take(position, requests);
        }
    }

    /** Takes a checkpoint where the worker stands, and returns when it counts. */
    void takeAndAwait(final long position, final long requests)
    {
        await();
        if (!isWritten(position))
        {
            take(position, requests);
            await();
        }
    }

    /** Waits until what is being written counts. */
    void await()
    {
        final IdleStrategy idle = new SleepingMillisIdleStrategy(1);
        while (pending != null && failure == null)
        {
            idle.idle();
        }
        isReady();
    }

    CheckpointStats stats()
    {
        return stats;
    }

    @Override
    public void close()
    {
        final IdleStrategy idle = new SleepingMillisIdleStrategy(1);
        while (pending != null && failure == null)
        {
            idle.idle();
        }
        if (runner != null)
        {
            runner.close();
        }
    }

    /** Whether a barrier was written and not reached yet. */
    boolean awaitsBarrier()
    {
        return awaitsBarrier;
    }

    /** Whether there is a checkpoint of a position, or no need of one. */
    boolean isWritten(final long position)
    {
        return position == 0 || position == stats.position();
    }

    private void take(final long position, final long requests)
    {
        CrashPoint.hit("checkpoint.before-capture");
        final long startNs = nanoClock.nanoTime();
        final Operator operator = state.operator();
        final Slots slots = operator.slots();
        final SnapshotRequest.PageCounts pages = CheckpointMarks.pageCounts(slots);
        final boolean all = writer.needsAll();
        final Manifest.Bytes registers = CheckpointMarks.registers(operator, state.publications());
        final PageCapture capture = slots.capture(all);
        final SnapshotRequest request = new SnapshotRequest(position, epochClock.time(), requests,
            settings.madeWith(), registers, CheckpointMarks.logs(topology, order, state.logs()), capture, all,
            pages);
        largestTime = largestTime(operator.clocks());
        pauseNs = nanoClock.nanoTime() - startNs;
        pending = request;
        CrashPoint.hit("checkpoint.after-capture");
        if (runner == null)
        {
            writePending();
        }
    }

    private void writePending()
    {
        final SnapshotRequest request = pending;
        try
        {
            final long startNs = nanoClock.nanoTime();
            writer.write(request, this::syncLogs);
            final long writeNs = nanoClock.nanoTime() - startNs;
            mostNs = Math.max(mostNs, pauseNs);
            stats = new CheckpointStats(request.position(), request.takenMs(), request.requests(),
                writer.writtenBytes(), pauseNs, mostNs, writeNs, ++taken);
            while (writer.fold())
            {
                // one chain at a time
            }
            pruner.prune(largestTime);
            pending = null;
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
            pending = null;
            if (runner == null)
            {
                throw ex;
            }
        }
    }

    private long largestTime(final Clocks clocks)
    {
        long largest = Times.MINUS_INFINITY;
        for (int source = 0; source < topology.sources(); source++)
        {
            largest = Math.max(largest, clocks.partitionClock(source));
        }
        return largest;
    }

    private void syncLogs()
    {
        if (settings.syncs())
        {
            sync.run();
            CrashPoint.hit("checkpoint.after-sync");
        }
    }

    private AgentRunner start()
    {
        final AgentRunner started = new AgentRunner(
            new SleepingMillisIdleStrategy(1), ex -> failure = new IllegalStateException(ex), null, new Agent()
            {
                @Override
                public int doWork()
                {
                    if (pending == null || failure != null)
                    {
                        return 0;
                    }
                    writePending();
                    return 1;
                }

                @Override
                public String roleName()
                {
                    return "checkpoints";
                }
            });
        AgentRunner.startOnThread(started);
        return started;
    }
}
