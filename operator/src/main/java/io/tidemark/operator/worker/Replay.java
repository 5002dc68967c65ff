package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.ControlLog;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.ComparingAppender;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.store.PageCapture;
import io.tidemark.store.Slots;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SlotDigest;
import io.tidemark.store.snapshot.SlotDigests;
import io.tidemark.store.snapshot.SnapshotLoader;
import org.agrona.CloseHelper;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/**
 * Processes a stretch of the order once more, beside whatever runs, and compares every record with the logs and the
 * state with every checkpoint on the way. Writes nothing but its own state, which lives where the operator's factory
 * puts it. Stops at the first difference.
 */
public final class Replay implements AutoCloseable
{
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final Topology topology;
    private final CheckpointDirectory directory;
    private final OrderedEvents order;
    private final LogTailer control;
    private final List<ComparingAppender> results = new ArrayList<>();
    private final Operator operator;
    private final PublicationHandler publications;
    private final SlotDigests digests;
    private final long from;
    private final EventBatch batch = new EventBatch();
    private final EventView event = new EventView();
    private long position;
    private int checkpoints;

    /**
     * Opens the logs to read.
     *
     * @param context    data directory, spec, operator factory and publications; the factory must not put its state
     *                   into the data directory.
     * @param checkpoint where to begin, 0 for the start of the logs.
     */
    public Replay(final RuntimeContext context, final long checkpoint)
    {
        final RuntimeContext concluded = context.conclude();
        final Path data = concluded.dataDirectory();
        topology = concluded.spec().topology();
        final Path written = concluded.resultsDirectory();
        directory = new CheckpointDirectory(written);
        from = checkpoint;
        boolean complete = false;
        try
        {
            final Manifest manifest = checkpoint == 0 ? null : directory.manifest(checkpoint);
            final SourceLogs sources = opened(SourceLogs.openReadOnly(data, topology));
            final Log orderLog = opened(Log.openReadOnly(data.resolve(PipelineRuntime.ORDER)));
            if (manifest == null)
            {
                requireStart(data, orderLog);
            }
            final Path controlDirectory = data.resolve(ControlLog.NAME);
            control = Log.exists(controlDirectory) ? opened(Log.openReadOnly(controlDirectory)).tailer() : null;
            for (final String name :
                List.of(PipelineRuntime.CHANGES, PipelineRuntime.LATE, PipelineRuntime.REJECTS))
            {
                final LogMark mark = manifest == null ? new LogMark(name, -1, 0) : manifest.log(name);
                results.add(opened(new ComparingAppender(
                    opened(Log.openReadOnly(written.resolve(name))), mark.number(), mark.index())));
            }
            opened(concluded.operatorFactory());
            operator = opened(concluded.operatorFactory().create(
                new ChangeSetEncoder(results.get(RecoveredState.CHANGES)),
                new OutcomePublisher(results.get(RecoveredState.LATE), results.get(RecoveredState.REJECTS))));
            publications = concluded.publicationFactory().create(results.get(RecoveredState.CHANGES));
            order = opened(new OrderedEvents(sources, orderLog));
            digests = opened(begin(manifest));
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

    private void requireStart(final Path data, final Log orderLog)
    {
        final List<Long> positions = directory.positions();
        OrderHistory.requireStart(data, orderLog, "a replay from the start", positions.isEmpty() ?
            "it can begin with a checkpoint only, and there is none" :
            "begin with a checkpoint, of which the oldest is --from-checkpoint " + positions.get(positions.size() - 1));
    }

    private SlotDigests begin(final Manifest manifest)
    {
        if (manifest == null)
        {
            return new SlotDigests(operator.slots().count());
        }
        final SlotDigests loaded = new SnapshotLoader(directory).load(manifest, operator.slots());
        CheckpointMarks.restore(manifest.registers(), operator, publications);
        final OrderMark mark = CheckpointMarks.place(manifest, topology, operator.clocks());
        order.moveAfter(mark);
        position = mark.position();
        return loaded;
    }

    /**
     * Processes all that the order holds.
     *
     * @return what was the same.
     * @throws io.tidemark.operator.change.ReplayMismatchException when a record differs.
     * @throws StateMismatchException                              when the state differs from a checkpoint's.
     */
    public ReplayReport run()
    {
        final List<Long> ahead = new ArrayList<>(directory.positions());
        Collections.sort(ahead);
        for (final long checkpoint : ahead)
        {
            if (checkpoint > from)
            {
                runTo(checkpoint);
                if (position == checkpoint)
                {
                    compareWith(checkpoint);
                }
            }
        }
        runTo(Long.MAX_VALUE);
        results.forEach(log -> log.requireNoneUpTo(position));
        return new ReplayReport(from, position, results.stream().mapToLong(ComparingAppender::compared).sum(),
            results.stream().mapToLong(ComparingAppender::beyond).sum(), checkpoints);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(opened);
    }

    private void runTo(final long last)
    {
        boolean more = true;
        while (more && position < last)
        {
            batch.clear();
            boolean isEvent = true;
            more = false;
            while (batch.hasRoom() && position + batch.size() < last && (more = order.next()) &&
                (isEvent = order.isEvent()))
            {
                batch.add(order.position(), order.source(), order.index(), order.buffer(), order.offset(),
                    order.length());
            }
            more |= batch.size() > 0;
            processBatch();
            if (more && !isEvent)
            {
                processOther();
            }
        }
    }

    private void processBatch()
    {
        if (batch.size() > 0)
        {
            operator.prepare(batch);
        }
        for (int i = 0; i < batch.size(); i++)
        {
            operator.onEvent(batch.position(i), batch.source(i), batch.index(i),
                event.wrap(batch.buffer(), batch.offset(i)));
            position = batch.position(i);
        }
    }

    private void processOther()
    {
        if (order.isTick())
        {
            operator.onTick(order.position(), order.nowNs());
        }
        else
        {
            control.moveBefore(order.requests());
            publications.onPublication(order.position(), control, order.controlRecords());
        }
        position = order.position();
    }

    private void compareWith(final long checkpoint)
    {
        final Manifest recorded = directory.manifest(checkpoint);
        if (!recorded.registers().equals(CheckpointMarks.registers(operator, publications)))
        {
            throw new StateMismatchException("replay differs from checkpoint " + checkpoint + " in its registers " +
                "(clocks and counts).\nrecorded: " + recorded.registers() + "\nreplayed: " +
                CheckpointMarks.registers(operator, publications));
        }
        final Slots slots = operator.slots();
        try (PageCapture capture = slots.capture(false))
        {
            digests.update(capture);
        }
        final List<SlotDigest> replayed = digests.of(CheckpointMarks.pageCounts(slots));
        for (int i = 0; i < Math.max(replayed.size(), recorded.slots().size()); i++)
        {
            final String expected = i < recorded.slots().size() ? recorded.slots().get(i).toString() : "no slot";
            final String found = i < replayed.size() ? replayed.get(i).toString() : "no slot";
            if (!expected.equals(found))
            {
                throw new StateMismatchException("replay differs from checkpoint " + checkpoint +
                    " in its state.\nrecorded: " + expected + "\nreplayed: " + found);
            }
        }
        checkpoints++;
    }

    private <T extends AutoCloseable> T opened(final T resource)
    {
        opened.push(resource);
        return resource;
    }
}
