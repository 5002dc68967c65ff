package io.tidemark.operator.session;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import org.agrona.DirectBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.page.PageStore;

/** How events fall into batches leaves no trace in what is written. */
class SessionBatchesTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(longs = {3, 7, 11, 507})
    void shouldWriteTheSameBytesWhateverTheBatches(final long seed)
    {
        final List<byte[]> oneByOne = run(RandomFeed.ofSessions(seed), 1, "one");
        assertEquals(hex(oneByOne), hex(run(RandomFeed.ofSessions(seed), 5, "five")));
        assertEquals(hex(oneByOne), hex(run(RandomFeed.ofSessions(seed), 200, "many")));
    }

    private List<byte[]> run(final RandomFeed random, final int most, final String name)
    {
        final List<byte[]> records = new ArrayList<>();
        final EventBatch batch = new EventBatch();
        final EventView view = new EventView();
        final long[] nextIndex = new long[random.settings().sources()];
        try (PageStore store = PageStore.create(directory.resolve(name), 1 << 16);
            SessionEngine engine = new SessionEngine(Specs.of(random.settings()), store,
                new ChangeSetEncoder((record, offset, length) -> records.add(bytes(record, offset, length))),
                new OutcomePublisher((record, offset, length) -> {}, (record, offset, length) -> {})))
        {
            final List<FeedEvent> events = random.feed().events().stream()
                .filter(event -> event.kind() != FeedEvent.Kind.TICK).toList();
            long position = 0;
            for (final FeedEvent event : events)
            {
                final int source = random.settings().source(event.stream(), event.partition());
                final TestEvent encoded = new TestEvent().arrival(event.arrival()).time(event.time())
                    .start(event.start()).end(event.end()).value(event.value()).revision(event.revision())
                    .kind(event.kind().code()).key(event.key()).id(event.id());
                final int length = encoded.write();
                batch.add(++position, source, nextIndex[source]++, encoded.buffer(), 0, length);
                if (batch.size() == most || !batch.hasRoom() || position == events.size())
                {
                    engine.prepare(batch);
                    for (int i = 0; i < batch.size(); i++)
                    {
                        engine.onEvent(batch.position(i), batch.source(i), batch.index(i),
                            view.wrap(batch.buffer(), batch.offset(i)));
                    }
                    batch.clear();
                }
            }
        }
        return records;
    }

    private static byte[] bytes(final DirectBuffer record, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        record.getBytes(offset, bytes);
        return bytes;
    }

    private static String hex(final List<byte[]> records)
    {
        final StringBuilder text = new StringBuilder();
        records.forEach(record -> text.append(HexFormat.of().formatHex(record)).append('\n'));
        return text.toString();
    }
}
