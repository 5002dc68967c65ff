package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayingAppender;
import org.agrona.concurrent.Agent;

/**
 * Takes an operator through the total order: in batches of events that are already ordered, ticks in their place.
 * What always holds:
 * <ul>
 * <li>the operator is told every position once and in order, and {@link #position} is the last one that it has
 *     finished;</li>
 * <li>a batch is finished before a tick or the next batch is begun, so that between two duty cycles nothing is half
 *     done;</li>
 * <li>once the last position of an earlier run is finished, no record of that run may be left that this one has not
 *     made again.</li>
 * </ul>
 * After a failure it does nothing any more: the operator may stand in the middle of an event.
 */
public final class Worker implements Agent
{
    private final OrderedEvents order;
    private final Operator operator;
    private final ReplayingAppender[] logs;
    private final long replayedFrom;
    private final EventBatch batch = new EventBatch();
    private final EventView event = new EventView();
    private final long[] records;

    private long position;
    private boolean replaying = true;
    private boolean failed;

    /**
     * Creates a worker that stands before position 1.
     *
     * @param order        the ordered events, standing before position 1; closed with the worker.
     * @param sources      number of sources.
     * @param operator     that is told of them.
     * @param logs         all that the operator writes to.
     * @param lastRecorded last position that an earlier run can have processed, 0 when there was none.
     */
    public Worker(
        final OrderedEvents order,
        final int sources,
        final Operator operator,
        final ReplayingAppender[] logs,
        final long lastRecorded)
    {
        this.order = order;
        this.operator = operator;
        this.logs = logs.clone();
        this.replayedFrom = lastRecorded;
        this.records = new long[sources];
    }

    @Override
    public int doWork()
    {
        if (failed)
        {
            throw new IllegalStateException("the worker has failed before; start it again");
        }
        failed = true;
        final long before = position;
        if (fillBatch())
        {
            processBatch();
            tick();
        }
        else
        {
            processBatch();
        }
        if (replaying && position >= replayedFrom)
        {
            endReplay();
        }
        failed = false;
        return (int)(position - before);
    }

    @Override
    public String roleName()
    {
        return "worker";
    }

    @Override
    public void onClose()
    {
        order.close();
    }

    /**
     * The last position that is finished.
     *
     * @return 0 before the first.
     */
    public long position()
    {
        return position;
    }

    /**
     * How many events of a source are finished.
     *
     * @param source ordinal.
     * @return number of records of its log.
     */
    public long records(final int source)
    {
        return records[source];
    }

    /**
     * Whether positions are processed again that an earlier run has processed.
     *
     * @return false once all of them are.
     */
    public boolean isReplaying()
    {
        return replaying;
    }

    /** Returns whether a tick follows the batch. */
    private boolean fillBatch()
    {
        batch.clear();
        while (batch.hasRoom() && order.next())
        {
            if (order.isTick())
            {
                return true;
            }
            batch.add(order.position(), order.source(), order.index(), order.buffer(), order.offset(), order.length());
        }
        return false;
    }

    private void processBatch()
    {
        final int size = batch.size();
        if (size == 0)
        {
            return;
        }
        operator.prepare(batch);
        for (int i = 0; i < size; i++)
        {
            final int source = batch.source(i);
            operator.onEvent(batch.position(i), source, batch.index(i), event.wrap(batch.buffer(), batch.offset(i)));
            position = batch.position(i);
            records[source]++;
        }
    }

    private void tick()
    {
        operator.onTick(order.position(), order.nowNs());
        position = order.position();
    }

    private void endReplay()
    {
        for (final ReplayingAppender log : logs)
        {
            log.requireNoneAhead();
        }
        replaying = false;
    }
}
