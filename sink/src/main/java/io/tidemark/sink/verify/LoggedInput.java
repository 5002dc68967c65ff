package io.tidemark.sink.verify;

import java.nio.file.Path;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.sink.Utf8;

/**
 * The ordered input as the source logs and the order log of a data directory have it, up to a position.
 */
final class LoggedInput implements OrderedInput
{
    private final Path dataDirectory;
    private final Topology topology;
    private final OrderStart start;
    private final long lastPosition;

    LoggedInput(final Path dataDirectory, final Topology topology, final long lastPosition)
    {
        this(dataDirectory, topology, new OrderStart(0, new long[topology.sources()]), lastPosition);
    }

    LoggedInput(
        final Path dataDirectory, final Topology topology, final OrderStart start, final long lastPosition)
    {
        this.start = start;
        this.dataDirectory = dataDirectory;
        this.topology = topology;
        this.lastPosition = lastPosition;
    }

    @Override
    public void replay(final Visitor visitor)
    {
        final EventView view = new EventView();
        try (SourceLogs sources = SourceLogs.openReadOnly(dataDirectory, topology);
            Log orderLog = Log.openReadOnly(dataDirectory.resolve("order"));
            OrderedEvents events = new OrderedEvents(sources, orderLog))
        {
            if (start.position() > 0)
            {
                events.moveAfter(start.position(), start.ordered());
            }
            while (events.next() && events.position() <= lastPosition)
            {
                if (events.isTick())
                {
                    visitor.onTick(events.position(), events.nowNs());
                }
                else if (events.isEvent())
                {
                    view.wrap(events.buffer(), events.offset());
                    visitor.onEvent(event(events, view));
                }
            }
        }
    }

    private static LoggedEvent event(final OrderedEvents events, final EventView view)
    {
        return new LoggedEvent(
            events.position(), events.source(), events.index(), view.arrival(), view.kind(),
            Utf8.of(view.buffer(), view.keyOffset(), view.keyLength()),
            Utf8.of(view.buffer(), view.idOffset(), view.idLength()),
            view.revision(), view.time(), view.start() != EventView.NO_TIME, view.start(),
            view.end() != EventView.NO_TIME, view.end(), view.value());
    }
}
