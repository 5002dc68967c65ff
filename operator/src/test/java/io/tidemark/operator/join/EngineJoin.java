package io.tidemark.operator.join;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Tally;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.Outcome;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.PageAudit;
import io.tidemark.store.page.PageStore;

/**
 * The engine as a join to be fed. All engines of a test run share one page store and buffers, one after the other, and
 * each leaves the store empty.
 */
final class EngineJoin implements JoinUnderTest
{
    private static final long MAX_PAGES = 1 << 20;
    private static final EventBatch BATCH = new EventBatch();
    private static final TestEvent ENCODED = new TestEvent();
    private static PageStore store;
    private static PageStore otherStore;

    private final Settings settings;
    private final EngineOutput output;
    private final JoinEngine engine;
    private final long[] nextIndex;
    private final int auditEvery;
    private final PageAudit pages;
    private long position;
    private long mostRows;

    EngineJoin(final Settings settings)
    {
        this(settings, Specs.SLOTS, Integer.MAX_VALUE);
    }

    /** An engine whose whole state is looked at every few positions. */
    EngineJoin(final Settings settings, final int slots, final int auditEvery)
    {
        this.settings = settings;
        this.auditEvery = auditEvery;
        output = new EngineOutput(settings);
        engine = new JoinEngine(
            Specs.of(settings, slots), store(), new ChangeSetEncoder(output.changes),
            new OutcomePublisher(output.late, output.rejects));
        nextIndex = new long[settings.sources()];
        pages = auditEvery == Integer.MAX_VALUE ? null : new PageAudit(engine.censusTaker().keys.slots(), otherStore(),
            settings.sources());
    }

    @Override
    public Effect next(final FeedEvent event)
    {
        feed(event);
        mostRows = Math.max(mostRows, engine.rows());
        if (position % auditEvery == 0)
        {
            StateAudit.of(engine);
            pages.look();
        }
        return output.next();
    }

    /** The most rows and tombstones that were held at one time. */
    long mostRows()
    {
        return mostRows;
    }

    /** The engine itself. */
    JoinEngine engine()
    {
        return engine;
    }

    private void feed(final FeedEvent event)
    {
        position++;
        if (event.kind() == Kind.TICK)
        {
            engine.onTick(position, event.time());
            return;
        }
        final int source = settings.source(event.stream(), event.partition());
        final long index = nextIndex[source]++;
        ENCODED.arrival(event.arrival()).time(event.time())
            .start(event.start()).end(event.end()).value(event.value())
            .revision(event.revision()).kind(event.kind().code()).key(event.key()).id(event.id());
        final int length = ENCODED.write();
        BATCH.clear();
        BATCH.add(position, source, index, ENCODED.buffer(), 0, length);
        engine.prepare(BATCH);
        engine.onEvent(position, source, index, ENCODED.view());
    }

    @Override
    public Outcome.Counters counters()
    {
        final Tally tally = engine.tally();
        return new Outcome.Counters(
            tally.events(), tally.accepted(), tally.duplicates(), tally.conflicts(), tally.late(), tally.rejected());
    }

    @Override
    public Outcome.Census census()
    {
        final Census census = engine.census();
        return new Outcome.Census(
            census.open(), census.ghosts(), census.records(), census.tombstones(), 0, census.keyClocks());
    }

    @Override
    public long partitionClock(final int source)
    {
        return engine.clocks().partitionClock(source);
    }

    @Override
    public long watermark(final int side)
    {
        return engine.clocks().watermark(side);
    }

    @Override
    public long acceptance(final int side)
    {
        return engine.clocks().acceptance(side);
    }

    @Override
    public void close()
    {
        if (pages != null)
        {
            pages.close();
        }
        engine.drop();
        if (store().pages() != 0)
        {
            throw new AssertionError(store().pages() + " pages left behind");
        }
    }

    private static synchronized PageStore store()
    {
        store = store == null ? newStore() : store;
        return store;
    }

    /** Where what was captured is installed. */
    private static synchronized PageStore otherStore()
    {
        otherStore = otherStore == null ? newStore() : otherStore;
        return otherStore;
    }

    private static PageStore newStore()
    {
        try
        {
            final var directory = Files.createTempDirectory("engine-join");
            final PageStore created = PageStore.create(directory, MAX_PAGES);
            Runtime.getRuntime().addShutdownHook(new Thread(() ->
            {
                created.close();
                directory.toFile().delete();
            }));
            return created;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
