package io.tidemark.ingest.order;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;

/**
 * How far an order log goes: the last position, and how many records of each source have one.
 */
final class OrderProgress
{
    private final Topology topology;
    private final long[] ordered;
    private long lastPosition;
    private long lastTickNs = Long.MIN_VALUE;
    private int firstSource = -1;

    private OrderProgress(final Topology topology)
    {
        this.topology = topology;
        ordered = new long[topology.sources()];
    }

    /**
     * Reads a whole order log; a record of it stands for up to thousands of events.
     */
    static OrderProgress read(final Log orderLog, final SourceLogs sources)
    {
        final OrderProgress progress = new OrderProgress(sources.topology());
        try (OrderTailer order = new OrderTailer(orderLog, sources.topology()))
        {
            while (order.nextRun())
            {
                progress.add(order);
            }
        }
        progress.checkAgainst(orderLog, sources);
        return progress;
    }

    private void add(final OrderTailer order)
    {
        lastPosition = order.lastPositionOfRun();
        if (order.isTick())
        {
            lastTickNs = Math.max(lastTickNs, order.nowNs());
        }
        else
        {
            if (firstSource < 0)
            {
                firstSource = order.source();
            }
            ordered[order.source()] += order.eventsOfRun();
        }
    }

    private void checkAgainst(final Log orderLog, final SourceLogs sources)
    {
        for (int source = 0; source < ordered.length; source++)
        {
            final long there = sources.log(source).lastNumber() + 1;
            if (ordered[source] > there)
            {
                throw lacks(orderLog, sources.log(source), topology.sourceName(source), ordered[source] - 1);
            }
        }
    }

    static OrderException lacks(
        final Log orderLog, final Log sourceLog, final String sourceName, final long number)
    {
        return new OrderException("order log " + orderLog.directory() + " has a position for record " + number +
            " of " + sourceName + ", but source log " + sourceLog.directory() + " ends with record " +
            sourceLog.lastNumber() + ": they do not belong together; put the missing queue files back");
    }

    /**
     * @return number of the source's records that have a position: the number of the first that has none.
     */
    long ordered(final int source)
    {
        return ordered[source];
    }

    long lastPosition()
    {
        return lastPosition;
    }

    long lastTickNs()
    {
        return lastTickNs;
    }

    /**
     * @return source of the pipeline's first event, -1 when there was none.
     */
    int firstSource()
    {
        return firstSource;
    }
}
