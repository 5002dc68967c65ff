package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.fail;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

import org.agrona.CloseHelper;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.UnsafeApi;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordList;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.PageCapture;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import io.tidemark.store.snapshot.SlotDigest;
import io.tidemark.store.snapshot.SlotDigests;
import io.tidemark.store.snapshot.SnapshotRequest.PageCounts;

/**
 * A history processed straight through, with a checkpoint after every event, and with a crash and restore after every
 * event gives the same bytes and digests. {@code -Dtidemark.seeds=N} sets how many histories.
 */
class RestoreTest
{
    private static final long SEEDS = Math.max(20, Long.getLong("tidemark.seeds", 20_000) / 100);

    @TempDir
    Path directory;

    private PageStore[] stores;

    @BeforeEach
    void open()
    {
        stores = new PageStore[3];
        for (int i = 0; i < stores.length; i++)
        {
            stores[i] = PageStore.create(directory.resolve("s" + i), 1 << 16);
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(stores);
    }

    @Test
    void shouldNotMatterWhetherAStateWasRestoredOrLivedThrough()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final RandomFeed random = RandomFeed.of(seed);
            final History straight = new History(random.settings(), stores[0]);
            final History checkpointed = new History(random.settings(), stores[1]);
            final History restored = new History(random.settings(), stores[2]);
            int at = 0;
            for (final FeedEvent event : random.feed().events())
            {
                straight.next(event);
                checkpointed.next(event);
                checkpointed.checkpoint();
                restored.next(event);
                restored.restore();
                if (++at % 16 == 0)
                {
                    assertSame("seed " + seed + " position " + at, straight, checkpointed, restored);
                }
            }
            assertSame("seed " + seed, straight, checkpointed, restored);
            straight.close();
            checkpointed.close();
            restored.close();
        }
    }

    private static void assertSame(
        final String name, final History straight, final History checkpointed, final History restored)
    {
        final List<String> expected = straight.state();
        assertEquals(expected, checkpointed.state(), name + " with checkpoints");
        assertEquals(expected, restored.state(), name + " restored");
        assertEquals(expected.subList(1, expected.size()), checkpointed.incrementalState(), name + " incrementally");
        if (!straight.isSameOutput(checkpointed) || !straight.isSameOutput(restored))
        {
            fail(name + ": other records were written");
        }
    }

    /** An engine that goes through a feed, and everything that it wrote. */
    private static final class History
    {
        private final Settings settings;
        private final PageStore store;
        private final RecordList[] outputs = {new RecordList(), new RecordList(), new RecordList()};
        private final TestEvent encoded = new TestEvent();
        private final long[] nextIndex;
        private final SlotDigests digests = new SlotDigests(Specs.SLOTS);
        private JoinEngine engine;
        private long position;

        History(final Settings settings, final PageStore store)
        {
            this.settings = settings;
            this.store = store;
            nextIndex = new long[settings.sources()];
            engine = engine();
        }

        private JoinEngine engine()
        {
            return new JoinEngine(Specs.of(settings, Specs.SLOTS), store,
                new ChangeSetEncoder(outputs[0]), new OutcomePublisher(outputs[1], outputs[2]));
        }

        void next(final FeedEvent event)
        {
            position++;
            if (event.kind() == Kind.TICK)
            {
                engine.onTick(position, event.time());
                return;
            }
            final int source = settings.source(event.stream(), event.partition());
            encoded.arrival(event.arrival()).time(event.time())
                .start(event.start()).end(event.end()).value(event.value())
                .revision(event.revision()).kind(event.kind().code()).key(event.key()).id(event.id());
            encoded.write();
            engine.onEvent(position, source, nextIndex[source]++, encoded.view());
        }

        void checkpoint()
        {
            try (PageCapture capture = engine.slots().capture(false))
            {
                digests.update(capture);
            }
        }

        /** Throws the engine away and makes another one from what a checkpoint holds. */
        void restore()
        {
            final ExpandableArrayBuffer registers = new ExpandableArrayBuffer();
            final int length = engine.saveRegisters(registers, 4);
            final JoinEngine before = engine;
            engine = engine();
            final long page = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
            final List<long[]> pages = new ArrayList<>();
            try (PageCapture capture = before.slots().capture(true))
            {
                while (capture.next(page))
                {
                    final long copy = UnsafeApi.allocateMemory(PageStore.PAGE_SIZE);
                    UnsafeApi.copyMemory(page, copy, PageStore.PAGE_SIZE);
                    pages.add(new long[]{capture.slot(), capture.page(), copy});
                }
            }
            before.drop();
            for (final long[] each : pages)
            {
                engine.slots().install((int)each[0], (int)each[1], each[2]);
                UnsafeApi.freeMemory(each[2]);
            }
            UnsafeApi.freeMemory(page);
            engine.slots().installed();
            engine.restore(registers, 4, length);
        }

        /** Registers, counts and the digests of all slots, from nothing but what is there now. */
        List<String> state()
        {
            final List<String> state = new ArrayList<>();
            final ExpandableArrayBuffer registers = new ExpandableArrayBuffer();
            final int length = engine.saveRegisters(registers, 0);
            final byte[] bytes = new byte[length];
            registers.getBytes(0, bytes);
            state.add(engine.rows() + " " + engine.keyCount() + " " + HexFormat.of().formatHex(bytes));
            final SlotDigests all = new SlotDigests(Specs.SLOTS);
            try (PageCapture capture = engine.slots().capture(true))
            {
                all.update(capture);
            }
            all.of(counts()).forEach(slot -> state.add(slot.toString()));
            all.close();
            return state;
        }

        List<String> incrementalState()
        {
            checkpoint();
            return digests.of(counts()).stream().map(SlotDigest::toString).toList();
        }

        private PageCounts counts()
        {
            final Slots slots = engine.slots();
            final int[] counts = new int[slots.count()];
            for (int slot = 0; slot < counts.length; slot++)
            {
                counts[slot] = slots.pageCount(slot);
            }
            return new PageCounts(counts);
        }

        boolean isSameOutput(final History other)
        {
            for (int i = 0; i < outputs.length; i++)
            {
                if (!outputs[i].all().equals(other.outputs[i].all()))
                {
                    return false;
                }
            }
            return true;
        }

        void close()
        {
            engine.drop();
            digests.close();
        }
    }
}
