package io.tidemark.ingest.feed;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.FreeSpace;
import org.agrona.CloseHelper;

import java.nio.file.Path;

/**
 * All that an import writes to: the source logs, the journal and the report of lines turned away. The logs are opened
 * first, and let in one process at a time; so the other two need no lock of their own.
 */
final class ImportStore implements AutoCloseable
{
    private final SourceLogs logs;
    private final ImportJournal journal;
    private final RejectsFile rejects;

    private ImportStore(final SourceLogs logs, final ImportJournal journal, final RejectsFile rejects)
    {
        this.logs = logs;
        this.journal = journal;
        this.rejects = rejects;
    }

    static ImportStore open(final FeedImportContext context)
    {
        final Path data = context.dataDirectory();
        final SourceLogs logs =
            SourceLogs.open(data, context.topology(), context.cycleClock(), context.arrivalClock());
        final Path rejects = data.resolve(RejectsFile.NAME);
        ImportJournal journal = null;
        try
        {
            journal = new ImportJournal(data.resolve(ImportJournal.NAME));
            final FreeSpace freeSpace = new FreeSpace(data, FreeSpace.RESERVE_BYTES);
            return new ImportStore(logs, journal, new RejectsFile(rejects, freeSpace));
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.closeAll(journal, logs);
            throw ex;
        }
    }

    SourceLogs logs()
    {
        return logs;
    }

    ImportJournal journal()
    {
        return journal;
    }

    RejectsFile rejects()
    {
        return rejects;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(rejects, journal, logs);
    }
}
