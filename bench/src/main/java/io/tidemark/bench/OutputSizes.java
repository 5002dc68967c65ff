package io.tidemark.bench;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;

import java.nio.file.Path;
import java.util.Arrays;

/** What a pipeline wrote: length and position of every record of its change log, for the floor to write the same. */
final class OutputSizes
{
    private final long fromPosition;
    private int[] lengths = new int[1 << 16];
    private int[] positions = new int[1 << 16];
    private int records;
    private long measuredBytes;
    private long measuredPairs;
    private long measuredUnmatched;
    private int longest;

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

    int records()
    {
        return records;
    }

    int length(final int i)
    {
        return lengths[i];
    }

    int position(final int i)
    {
        return positions[i];
    }

    int longest()
    {
        return longest;
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
        if (records == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, records * 2);
            positions = Arrays.copyOf(positions, records * 2);
        }
        lengths[records] = length;
        positions[records] = Math.toIntExact(decoder.position());
        records++;
        longest = Math.max(longest, length);
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
