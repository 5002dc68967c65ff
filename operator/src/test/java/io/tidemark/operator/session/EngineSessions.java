package io.tidemark.operator.session;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.UnsafeApi;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Tally;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.join.EngineOutput;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.Outcome;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.PageAudit;
import io.tidemark.store.PageCapture;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;

/**
 * The session engine to be fed like an oracle. All engines of a test run share two page stores and buffers, one after
 * the other, and each leaves the stores empty.
 */
final class EngineSessions implements JoinUnderTest
{
    private static final long MAX_PAGES = 1 << 20;
    private static final EventBatch BATCH = new EventBatch();
    private static final TestEvent ENCODED = new TestEvent();
    private static final PageStore[] STORES = new PageStore[2];

    private final Settings settings;
    private final int slots;
    private final EngineOutput output;
    private final long[] nextIndex;
    private final int auditEvery;
    private final boolean restoresAlways;
    private final PageAudit pages;
    private SessionEngine engine;
    private int storeInUse;
    private long position;

    EngineSessions(final Settings settings)
    {
        this(settings, Specs.SLOTS, Integer.MAX_VALUE, false);
    }

    private EngineSessions(
        final Settings settings, final int slots, final int auditEvery, final boolean restoresAlways)
    {
        this.settings = settings;
        this.slots = slots;
        this.auditEvery = auditEvery;
        this.restoresAlways = restoresAlways;
        output = new EngineOutput(settings);
        engine = newEngine();
        nextIndex = new long[settings.sources()];
        pages = auditEvery == Integer.MAX_VALUE ? null : new PageAudit(engine.slots(), store(1),
            settings.sources());
    }

    /** An engine whose whole state is looked at every few positions. */
    static EngineSessions audited(final Settings settings, final int every)
    {
        return new EngineSessions(settings, Specs.SLOTS, every, false);
    }

    /** An engine that is replaced after every position by one made from its snapshot. */
    static EngineSessions restoredAlways(final Settings settings)
    {
        return new EngineSessions(settings, 2, Integer.MAX_VALUE, true);
    }

    private SessionEngine newEngine()
    {
        return new SessionEngine(Specs.of(settings, slots), store(storeInUse), new ChangeSetEncoder(output.changes),
            new OutcomePublisher(output.late, output.rejects));
    }

    @Override
    public Effect next(final FeedEvent event)
    {
        feed(event);
        if (position % auditEvery == 0)
        {
            SessionAudit.of(engine, settings);
            pages.look();
        }
        if (restoresAlways)
        {
            restore();
        }
        return output.next();
    }

    SessionEngine engine()
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

    /** Goes on with another engine, which knows nothing but pages and registers. */
    private void restore()
    {
        final ExpandableArrayBuffer registers = new ExpandableArrayBuffer();
        final int length = engine.saveRegisters(registers, 0);
        storeInUse = 1 - storeInUse;
        final SessionEngine other = newEngine();
        final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
        final PageCapture capture = engine.slots().capture(true);
        while (capture.next(page))
        {
            other.slots().install(capture.slot(), capture.page(), page);
        }
        capture.close();
        UnsafeApi.freeMemory(page);
        other.slots().installed();
        other.restore(registers, 0, length);
        drop(engine);
        engine = other;
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
        final SessionCensus census = engine.census();
        return new Outcome.Census(census.open(), 0, census.records(), census.tombstones(), census.sessions(),
            census.keyClocks());
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
        drop(engine);
        if (store(0).pages() + store(1).pages() != 0)
        {
            throw new AssertionError(store(0).pages() + store(1).pages() + " pages left behind");
        }
    }

    private static void drop(final SessionEngine dropped)
    {
        final Slots ofDropped = dropped.slots();
        for (int slot = 0; slot < ofDropped.count(); slot++)
        {
            ofDropped.drop(slot);
        }
        dropped.close();
    }

    private static synchronized PageStore store(final int number)
    {
        STORES[number] = STORES[number] == null ? newStore() : STORES[number];
        return STORES[number];
    }

    private static PageStore newStore()
    {
        try
        {
            final var directory = Files.createTempDirectory("engine-sessions");
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
