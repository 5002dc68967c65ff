package io.tidemark.ops.command;

import java.nio.file.Path;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;

/**
 * How many records the source logs hold.
 */
final class SourceCounts
{
    private SourceCounts()
    {
    }

    /** By source; 0 where there is no log yet. */
    static long[] of(final Path data, final Topology topology)
    {
        final long[] counts = new long[topology.sources()];
        for (int source = 0; source < counts.length; source++)
        {
            final Path directory = SourceLogs.directory(data, topology, source);
            if (Log.exists(directory))
            {
                try (Log log = Log.openReadOnly(directory))
                {
                    counts[source] = log.lastNumber() + 1;
                }
            }
        }
        return counts;
    }
}
