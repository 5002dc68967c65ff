package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordList;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.page.PageStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How events fall into batches, and what is looked at ahead, leaves no trace in any log (SEMANTICS.md section 2). */
class BatchesTest
{
    @TempDir
    private Path directory;

    private record Logs(RecordList changes, RecordList late, RecordList rejects)
    {
        Logs()
        {
            this(new RecordList(), new RecordList(), new RecordList());
        }
    }

    @Test
    void shouldWriteTheSameBytesHoweverEventsFallIntoBatches()
    {
        for (long seed = 1; seed <= 4; seed++)
        {
            final LargeFeed large = new LargeFeed(seed * 31, 4_000);
            final Logs expected = run(large, batch -> 1, false);
            assertTrue(expected.changes.size() + expected.late.size() > 100, "seed " + seed);
            final Random random = new Random(seed);
            assertSame(expected, run(large, left -> EventBatch.CAPACITY, false));
            assertSame(expected, run(large, left -> 1 + random.nextInt(EventBatch.CAPACITY), false));
            assertSame(expected, run(large, left -> 1 + random.nextInt(9), true));
        }
    }

    private static void assertSame(final Logs expected, final Logs actual)
    {
        assertSame(expected.changes, actual.changes);
        assertSame(expected.late, actual.late);
        assertSame(expected.rejects, actual.rejects);
    }

    private static void assertSame(final RecordList expected, final RecordList actual)
    {
        assertEquals(expected.size(), actual.size());
        for (int i = 0; i < expected.size(); i++)
        {
            assertEquals(expected.get(i), actual.get(i));
        }
    }

    private interface Sizes
    {
        int next(int left);
    }

    private Logs run(final LargeFeed large, final Sizes sizes, final boolean preparesOthers)
    {
        final Settings settings = large.settings();
        final Logs logs = new Logs();
        final PageStore store = PageStore.create(directory, 1 << 20);
        final JoinEngine engine = new JoinEngine(Specs.of(settings), store, new ChangeSetEncoder(logs.changes),
            new OutcomePublisher(logs.late, logs.rejects));
        final long[] indices = new long[settings.sources()];
        final EventBatch batch = new EventBatch();
        final EventBatch others = new EventBatch();
        final List<FeedEvent> events = new ArrayList<>(large.feed().events());
        final EventView view = new EventView();
        for (int from = 0; from < events.size();)
        {
            final int to = Math.min(events.size(), from + sizes.next(events.size() - from));
            fill(batch, settings, events, from, to, indices);
            engine.prepare(batch);
            for (int i = 0; i < batch.size(); i++)
            {
                if (preparesOthers)
                {
                    fill(others, settings, events, i % 7 * events.size() / 8, i % 7 * events.size() / 8 + 20, null);
                    engine.prepare(others);
                }
                engine.onEvent(batch.position(i), batch.source(i), batch.index(i),
                    view.wrap(batch.buffer(), batch.offset(i)));
            }
            from = to;
        }
        engine.drop();
        assertEquals(0, store.pages());
        store.close();
        return logs;
    }

    private static void fill(
        final EventBatch batch,
        final Settings settings,
        final List<FeedEvent> events,
        final int from,
        final int to,
        final long[] indices)
    {
        batch.clear();
        for (int i = from; i < to; i++)
        {
            final FeedEvent event = events.get(i);
            final int source = settings.source(event.stream(), event.partition());
            final TestEvent encoded = new TestEvent().arrival(event.arrival()).time(event.time())
                .start(event.start()).end(event.end()).value(event.value()).revision(event.revision())
                .kind(event.kind().code()).key(event.kind() == Kind.WATERMARK ? "" : event.key())
                .id(event.kind() == Kind.WATERMARK ? "" : event.id());
            final int length = encoded.write();
            batch.add(i + 1, source, indices == null ? 0 : indices[source]++, encoded.buffer(), 0, length);
        }
    }
}
