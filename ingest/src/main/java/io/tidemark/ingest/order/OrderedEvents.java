package io.tidemark.ingest.order;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;

import java.util.Arrays;

/**
 * The events in their total order, with the ticks and publications between them: an order log and the source logs that
 * it orders, read together. A new one stands before position 1. No allocation; one thread at a time.
 */
public final class OrderedEvents implements AutoCloseable
{
    private final SourceLogs sources;
    private final Log orderLog;
    private final OrderTailer order;
    private final LogTailer[] tailers;
    private LogTailer current;

    /**
     * Passes over barriers.
     *
     * @param sources  the source logs.
     * @param orderLog the order log.
     */
    public OrderedEvents(final SourceLogs sources, final Log orderLog)
    {
        this(sources, orderLog, false);
    }

    /**
     * @param sources         the source logs.
     * @param orderLog        the order log.
     * @param stopsAtBarriers whether {@link #next()} stops at barriers too.
     */
    public OrderedEvents(final SourceLogs sources, final Log orderLog, final boolean stopsAtBarriers)
    {
        this.sources = sources;
        this.orderLog = orderLog;
        order = new OrderTailer(orderLog, sources.topology(), stopsAtBarriers);
        tailers = new LogTailer[sources.topology().sources()];
        Arrays.setAll(tailers, sources::tailer);
    }

    /**
     * Goes on to the next position, or barrier.
     *
     * @return false at the end of the order; a later call may find more.
     * @throws OrderException when a source log lacks a record that the order log names.
     */
    public boolean next()
    {
        if (!order.next())
        {
            return false;
        }
        if (order.source() >= 0)
        {
            current = tailers[order.source()];
            if (!current.poll())
            {
                throw OrderProgress.lacks(orderLog, sources.log(order.source()),
                    sources.topology().sourceName(order.source()), sources.log(order.source()).lastNumber() + 1);
            }
        }
        return true;
    }

    /**
     * Goes behind a position.
     *
     * @param position that was read last; 0 for the place before position 1.
     * @param ordered  per source, how many of its records have a position up to that one.
     */
    public void moveAfter(final long position, final long[] ordered)
    {
        order.moveAfter(position);
        for (int source = 0; source < tailers.length; source++)
        {
            tailers[source].moveBefore(ordered[source]);
        }
    }

    /**
     * Goes behind a place in the order.
     *
     * @param mark the place.
     */
    public void moveAfter(final OrderMark mark)
    {
        moveAfter(mark.position(), mark.ordered());
    }

    /**
     * @return the position.
     */
    public long position()
    {
        return order.position();
    }

    /**
     * @return whether it belongs to a tick; then there is {@link #nowNs()} and nothing else.
     */
    public boolean isTick()
    {
        return order.isTick();
    }

    /**
     * @return of a tick: {@code arrival_now} in nanoseconds since the epoch.
     */
    public long nowNs()
    {
        return order.nowNs();
    }

    /**
     * @return whether it is an event, with a source and a record.
     */
    public boolean isEvent()
    {
        return order.source() >= 0;
    }

    /**
     * @return whether it is a barrier, which stands after {@link #position()}; it has {@link #requests()}.
     */
    public boolean isBarrier()
    {
        return order.isBarrier();
    }

    /**
     * @return whether the position belongs to a publication: to {@link #controlRecords()} records of the control log
     * from number {@link #requests()} on.
     */
    public boolean isControl()
    {
        return order.isControl();
    }

    /**
     * @return of a publication: number of its first record in the control log; of a barrier: how many records of the
     * control log are behind it.
     */
    public long requests()
    {
        return order.requests();
    }

    /**
     * @return of a publication: how many records of the control log it has.
     */
    public int controlRecords()
    {
        return order.controlRecords();
    }

    /**
     * @return queue index of the record of the order log that was read last.
     */
    public long orderIndex()
    {
        return order.index();
    }

    /**
     * @return ordinal of the event's source.
     */
    public int source()
    {
        return order.source();
    }

    /**
     * @return memory that holds the event's record, valid until the next record of the same source is read.
     */
    public DirectBuffer buffer()
    {
        return current.buffer();
    }

    /**
     * @return where the record starts in {@link #buffer()}.
     */
    public int offset()
    {
        return current.offset();
    }

    /**
     * @return length of the record in bytes.
     */
    public int length()
    {
        return current.length();
    }

    /**
     * @return queue index of the record in its source log.
     */
    public long index()
    {
        return current.index();
    }

    /**
     * @return number of the record in its source log.
     */
    public long number()
    {
        return current.number();
    }

    /**
     * @return number of the record of the order log that was read last.
     */
    public long orderNumber()
    {
        return order.number();
    }

    /**
     * @param source ordinal.
     * @return number of its record that was read last, -1 before the first.
     */
    public long lastNumber(final int source)
    {
        return tailers[source].number();
    }

    /**
     * @param source ordinal.
     * @return queue index of its record that was read last.
     */
    public long lastIndex(final int source)
    {
        return tailers[source].index();
    }

    @Override
    public void close()
    {
        order.close();
        CloseHelper.closeAll(tailers);
    }
}
