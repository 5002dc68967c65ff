package io.tidemark.ingest.order;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Source logs and an order log in a directory, and a clock that stands still until it is told.
 */
final class OrderFixture implements AutoCloseable
{
    /**
     * What the order shows at one position: a source and the arrival of its event, or a tick and its clock.
     */
    record Entry(long position, int source, long arrival)
    {
    }

    private final Path data;
    private final Topology topology;
    private SourceLogs sources;
    private Log orderLog;
    private long nowNs;

    OrderFixture(final Path data, final int sourceCount)
    {
        this.data = data;
        topology = Topology.of(
            IntStream.range(0, sourceCount).mapToObj(source -> new StreamSpec("s" + source, 1)).toList());
        open();
    }

    void open()
    {
        sources = openSources();
        orderLog = Log.open(orderDirectory(), () -> 0);
    }

    private SourceLogs openSources()
    {
        return SourceLogs.open(data, topology, () -> 0, () -> nowNs);
    }

    /**
     * A new ingest run: arrivals may go back.
     */
    void newRun()
    {
        close();
        open();
    }

    Path orderDirectory()
    {
        return data.resolve("order");
    }

    SourceLogs sources()
    {
        return sources;
    }

    Log orderLog()
    {
        return orderLog;
    }

    Topology topology()
    {
        return topology;
    }

    void now(final long ns)
    {
        nowNs = ns;
    }

    /**
     * Appends an event that arrives then.
     */
    void arrive(final int source, final long arrival)
    {
        sources.appender(source).upsert(1).key("k").id("i").arrival(arrival).append();
    }

    Sequencer sequencer()
    {
        return sequencer(Sequencer.NO_TICKS);
    }

    Sequencer sequencer(final long idleAfterNs)
    {
        return new Sequencer(sources, orderLog, idleAfterNs, () -> nowNs);
    }

    /**
     * Runs it until it has nothing to do.
     */
    static int drain(final Sequencer sequencer)
    {
        int total = 0;
        int work = sequencer.doWork();
        while (work > 0)
        {
            total += work;
            work = sequencer.doWork();
        }
        return total;
    }

    List<Entry> order()
    {
        try (OrderedEvents events = new OrderedEvents(sources, orderLog))
        {
            return order(events);
        }
    }

    static List<Entry> order(final OrderedEvents events)
    {
        final List<Entry> order = new ArrayList<>();
        final List<Long> next = new ArrayList<>();
        while (events.next())
        {
            order.add(new Entry(events.position(), events.source(),
                events.isTick() ? events.nowNs() : EventView.arrival(events.buffer(), events.offset())));
            if (!events.isTick())
            {
                while (next.size() <= events.source())
                {
                    next.add(null);
                }
                final Long expected = next.get(events.source());
                if (expected != null)
                {
                    assertEquals(expected, events.number());
                }
                next.set(events.source(), events.number() + 1);
            }
        }
        return order;
    }

    @Override
    public void close()
    {
        sources.close();
        orderLog.close();
    }
}
