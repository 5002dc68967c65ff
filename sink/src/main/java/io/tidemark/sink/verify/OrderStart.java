package io.tidemark.sink.verify;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.ingest.order.OrderTailer;

/**
 * Where reading of the ordered input begins. Immutable.
 */
public final class OrderStart
{
    private final long position;
    private final long[] ordered;

    /**
     * @param position after which; 0 for the start.
     * @param ordered  per source, how many of its records come before.
     */
    public OrderStart(final long position, final long[] ordered)
    {
        this.position = position;
        this.ordered = ordered.clone();
    }

    /**
     * After which position.
     *
     * @return 0 for the start.
     */
    public long position()
    {
        return position;
    }

    /**
     * How many records come before.
     *
     * @return per source.
     */
    public long[] ordered()
    {
        return ordered.clone();
    }

    /**
     * The start of what is kept: where the oldest records were taken away, it is found from a place that is known. The
     * order may reach back further than its sources, whose records are older than their positions: it begins where
     * those of all sources are there.
     *
     * @param orderLog of the pipeline.
     * @param sources  of the pipeline.
     * @param known    any place after it; may be null where nothing was taken away.
     * @return before the oldest position from which on all is kept.
     */
    public static OrderStart oldest(final Log orderLog, final SourceLogs sources, final OrderMark known)
    {
        final long position = OrderHistory.firstPosition(orderLog) - 1;
        final long[] ordered = new long[sources.topology().sources()];
        final long[] oldest = new long[ordered.length];
        for (int source = 0; source < oldest.length; source++)
        {
            try (LogTailer tailer = sources.tailer(source))
            {
                oldest[source] = tailer.toOldest();
            }
        }
        if (position > 0 && known == null)
        {
            // Whoever reads finds the gap, and says so.
            return new OrderStart(0, ordered);
        }
        try (OrderTailer order = new OrderTailer(orderLog, sources.topology()))
        {
            if (position > 0)
            {
                countBack(order, position, known, ordered);
            }
            order.moveAfter(position);
            return new OrderStart(skipPruned(order, position, ordered, oldest), ordered);
        }
    }

    /** How many records of each source come before a position: those before the known place, less those between. */
    private static void countBack(
        final OrderTailer order, final long position, final OrderMark known, final long[] ordered)
    {
        System.arraycopy(known.ordered(), 0, ordered, 0, ordered.length);
        order.moveAfter(position);
        long from = position;
        while (from < known.position() && order.nextRun())
        {
            final long to = Math.min(order.lastPositionOfRun(), known.position());
            if (order.source() >= 0)
            {
                ordered[order.source()] -= to - from;
            }
            from = to;
        }
    }

    /** Goes on, and counts, to where no source lacks a record any more. */
    private static long skipPruned(
        final OrderTailer order, final long position, final long[] ordered, final long[] oldest)
    {
        long at = position;
        long lacking = 0;
        for (int source = 0; source < oldest.length; source++)
        {
            lacking += Math.max(0, oldest[source] - ordered[source]);
        }
        while (lacking > 0 && order.nextRun())
        {
            long taken = order.lastPositionOfRun() - at;
            final int source = order.source();
            if (source >= 0)
            {
                final long lackingHere = Math.max(0, oldest[source] - ordered[source]);
                taken = lackingHere == lacking ? Math.min(taken, lacking) : taken;
                lacking -= Math.min(taken, lackingHere);
                ordered[source] += taken;
            }
            at += taken;
        }
        return at;
    }
}
