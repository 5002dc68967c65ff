package io.tidemark.bench.micro;

import io.tidemark.bench.EventFeed;
import io.tidemark.bench.EventRecord;
import io.tidemark.bench.Workload;
import io.tidemark.ingest.codec.EventDecoder;
import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordAppender;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.store.page.PageStore;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An event of the uniform workload through the engine, with change-sets that go nowhere. The events are made before:
 * more than the window holds, so that a lap later, with their times moved on, they are new again.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@State(Scope.Thread)
public class EngineBenchmark
{
    private static final int EVENTS = 1 << 19;
    private static final int BATCHES = EVENTS / EventBatch.CAPACITY;
    private static final long LAP_NS = EVENTS * Workload.STEP_NS;
    private static final int TIME = MessageHeaderDecoder.ENCODED_LENGTH + EventDecoder.timeEncodingOffset();
    private static final int ARRIVAL = MessageHeaderDecoder.ENCODED_LENGTH + EventDecoder.arrivalEncodingOffset();

    private final UnsafeBuffer events = new UnsafeBuffer(ByteBuffer.allocateDirect(EVENTS * EventRecord.MAX_LENGTH));
    private final int[] lengths = new int[EVENTS];
    private final byte[] sources = new byte[EVENTS];
    private final EventBatch batch = new EventBatch();
    private final EventView view = new EventView();
    private Path directory;
    private PageStore store;
    private JoinEngine engine;
    private long changeBytes;
    private long position;

    /**
     * Makes the events and fills the window with them.
     *
     * @throws IOException when there is no room for temporary files.
     */
    @Setup
    public void fillWindow() throws IOException
    {
        final Workload workload = Workload.all().get(0);
        if (workload.windowEvents() > EVENTS)
        {
            throw new IllegalStateException("an event would come again while its row is known");
        }
        final EventFeed feed = new EventFeed(workload, 1);
        for (int i = 0; i < EVENTS; i++)
        {
            lengths[i] = feed.next().encode(events, i * EventRecord.MAX_LENGTH);
            sources[i] = (byte)feed.source();
        }
        directory = Files.createTempDirectory("tidemark-bench-");
        store = PageStore.create(directory, 1 << 20);
        final RecordAppender counted = (record, offset, length) -> changeBytes += length;
        engine = new JoinEngine(
            workload.spec(), store, new ChangeSetEncoder(counted), new OutcomePublisher(counted, counted));
        for (int i = 0; i < BATCHES; i++)
        {
            onBatch();
        }
    }

    /** Removes the state. */
    @TearDown
    public void close()
    {
        if (engine.tally().accepted() != position)
        {
            throw new IllegalStateException("of " + position + " events only " + engine.tally().accepted() +
                " were accepted");
        }
        engine.close();
        store.close();
        IoUtil.delete(directory.toFile(), true);
    }

    /**
     * Processes a batch; figures are those of one event.
     *
     * @return bytes of all change-sets so far.
     */
    @Benchmark
    @OperationsPerInvocation(EventBatch.CAPACITY)
    public long onBatch()
    {
        final int first = (int)(position % EVENTS);
        batch.clear();
        for (int i = first; i < first + EventBatch.CAPACITY; i++)
        {
            final int offset = i * EventRecord.MAX_LENGTH;
            batch.add(position + 1 + i - first, sources[i], i, events, offset, lengths[i]);
            moveOn(offset + TIME);
            moveOn(offset + ARRIVAL);
        }
        engine.prepare(batch);
        for (int i = 0; i < EventBatch.CAPACITY; i++)
        {
            engine.onEvent(
                batch.position(i), batch.source(i), batch.index(i), view.wrap(batch.buffer(), batch.offset(i)));
        }
        position += EventBatch.CAPACITY;
        return changeBytes;
    }

    private void moveOn(final int offset)
    {
        events.putLong(offset, events.getLong(offset, ByteOrder.LITTLE_ENDIAN) + LAP_NS, ByteOrder.LITTLE_ENDIAN);
    }
}
