package io.tidemark.bench;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;

import java.nio.file.Path;

/** What a pipeline wrote: length and position of every record of its change log, for the floor to write the same. */
final class OutputSizes
{
    private final long fromPosition;
    private final RecordSizes records = new RecordSizes();
    private long measuredBytes;
    private long measuredPairs;
    private long measuredUnmatched;

    private OutputSizes(final long fromPosition)
    {
        this.fromPosition = fromPosition;
    }

    /**
     * Reads a change log.
     *
     * @param changeLog    its directory.
     * @param fromPosition what happened before is not counted among pairs, unmatched rows and bytes.
     */
    static OutputSizes read(final Path changeLog, final long fromPosition)
    {
        final OutputSizes sizes = new OutputSizes(fromPosition);
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        try (Log log = Log.openReadOnly(changeLog); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                decoder.wrap(tailer.buffer(), tailer.offset());
                sizes.add(decoder, tailer.length());
            }
        }
        return sizes;
    }

    RecordSizes records()
    {
        return records;
    }

    long measuredBytes()
    {
        return measuredBytes;
    }

    long measuredPairs()
    {
        return measuredPairs;
    }

    long measuredUnmatched()
    {
        return measuredUnmatched;
    }

    private void add(final ChangeSetDecoder decoder, final int length)
    {
        records.add(decoder.position(), length);
        if (decoder.position() >= fromPosition)
        {
            measuredBytes += length;
            // a change-set holds pairs or unmatched rows of its subject: looking at one of them tells
            while (decoder.next())
            {
                if (decoder.isPair())
                {
                    measuredPairs++;
                }
                else
                {
                    measuredUnmatched++;
                }
            }
        }
    }
}
