package io.tidemark.sink.verify;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.ingest.order.OrderTailer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Where reading of the ordered input begins. Immutable.
 */
public final class OrderStart
{
    private static final int FIRST_POSITION = 8 + RunsDecoder.firstPositionEncodingOffset();

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
     * The start of what is kept: where the oldest records were taken away, it is found from a place that is known.
     *
     * @param orderLog of the pipeline.
     * @param topology of the pipeline.
     * @param known    any place after it; may be null where nothing was taken away.
     * @return before the oldest record.
     */
    public static OrderStart oldest(final Log orderLog, final Topology topology, final OrderMark known)
    {
        final long position = oldestPosition(orderLog) - 1;
        if (position <= 0 || known == null)
        {
            return new OrderStart(0, new long[topology.sources()]);
        }
        final long[] ordered = known.ordered();
        try (OrderTailer order = new OrderTailer(orderLog, topology))
        {
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
        return new OrderStart(position, ordered);
    }

    private static long oldestPosition(final Log orderLog)
    {
        try (LogTailer tailer = orderLog.tailer())
        {
            return tailer.toOldest() == 0 || !tailer.poll() ? 1 :
                tailer.buffer().getLong(tailer.offset() + FIRST_POSITION, LITTLE_ENDIAN);
        }
    }
}
