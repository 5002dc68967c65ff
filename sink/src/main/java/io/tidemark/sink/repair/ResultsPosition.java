package io.tidemark.sink.repair;

import java.nio.file.Files;
import java.nio.file.Path;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.worker.CheckpointPlaces;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;

/**
 * A position up to which all results are in their logs. A pipeline that runs says so itself; after one that was killed,
 * or one that goes through the order again, the change log may be further than that: all before its last position is
 * complete. So is what comes before a checkpoint, should the counters be gone.
 */
final class ResultsPosition
{
    private ResultsPosition()
    {
    }

    static long of(final Path resultsDirectory)
    {
        return Math.max(counted(resultsDirectory), recorded(resultsDirectory) - 1);
    }

    private static long counted(final Path resultsDirectory)
    {
        if (!Files.isRegularFile(resultsDirectory.resolve(CountersFile.NAME)))
        {
            return CheckpointPlaces.newestPosition(resultsDirectory);
        }
        try (CountersFile counters = CountersFile.openReadOnly(resultsDirectory))
        {
            return counters.value(PipelineCounters.POSITION, 0, 0);
        }
    }

    private static long recorded(final Path resultsDirectory)
    {
        final Path directory = resultsDirectory.resolve("changes");
        if (!Log.exists(directory))
        {
            return 0;
        }
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            final long last = log.lastNumber();
            if (last < 0)
            {
                return 0;
            }
            tailer.moveBefore(last);
            return tailer.poll() ? new ChangeSetDecoder().wrap(tailer.buffer(), tailer.offset()).position() : 0;
        }
    }
}
