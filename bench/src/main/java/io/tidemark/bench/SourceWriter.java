package io.tidemark.bench;

import io.tidemark.ingest.event.SourceLogs;

import java.nio.file.Path;

/** Writes a workload's source logs. */
final class SourceWriter
{
    private SourceWriter()
    {
    }

    /** Picks one file for each log, whatever the day is. */
    static long epochMillis()
    {
        return EventFeed.FIRST_ARRIVAL_NS / 1_000_000;
    }

    static Measure write(final Workload workload, final long seed, final int events, final Path dataDirectory)
    {
        final EventFeed feed = new EventFeed(workload, seed);
        final Stopwatch stopwatch = new Stopwatch();
        try (SourceLogs sources = SourceLogs.open(
            dataDirectory, workload.topology(), SourceWriter::epochMillis, () -> EventFeed.FIRST_ARRIVAL_NS))
        {
            stopwatch.start();
            for (int i = 0; i < events; i++)
            {
                feed.next().append(sources.appender(feed.source()));
            }
            return stopwatch.stop(events);
        }
    }
}
