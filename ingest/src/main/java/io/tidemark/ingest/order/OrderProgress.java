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
    private final OrderMark mark;
    private final long[] ordered;
    private long requests;
    private long lastPosition;
    private long lastTickNs = Long.MIN_VALUE;
    private int firstSource = -1;

    private OrderProgress(final Topology topology, final OrderMark mark)
    {
        this.topology = topology;
        this.mark = mark;
        ordered = mark.ordered();
        requests = mark.requests();
        lastPosition = mark.position();
    }

    /**
     * Reads an order log from a place on; a record of it stands for up to thousands of events.
     */
    static OrderProgress read(final Log orderLog, final SourceLogs sources, final OrderMark mark)
    {
        final OrderProgress progress = new OrderProgress(sources.topology(), mark);
        try (OrderTailer order = new OrderTailer(orderLog, sources.topology(), true))
        {
            if (mark.position() > 0)
            {
                order.moveAfter(mark.position());
                progress.addRestOfRun(order);
            }
            while (order.nextRun())
            {
                progress.add(order);
            }
            order.requireEnd();
        }
        progress.checkAgainst(orderLog, sources);
        return progress;
    }

    /** The mark may stand inside a run. */
    private void addRestOfRun(final OrderTailer order)
    {
        final long rest = order.lastPositionOfRun() - mark.position();
        if (rest > 0)
        {
            ordered[order.source()] += rest;
            lastPosition = order.lastPositionOfRun();
        }
    }

    private void add(final OrderTailer order)
    {
        lastPosition = order.lastPositionOfRun();
        if (order.isTick())
        {
            lastTickNs = Math.max(lastTickNs, order.nowNs());
        }
        else if (order.isControl())
        {
            requests = order.requests() + order.controlRecords();
        }
        else if (order.isBarrier())
        {
            requests = Math.max(requests, order.requests());
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
     * @return where reading began.
     */
    OrderMark mark()
    {
        return mark;
    }

    /**
     * @return number of the source's records that have a position: the number of the first that has none.
     */
    long ordered(final int source)
    {
        return ordered[source];
    }

    /**
     * @return number of records of the control log that are behind.
     */
    long requests()
    {
        return requests;
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
     * @return source of the first event read, -1 when there was none.
     */
    int firstSource()
    {
        return firstSource;
    }
}
