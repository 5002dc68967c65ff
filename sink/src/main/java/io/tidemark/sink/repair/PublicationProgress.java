package io.tidemark.sink.repair;

import java.nio.file.Path;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderTailer;
import org.agrona.CloseHelper;

/**
 * Follows a request of the control log: into the order, and through the pipeline that runs.
 */
public final class PublicationProgress implements AutoCloseable
{
    private static final long NONE = -1;

    private final OrderTailer order;
    private final Path resultsDirectory;
    private long lastRequest = NONE;
    private long positionOfLast;

    /**
     * @param orderLog         of the pipeline.
     * @param topology         of the pipeline.
     * @param resultsDirectory of the pipeline.
     */
    public PublicationProgress(final Log orderLog, final Topology topology, final Path resultsDirectory)
    {
        order = new OrderTailer(orderLog, topology);
        this.resultsDirectory = resultsDirectory;
    }

    /**
     * Whether a request was processed, whatever came of it.
     *
     * @param request number of its first record in the control log.
     * @return false while it waits, in the control log or in the order.
     */
    public boolean isProcessed(final long request)
    {
        while (lastRequest < request && order.nextRun())
        {
            if (order.isControl())
            {
                lastRequest = order.requests();
                positionOfLast = order.lastPositionOfRun();
            }
        }
        return lastRequest >= request && ResultsPosition.of(resultsDirectory) >= positionOfLast;
    }

    @Override
    public void close()
    {
        CloseHelper.close(order);
    }
}
