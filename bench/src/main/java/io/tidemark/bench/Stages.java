package io.tidemark.bench;

import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogAppender;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.ingest.order.Sequencer;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.Worker;
import io.tidemark.store.page.PageStore;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * The work that is measured, each stage on logs of its own under one data directory, in the calling thread and after a
 * prefix that is not measured: it fills the window and lets the compiler finish.
 */
final class Stages
{
    private static final String STATE = "state";
    private static final String FLOOR = "floor";
    private static final long MAX_PAGES = 4_000_000;
    private static final int FIRST_POSITION =
        MessageHeaderDecoder.ENCODED_LENGTH + RunsDecoder.firstPositionEncodingOffset();

    private final Workload workload;
    private final Path dataDirectory;
    private final int events;
    private final int prefix;
    private final Stopwatch stopwatch = new Stopwatch();

    /**
     * Creates the stages of a workload whose source logs are there.
     *
     * @param workload      that was written.
     * @param dataDirectory where it was written to.
     * @param events        that were written.
     * @param prefix        of them that is not measured.
     */
    Stages(final Workload workload, final Path dataDirectory, final int events, final int prefix)
    {
        this.workload = workload;
        this.dataDirectory = dataDirectory;
        this.events = events;
        this.prefix = prefix;
    }

    /** Merges the source logs into a new order log. */
    Measure sequence()
    {
        ScratchDirectory.delete(dataDirectory.resolve(PipelineRuntime.ORDER));
        try (SourceLogs sources = openSources(); Log orderLog = open(PipelineRuntime.ORDER))
        {
            final Sequencer sequencer =
                new Sequencer(sources, orderLog, Sequencer.NO_TICKS, () -> EventFeed.FIRST_ARRIVAL_NS);
            while (sequencer.lastPosition() < prefix)
            {
                sequencer.doWork();
            }
            final long from = sequencer.lastPosition();
            stopwatch.start();
            while (sequencer.doWork() > 0)
            {
                // until all is ordered
            }
            final Measure measure = stopwatch.stop(events - from);
            sequencer.onClose();
            return measure;
        }
    }

    /** Reads the source logs, one after the other, and appends records of the lengths of the order log's. */
    Measure sequenceFloor()
    {
        final RecordSizes sizes = orderSizes();
        final Measure measure;
        try (SourceLogs sources = openSources(); Log target = open(FLOOR))
        {
            final SequenceFloor floor = new SequenceFloor(sources, target.appender(), sizes);
            floor.run(prefix);
            stopwatch.start();
            floor.run(events);
            measure = stopwatch.stop(events - prefix);
            floor.close();
        }
        ScratchDirectory.delete(dataDirectory.resolve(FLOOR));
        return measure;
    }

    /** Records of an order log of events only, and the positions that they begin with. */
    private RecordSizes orderSizes()
    {
        final RecordSizes sizes = new RecordSizes();
        try (Log log = Log.openReadOnly(dataDirectory.resolve(PipelineRuntime.ORDER)); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                sizes.add(tailer.buffer().getLong(tailer.offset() + FIRST_POSITION), tailer.length());
            }
        }
        return sizes;
    }

    /** Does what a worker does, from empty state to a new change log, which {@link #takeOutputs} reads. */
    PipelineFigures join()
    {
        deleteOutputs();
        try (SourceLogs sources = openSources();
            Log orderLog = Log.openReadOnly(dataDirectory.resolve(PipelineRuntime.ORDER));
            Log changeLog = open(PipelineRuntime.CHANGES);
            Log lateLog = open(PipelineRuntime.LATE);
            Log rejectsLog = open(PipelineRuntime.REJECTS);
            ReplayingAppender changes = new ReplayingAppender(changeLog);
            ReplayingAppender late = new ReplayingAppender(lateLog);
            ReplayingAppender rejects = new ReplayingAppender(rejectsLog);
            PageStore store = PageStore.create(dataDirectory.resolve(STATE), MAX_PAGES);
            JoinEngine engine = new JoinEngine(
                workload.spec(), store, new ChangeSetEncoder(changes), new OutcomePublisher(late, rejects)))
        {
            final Worker worker = new Worker(
                new OrderedEvents(sources, orderLog), workload.topology().sources(), engine,
                new ReplayingAppender[]{changes, late, rejects}, 0);
            final Measure measure = runWorker(worker);
            worker.onClose();
            return PipelineFigures.of(measure, engine);
        }
    }

    private Measure runWorker(final Worker worker)
    {
        fill(worker);
        final long from = worker.position();
        stopwatch.start();
        while (worker.position() < events)
        {
            worker.doWork();
        }
        return stopwatch.stop(events - from);
    }

    /** By itself, so that a profile can tell what fills the window from what is measured. */
    private void fill(final Worker worker)
    {
        while (worker.position() < prefix)
        {
            worker.doWork();
        }
    }

    /** Looks at what the last {@link #join} wrote, and then removes it. */
    OutputSizes takeOutputs()
    {
        final OutputSizes outputs = OutputSizes.read(dataDirectory.resolve(PipelineRuntime.CHANGES), prefix + 1);
        deleteOutputs();
        return outputs;
    }

    /** Reads the logs of a worker and appends records of the same lengths in the same places, without any logic. */
    Measure joinFloor(final OutputSizes outputs)
    {
        final Measure measure;
        try (SourceLogs sources = openSources();
            Log orderLog = Log.openReadOnly(dataDirectory.resolve(PipelineRuntime.ORDER));
            Log target = open(FLOOR);
            OrderedEvents order = new OrderedEvents(sources, orderLog))
        {
            final JoinFloor floor = new JoinFloor(order, target.appender(), outputs.records());
            floor.run(prefix);
            stopwatch.start();
            floor.run(events);
            measure = stopwatch.stop(events - prefix);
        }
        ScratchDirectory.delete(dataDirectory.resolve(FLOOR));
        return measure;
    }

    /** The loop of the worker's floor, by itself so that a profile can tell it from the worker's. */
    private static final class JoinFloor
    {
        private final OrderedEvents order;
        private final LogAppender appender;
        private final RecordSizes outputs;
        private final UnsafeBuffer record;
        private int next;
        private long read;

        JoinFloor(final OrderedEvents order, final LogAppender appender, final RecordSizes outputs)
        {
            this.order = order;
            this.appender = appender;
            this.outputs = outputs;
            this.record = new UnsafeBuffer(ByteBuffer.allocateDirect(Math.max(64, outputs.longest())));
        }

        void run(final int upTo)
        {
            while (order.position() < upTo && order.next())
            {
                read += order.buffer().getLong(order.offset()) + order.length();
                while (outputs.position(next) == order.position())
                {
                    appender.append(record, 0, outputs.length(next));
                    next++;
                }
            }
            if (order.position() < upTo || read == 0)
            {
                throw new IllegalStateException("the order log ends at " + order.position() + ", not at " + upTo);
            }
        }
    }

    /** The floor of the sequencer: its loop by itself too. */
    private static final class SequenceFloor
    {
        private final LogTailer[] tailers;
        private final LogAppender appender;
        private final RecordSizes sizes;
        private final UnsafeBuffer record;
        private int source;
        private int position;
        private int next;
        private long read;

        SequenceFloor(final SourceLogs sources, final LogAppender appender, final RecordSizes sizes)
        {
            this.tailers = new LogTailer[sources.topology().sources()];
            for (int i = 0; i < tailers.length; i++)
            {
                tailers[i] = sources.tailer(i);
            }
            this.appender = appender;
            this.sizes = sizes;
            this.record = new UnsafeBuffer(ByteBuffer.allocateDirect(sizes.longest()));
        }

        void run(final int upTo)
        {
            while (position < upTo && source < tailers.length)
            {
                final LogTailer tailer = tailers[source];
                if (!tailer.poll())
                {
                    source++;
                    continue;
                }
                read += tailer.buffer().getLong(tailer.offset()) + tailer.length();
                position++;
                if (sizes.position(next) == position)
                {
                    appender.append(record, 0, sizes.length(next));
                    next++;
                }
            }
            if (position < upTo || read == 0)
            {
                throw new IllegalStateException("the source logs end after " + position + " events, not " + upTo);
            }
        }

        void close()
        {
            CloseHelper.closeAll(tailers);
        }
    }

    private void deleteOutputs()
    {
        ScratchDirectory.delete(dataDirectory.resolve(PipelineRuntime.CHANGES));
        ScratchDirectory.delete(dataDirectory.resolve(PipelineRuntime.LATE));
        ScratchDirectory.delete(dataDirectory.resolve(PipelineRuntime.REJECTS));
    }

    private SourceLogs openSources()
    {
        return SourceLogs.openReadOnly(dataDirectory, workload.topology());
    }

    private Log open(final String name)
    {
        return Log.open(dataDirectory.resolve(name), SourceWriter::epochMillis);
    }
}
