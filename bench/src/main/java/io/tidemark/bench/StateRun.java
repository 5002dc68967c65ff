package io.tidemark.bench;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordAppender;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.store.page.PageStore;
import org.agrona.concurrent.UnsafeBuffer;

import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.nio.ByteBuffer;
import java.util.List;

/** Fills a join's state with payments that all stay in the window, and looks at how much room they take. */
final class StateRun
{
    private static final int SLOTS = 256;
    private static final long MAX_PAGES = 4_000_000;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final RecordAppender NOWHERE = (record, offset, length) -> {};

    private StateRun()
    {
    }

    /**
     * Fills a state.
     *
     * @param rows      to insert.
     * @param keys      among which the rows are dealt out in turn.
     * @param unmatched with {@link Unmatched#FINAL} every row waits in a calendar too.
     * @param settings  of the run.
     * @return what it takes.
     */
    static StateFigures run(final int rows, final int keys, final Unmatched unmatched, final BenchSettings settings)
    {
        settings.progress("state: " + rows + " rows of " + keys + " keys, unmatched " + unmatched);
        final Topology topology =
            Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
        final JoinRule rule = new JoinRule(1, false, 1_000, 1_000, 0, 0, unmatched, true, false, HOUR_NS, false, 0);
        final PipelineSpec spec = new PipelineSpec(topology, 0, rule, WatermarkSpec.DEFAULT, SLOTS, rows);
        final Stopwatch stopwatch = new Stopwatch();
        final long heapBefore = heapAfterCollection();
        try (ScratchDirectory scratch = new ScratchDirectory(settings.directory());
            PageStore store = PageStore.create(scratch.path(), MAX_PAGES);
            JoinEngine engine =
                new JoinEngine(spec, store, new ChangeSetEncoder(NOWHERE), new OutcomePublisher(NOWHERE, NOWHERE)))
        {
            stopwatch.start();
            fill(engine, rows, keys);
            final Measure measure = stopwatch.stop(rows);
            return new StateFigures(unmatched, measure, engine.keyCount(), engine.rows(), engine.stateBytes(),
                heapBefore, heapAfterCollection());
        }
    }

    private static void fill(final JoinEngine engine, final int rows, final int keys)
    {
        final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(EventRecord.MAX_LENGTH));
        final EventRecord event = new EventRecord();
        final EventView view = new EventView();
        final EventBatch batch = new EventBatch();
        int done = 0;
        while (done < rows)
        {
            batch.clear();
            while (batch.hasRoom() && done + batch.size() < rows)
            {
                final int next = done + batch.size();
                final long nowNs = EventFeed.FIRST_ARRIVAL_NS + next * Workload.STEP_NS;
                final int length = event.key(next % keys).id('p', next).at(nowNs, nowNs, next).encode(memory, 0);
                batch.add(1 + next, 0, next, memory, 0, length);
            }
            engine.prepare(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                engine.onEvent(batch.position(i), 0, batch.index(i), view.wrap(batch.buffer(), batch.offset(i)));
            }
            done += batch.size();
        }
    }

    private static long heapAfterCollection()
    {
        final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        memory.gc();
        memory.gc();
        return memory.getHeapMemoryUsage().getUsed();
    }
}
