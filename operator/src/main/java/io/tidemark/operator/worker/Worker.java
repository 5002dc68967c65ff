package io.tidemark.operator.worker;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayingAppender;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;

/**
 * Takes an operator through the total order: in batches of events that are already ordered; ticks, publications and
 * barriers in their place.
 * What always holds:
 * <ul>
 * <li>the operator is told every position once and in order, and {@link #position} is the last one that it has
 *     finished;</li>
 * <li>a batch is finished before anything else or the next batch is begun, so that between two duty cycles nothing is
 *     half done;</li>
 * <li>once the last position of an earlier run is finished, no record of that run may be left that this one has not
 *     made again.</li>
 * </ul>
 * After a failure it does nothing any more: the operator may stand in the middle of an event.
 */
public final class Worker implements Agent
{
    /** In one duty cycle, so that what else is done in turns with it weighs little. */
    private static final int MOST_BATCHES = 4;

    /** Most events of one duty cycle. */
    public static final int MOST_EVENTS = MOST_BATCHES * EventBatch.CAPACITY;

    private final OrderedEvents order;
    private final Operator operator;
    private final ReplayingAppender[] logs;
    private final LogTailer control;
    private final BarrierHandler barriers;
    private final PublicationHandler publications;
    private final long replayedFrom;
    private final EventBatch batch = new EventBatch();
    private final EventView event = new EventView();
    private final long[] records;

    private long position;
    private long requests;
    private boolean replaying = true;
    private boolean failed;

    /**
     * Creates a worker that stands before position 1, of an order without requests.
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
        this(order, null, OrderMark.start(sources), operator, BarrierHandler.NONE, PublicationHandler.NONE, logs,
            lastRecorded);
    }

    /**
     * Creates a worker that stands somewhere in the order.
     *
     * @param order        the ordered events; closed with the worker.
     * @param control      a tailer of the control log, null where there is none; closed with the worker.
     * @param mark         where operator and logs stand, and the worker will.
     * @param operator     that is told of events and ticks.
     * @param barriers     is told of barriers.
     * @param publications is told of publications.
     * @param logs         all that the operator writes to.
     * @param lastRecorded last position that an earlier run can have processed.
     */
    Worker(
        final OrderedEvents order,
        final LogTailer control,
        final OrderMark mark,
        final Operator operator,
        final BarrierHandler barriers,
        final PublicationHandler publications,
        final ReplayingAppender[] logs,
        final long lastRecorded)
    {
        this.order = order;
        this.control = control;
        this.operator = operator;
        this.barriers = barriers;
        this.publications = publications;
        this.logs = logs.clone();
        this.replayedFrom = lastRecorded;
        this.records = mark.ordered();
        this.position = mark.position();
        this.requests = mark.requests();
        order.moveAfter(mark);
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
        int batches = 0;
        boolean isFollowed;
        do
        {
            isFollowed = fillBatch();
            processBatch();
        }
        while (!isFollowed && !batch.hasRoom() && ++batches < MOST_BATCHES);
        if (isFollowed)
        {
            processOther();
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
        CloseHelper.close(control);
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
     * The newest generation of the table.
     *
     * @return from 1.
     */
    public int generation()
    {
        return publications.generation();
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
     * How many records of the control log have been dealt with.
     *
     * @return number of records.
     */
    long requests()
    {
        return requests;
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

    /** Returns whether something that is no event follows the batch. */
    private boolean fillBatch()
    {
        batch.clear();
        while (batch.hasRoom() && order.next())
        {
            if (!order.isEvent())
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
        CrashPoint.hit(replaying ? "recovery.repeating" : "worker.before-batch");
        operator.prepare(batch);
        for (int i = 0; i < size; i++)
        {
            final int source = batch.source(i);
            operator.onEvent(batch.position(i), source, batch.index(i), event.wrap(batch.buffer(), batch.offset(i)));
            position = batch.position(i);
            records[source]++;
            CrashPoint.hit("worker.after-event");
        }
    }

    private void processOther()
    {
        if (order.isBarrier())
        {
            requests = Math.max(requests, order.requests());
            barriers.onBarrier(position, requests);
            return;
        }
        if (order.isTick())
        {
            operator.onTick(order.position(), order.nowNs());
        }
        else
        {
            publish();
        }
        position = order.position();
    }

    private void publish()
    {
        if (control == null)
        {
            throw new IllegalStateException(
                "position " + order.position() + " is of the control log, which is missing");
        }
        control.moveBefore(order.requests());
        publications.onPublication(order.position(), control, order.controlRecords());
        requests = order.requests() + order.controlRecords();
    }

    private void endReplay()
    {
        for (final ReplayingAppender log : logs)
        {
            log.requireNoneAhead();
        }
        replaying = false;
        CrashPoint.hit("recovery.caught-up");
    }
}
