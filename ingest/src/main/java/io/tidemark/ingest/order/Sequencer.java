package io.tidemark.ingest.order;

import io.tidemark.ingest.codec.BarrierEncoder;
import io.tidemark.ingest.codec.ControlEncoder;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.codec.RunsEncoder;
import io.tidemark.ingest.codec.RunsEncoder.EntriesEncoder;
import io.tidemark.ingest.codec.TickEncoder;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogAppender;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicLong;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Chooses the total order of the events of all sources and writes it to the order log (SEMANTICS.md section 2). Goes on
 * from what that log already holds. Invariants:
 * <ul>
 * <li>every record of a source has one position, in the order of its log; positions are 1, 2, 3, ... without gaps;
 * <li>of the sources that have a record waiting the one with the smallest arrival goes first, ties to the smaller
 * ordinal; one that has none is not waited for;
 * <li>an order that could not be written is written, the same, before any other.
 * </ul>
 */
public final class Sequencer implements Agent
{
    /**
     * For {@code idleAfterNs} where ticks are not to be written: no {@code idle_after}, or a run that ends by itself.
     */
    public static final long NO_TICKS = IdleTracker.NEVER;

    /**
     * Most events of one record: 4096 runs of one event each are 24 KiB, well below a record's limit.
     */
    static final int MAX_EVENTS = 4096;

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int ENTRIES_COUNT = HEADER_LENGTH + RunsEncoder.BLOCK_LENGTH + Short.BYTES;
    private static final int FIRST_ENTRY =
        HEADER_LENGTH + RunsEncoder.BLOCK_LENGTH + EntriesEncoder.sbeHeaderSize();
    private static final int ENTRY_LENGTH = EntriesEncoder.sbeBlockLength();
    private static final int ENTRY_SOURCE = 0;
    private static final int ENTRY_EVENTS = Short.BYTES;

    private final SourceLogs sources;
    private final LogTailer[] tailers;
    /** Whether a source was read to its end, and that was looked at, since the start. */
    private final boolean[] isEndSeen;
    private final LogAppender orderLog;
    private final ControlRequests control;
    private final LogTailer controlTailer;
    private final BarrierPolicy barriers;
    private final ArrivalMerge merge;
    private final IdleTracker idle;
    private final boolean ticks;
    private final EpochNanoClock clock;
    private final UnsafeBuffer record =
        new UnsafeBuffer(ByteBuffer.allocateDirect(FIRST_ENTRY + MAX_EVENTS * ENTRY_LENGTH));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final RunsEncoder runs = new RunsEncoder();
    private final TickEncoder tick = new TickEncoder();
    private final BarrierEncoder barrier = new BarrierEncoder();
    private final ControlEncoder publication = new ControlEncoder();
    private final AtomicLong lastPosition = new AtomicLong();
    private int pendingLength;
    private int pendingPositions;
    private long nextDeadlineNs;
    private boolean failed;

    /**
     * Without barriers and requests, from an order log's beginning.
     *
     * @param sources     the source logs.
     * @param orderLog    opened to append to.
     * @param idleAfterNs {@code idle_after} in nanoseconds, or {@link #NO_TICKS}.
     * @param clock       for ticks.
     * @throws OrderException when the order log names records that a source log does not have.
     */
    public Sequencer(
        final SourceLogs sources, final Log orderLog, final long idleAfterNs, final EpochNanoClock clock)
    {
        this(sources, orderLog, null, OrderMark.start(sources.topology().sources()), BarrierPolicy.NONE, idleAfterNs,
            clock);
    }

    /**
     * @param sources     the source logs.
     * @param orderLog    opened to append to.
     * @param controlLog  where requests come from, null where none do.
     * @param mark        a place in the order from which on the log is read to find its end.
     * @param barriers    says when a barrier is due.
     * @param idleAfterNs {@code idle_after} in nanoseconds, or {@link #NO_TICKS}.
     * @param clock       for ticks.
     * @throws OrderException when the order log names records that a source log does not have.
     */
    public Sequencer(
        final SourceLogs sources,
        final Log orderLog,
        final Log controlLog,
        final OrderMark mark,
        final BarrierPolicy barriers,
        final long idleAfterNs,
        final EpochNanoClock clock)
    {
        final OrderProgress progress = OrderProgress.read(orderLog, sources, mark);
        final int count = sources.topology().sources();
        this.sources = sources;
        this.isEndSeen = new boolean[count];
        this.orderLog = orderLog.appender();
        this.barriers = barriers;
        this.clock = clock;
        ticks = idleAfterNs != NO_TICKS;
        merge = new ArrivalMerge(count);
        idle = new IdleTracker(count, idleAfterNs);
        tailers = new LogTailer[count];
        for (int source = 0; source < count; source++)
        {
            tailers[source] = sources.tailer(source);
            tailers[source].moveBefore(progress.ordered(source));
        }
        controlTailer = controlLog == null ? null : controlLog.tailer();
        control = controlLog == null ? null : new ControlRequests(controlTailer, progress.requests());
        if (ticks)
        {
            idle.recover(progress, sources);
            nextDeadlineNs = idle.nextDeadline();
        }
        lastPosition.set(progress.lastPosition());
    }

    @Override
    public int doWork()
    {
        if (pendingLength == 0)
        {
            gather();
        }
        return appendPending();
    }

    /**
     * Writes a barrier behind all that is ordered, without ordering more.
     */
    public void writeBarrier()
    {
        appendPending();
        gatherBarrier();
        appendPending();
    }

    private int appendPending()
    {
        if (pendingLength == 0)
        {
            return 0;
        }
        final int positions = pendingPositions;
        CrashPoint.hit("order.before-append");
        orderLog.append(record, 0, pendingLength);
        CrashPoint.hit("order.after-append");
        pendingLength = 0;
        pendingPositions = 0;
        lastPosition.lazySet(lastPosition.get() + positions);
        return Math.max(1, positions);
    }

    @Override
    public String roleName()
    {
        return "sequencer";
    }

    @Override
    public void onClose()
    {
        CloseHelper.closeAll(tailers);
        CloseHelper.close(controlTailer);
    }

    /**
     * @return the last position that was written. May be asked by any thread.
     */
    public long lastPosition()
    {
        return lastPosition.get();
    }

    private void gather()
    {
        if (failed)
        {
            throw new IllegalStateException("the sequencer has failed before and would lose its place; start it again");
        }
        failed = true;
        if (gatherRequest() || gatherDueBarrier())
        {
            // it goes first: what follows may be long
        }
        else if (pollHeads())
        {
            gatherRuns();
        }
        else if (ticks)
        {
            gatherTick(clock.nanoTime());
        }
        failed = false;
    }

    private boolean gatherRequest()
    {
        if (control == null || !barriers.isReady())
        {
            return false;
        }
        switch (control.next())
        {
            case BARRIER:
                control.settle();
                gatherBarrier();
                return true;

            case PUBLICATION:
                publication.wrapAndApplyHeader(record, 0, header)
                    .position(lastPosition.get() + 1)
                    .firstRequest(control.first())
                    .records(control.parts());
                control.settle();
                pendingLength = HEADER_LENGTH + ControlEncoder.BLOCK_LENGTH;
                pendingPositions = 1;
                return true;

            case NONE:
                break;
        }
        return false;
    }

    private boolean gatherDueBarrier()
    {
        final boolean isDue = barriers.isDue(lastPosition.get());
        if (isDue)
        {
            gatherBarrier();
        }
        return isDue;
    }

    private void gatherBarrier()
    {
        barrier.wrapAndApplyHeader(record, 0, header)
            .position(lastPosition.get())
            .requests(control == null ? 0 : control.settled());
        pendingLength = HEADER_LENGTH + BarrierEncoder.BLOCK_LENGTH;
        pendingPositions = 0;
        barriers.onBarrier(lastPosition.get());
    }

    /**
     * @return whether any source has a record waiting.
     */
    private boolean pollHeads()
    {
        boolean arrived = false;
        for (int source = 0; source < tailers.length; source++)
        {
            if (!merge.hasHead(source))
            {
                final long arrival = pollArrival(tailers[source]);
                if (arrival != ArrivalMerge.NO_HEAD)
                {
                    merge.head(source, arrival);
                    arrived = true;
                }
                else if (!isEndSeen[source])
                {
                    isEndSeen[source] = true;
                    sources.log(source).requireEnd(tailers[source]);
                }
            }
        }
        if (arrived)
        {
            merge.play();
        }
        return merge.first() >= 0;
    }

    private void gatherRuns()
    {
        runs.wrapAndApplyHeader(record, 0, header).firstPosition(lastPosition.get() + 1).entriesCount(0);
        final int mostEvents = Math.min(MAX_EVENTS, barriers.mostPositions(lastPosition.get()));
        int events = 0;
        int offset = FIRST_ENTRY;
        int source = merge.first();
        do
        {
            final LogTailer tailer = tailers[source];
            final int current = source;
            final int before = events;
            do
            {
                if (ticks)
                {
                    idle.onEvent(current, merge.firstArrival());
                }
                merge.replaceFirst(pollArrival(tailer));
                source = merge.first();
                events++;
            }
            while (source == current && events < mostEvents);
            record.putShort(offset + ENTRY_SOURCE, (short)current, LITTLE_ENDIAN);
            record.putInt(offset + ENTRY_EVENTS, events - before, LITTLE_ENDIAN);
            offset += ENTRY_LENGTH;
        }
        while (source >= 0 && events < mostEvents);
        record.putShort(ENTRIES_COUNT, (short)((offset - FIRST_ENTRY) / ENTRY_LENGTH), LITTLE_ENDIAN);
        pendingLength = offset;
        pendingPositions = events;
        nextDeadlineNs = IdleTracker.UNKNOWN;
    }

    private void gatherTick(final long nowNs)
    {
        if (nextDeadlineNs == IdleTracker.UNKNOWN)
        {
            nextDeadlineNs = idle.nextDeadline();
        }
        if (nowNs >= nextDeadlineNs)
        {
            tick.wrapAndApplyHeader(record, 0, header).position(lastPosition.get() + 1).nowNs(nowNs);
            idle.onTick(nowNs);
            pendingLength = HEADER_LENGTH + TickEncoder.BLOCK_LENGTH;
            pendingPositions = 1;
            nextDeadlineNs = IdleTracker.UNKNOWN;
        }
    }

    private static long pollArrival(final LogTailer tailer)
    {
        return tailer.poll() ? EventView.arrival(tailer.buffer(), tailer.offset()) : ArrivalMerge.NO_HEAD;
    }
}
