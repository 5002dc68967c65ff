package io.tidemark.ingest.order;

import com.sun.management.ThreadMXBean;
import io.tidemark.ingest.order.OrderFixture.Entry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

import static io.tidemark.ingest.order.OrderFixture.drain;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class SequencerTest
{
    @TempDir
    private Path data;

    private OrderFixture fixture;

    @BeforeEach
    void open()
    {
        fixture = new OrderFixture(data, 3);
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldOrderABacklogByArrival()
    {
        fixture.arrive(2, 10);
        fixture.arrive(0, 20);
        fixture.arrive(2, 30);
        fixture.newRun();
        fixture.arrive(1, 5);
        fixture.arrive(1, 25);
        assertEquals(5, drain(fixture.sequencer()));
        assertEquals(
            List.of(entry(1, 1, 5), entry(2, 2, 10), entry(3, 0, 20), entry(4, 1, 25), entry(5, 2, 30)),
            fixture.order());
    }

    @Test
    void shouldOrderEqualArrivalsByTheConfiguration()
    {
        for (int source = 2; source >= 0; source--)
        {
            fixture.arrive(source, 7);
            fixture.newRun();
        }
        drain(fixture.sequencer());
        assertEquals(List.of(entry(1, 0, 7), entry(2, 1, 7), entry(3, 2, 7)), fixture.order());
    }

    @Test
    void shouldKeepASourcesOwnOrderWhereItsArrivalsGoBack()
    {
        fixture.arrive(0, 50);
        fixture.newRun();
        fixture.arrive(0, 10);
        fixture.arrive(1, 20);
        drain(fixture.sequencer());
        assertEquals(List.of(entry(1, 1, 20), entry(2, 0, 50), entry(3, 0, 10)), fixture.order());
    }

    @Test
    void shouldNotWaitForASourceThatHasNothing()
    {
        final Sequencer sequencer = fixture.sequencer();
        fixture.arrive(0, 50);
        assertEquals(1, drain(sequencer));
        fixture.newRun();
        fixture.arrive(1, 10);
        assertEquals(1, drain(fixture.sequencer()));
        assertEquals(List.of(entry(1, 0, 50), entry(2, 1, 10)), fixture.order());
    }

    @Test
    void shouldWriteARunAsOneEntryAndABurstAsOneRecord()
    {
        for (int i = 0; i < 1000; i++)
        {
            fixture.arrive(i / 500, i);
        }
        final Sequencer sequencer = fixture.sequencer();
        assertEquals(1000, sequencer.doWork());
        assertEquals(0, fixture.orderLog().lastNumber());
        try (OrderTailer order = new OrderTailer(fixture.orderLog(), fixture.topology()))
        {
            assertTrue(order.nextRun());
            assertEquals(500, order.eventsOfRun());
            assertTrue(order.nextRun());
            assertEquals(1, order.source());
            assertEquals(1000, order.lastPositionOfRun());
        }
    }

    @Test
    void shouldBoundARecord()
    {
        for (int i = 0; i < 2 * Sequencer.MAX_EVENTS + 1; i++)
        {
            fixture.arrive(i % 3, i);
        }
        final Sequencer sequencer = fixture.sequencer();
        assertEquals(Sequencer.MAX_EVENTS, sequencer.doWork());
        assertEquals(Sequencer.MAX_EVENTS, sequencer.doWork());
        assertEquals(1, sequencer.doWork());
        assertEquals(0, sequencer.doWork());
        assertEquals(2 * Sequencer.MAX_EVENTS + 1, sequencer.lastPosition());
        assertEquals(2 * Sequencer.MAX_EVENTS + 1, fixture.order().size());
    }

    /**
     * Against a merge that is obviously right, with bursts, duty cycles, new runs and restarts at random.
     */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5, 8, 17})
    void shouldMergeAsTheNaiveMergeDoes(final int sources) throws Exception
    {
        close();
        fixture = new OrderFixture(Files.createDirectory(data.resolve("random")), sources);
        final SplittableRandom random = new SplittableRandom(sources);
        final List<Deque<Long>> waiting = new ArrayList<>();
        for (int source = 0; source < sources; source++)
        {
            waiting.add(new ArrayDeque<>());
        }
        final List<Entry> expected = new ArrayList<>();
        Sequencer sequencer = fixture.sequencer();
        long arrival = 0;
        for (int round = 0; round < 30; round++)
        {
            for (int burst = random.nextInt(200); burst > 0; burst--)
            {
                final int source = random.nextInt(sources);
                arrival += 1 + random.nextInt(5);
                fixture.arrive(source, arrival);
                waiting.get(source).add(arrival);
            }
            switch (random.nextInt(4))
            {
                case 0 ->
                {
                    fixture.newRun();
                    arrival = random.nextInt(100);
                    sequencer = fixture.sequencer();
                }
                case 1 ->
                {
                    sequencer.onClose();
                    sequencer = fixture.sequencer();
                }
                default ->
                {
                    drain(sequencer);
                    mergeNaively(waiting, expected);
                    assertEquals(expected.size(), sequencer.lastPosition());
                }
            }
        }
        drain(sequencer);
        mergeNaively(waiting, expected);
        assertEquals(expected, fixture.order());
    }

    private static void mergeNaively(final List<Deque<Long>> waiting, final List<Entry> order)
    {
        for (;;)
        {
            int first = -1;
            for (int source = 0; source < waiting.size(); source++)
            {
                final Long head = waiting.get(source).peek();
                if (head != null && (first < 0 || head < waiting.get(first).peek()))
                {
                    first = source;
                }
            }
            if (first < 0)
            {
                return;
            }
            order.add(entry(order.size() + 1, first, waiting.get(first).remove()));
        }
    }

    @Test
    void shouldGoOnFromWhatTheOrderLogHolds()
    {
        fixture.arrive(0, 1);
        fixture.arrive(1, 2);
        drain(fixture.sequencer());
        fixture.arrive(0, 3);
        fixture.newRun();
        fixture.arrive(2, 1);
        final Sequencer sequencer = fixture.sequencer();
        assertEquals(2, sequencer.lastPosition());
        assertEquals(2, drain(sequencer));
        assertEquals(
            List.of(entry(1, 0, 1), entry(2, 1, 2), entry(3, 2, 1), entry(4, 0, 3)), fixture.order());
    }

    @Test
    void shouldRefuseAnOrderOfRecordsThatASourceLogDoesNotHave(@TempDir final Path other) throws Exception
    {
        fixture.arrive(0, 1);
        fixture.arrive(1, 2);
        fixture.arrive(1, 3);
        drain(fixture.sequencer());
        fixture.close();
        Files.move(data.resolve("sources").resolve("s1-0"), other.resolve("away"));
        fixture.open();
        fixture.arrive(1, 2);
        final String message = assertThrows(OrderException.class, fixture::sequencer).getMessage();
        assertTrue(message.contains(fixture.orderDirectory() + " has a position for record 1"), message);
        assertTrue(message.contains(data.resolve("sources").resolve("s1-0") + " ends with record 0"), message);
        assertThrows(OrderException.class, fixture::order);
    }

    @Test
    void shouldSequenceWithoutGarbage()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final Sequencer sequencer = fixture.sequencer(1_000_000);
        long least = Long.MAX_VALUE;
        try (OrderedEvents events = new OrderedEvents(fixture.sources(), fixture.orderLog()))
        {
            for (int round = 0; round < 100; round++)
            {
                for (int i = 0; i < 300; i++)
                {
                    fixture.arrive(i % 7 % 3, round * 1000L + i);
                }
                final long start = threads.getCurrentThreadAllocatedBytes();
                int left = drain(sequencer);
                while (left > 0 && events.next())
                {
                    left--;
                }
                least = Math.min(least, threads.getCurrentThreadAllocatedBytes() - start);
            }
        }
        assertEquals(0, least);
    }

    private static Entry entry(final long position, final int source, final long arrival)
    {
        return new Entry(position, source, arrival);
    }
}
