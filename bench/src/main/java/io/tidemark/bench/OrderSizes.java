package io.tidemark.bench;

import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;

import java.nio.file.Path;
import java.util.Arrays;

/** What a sequencer wrote: length and first position of every record of its order log, for the floor to write alike. */
final class OrderSizes
{
    private static final int FIRST_POSITION =
        MessageHeaderDecoder.ENCODED_LENGTH + RunsDecoder.firstPositionEncodingOffset();

    private int[] lengths = new int[1 << 12];
    private int[] positions = new int[1 << 12];
    private int records;

    private OrderSizes()
    {
    }

    /** Reads an order log of events only. */
    static OrderSizes read(final Path orderLog)
    {
        final OrderSizes sizes = new OrderSizes();
        try (Log log = Log.openReadOnly(orderLog); LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                sizes.add(Math.toIntExact(tailer.buffer().getLong(tailer.offset() + FIRST_POSITION)), tailer.length());
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

    /** Position of the first event of a record; behind the last record, an end that no position reaches. */
    int position(final int i)
    {
        return i < records ? positions[i] : Integer.MAX_VALUE;
    }

    int longest()
    {
        return Arrays.stream(lengths, 0, records).max().orElse(0);
    }

    private void add(final int position, final int length)
    {
        if (records == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, records * 2);
            positions = Arrays.copyOf(positions, records * 2);
        }
        lengths[records] = length;
        positions[records] = position;
        records++;
    }
}
