package io.tidemark.ingest.order;

import io.tidemark.ingest.codec.BarrierRequestEncoder;
import io.tidemark.ingest.codec.MessageHeaderEncoder;
import io.tidemark.ingest.codec.PublicationEncoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogAppender;
import io.tidemark.ingest.log.RecordLimits;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * What somebody beside the pipeline asks of it, {@code control} in the data directory: checkpoints, publications. One
 * process at a time appends, for as long as its request takes; the sequencer reads it and gives each request its place
 * in the order.
 */
public final class ControlLog implements AutoCloseable
{
    /** Name of the log in the data directory. */
    public static final String NAME = "control";

    private static final int HEADER_LENGTH = MessageHeaderEncoder.ENCODED_LENGTH;
    private static final int CONTENT = HEADER_LENGTH + PublicationEncoder.BLOCK_LENGTH + Short.BYTES;

    /** Most bytes of a publication's content in one record. */
    public static final int MAX_PART_LENGTH = RecordLimits.MAX_LENGTH - CONTENT;

    private final Log log;
    private final LogAppender appender;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(RecordLimits.MAX_LENGTH));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();

    private ControlLog(final Log log)
    {
        this.log = log;
        this.appender = log.appender();
    }

    /**
     * Opens the log to append to it, and creates it where it does not exist.
     *
     * @param dataDirectory of the pipeline.
     * @param clock         milliseconds since the epoch.
     * @return the log.
     */
    public static ControlLog open(final Path dataDirectory, final EpochClock clock)
    {
        return new ControlLog(Log.open(dataDirectory.resolve(NAME), clock));
    }

    /**
     * Opens the log to read it, beside whoever appends. Created, empty, where it does not exist.
     *
     * @param dataDirectory of the pipeline.
     * @param clock         milliseconds since the epoch.
     * @return the log.
     */
    public static Log openReadOnly(final Path dataDirectory, final EpochClock clock)
    {
        return Log.openReadOnlyOrCreate(dataDirectory.resolve(NAME), clock);
    }

    /**
     * Asks for a checkpoint.
     *
     * @return number of the request in the log.
     */
    public long requestBarrier()
    {
        new BarrierRequestEncoder().wrapAndApplyHeader(record, 0, header).number(0);
        return append(HEADER_LENGTH + BarrierRequestEncoder.BLOCK_LENGTH);
    }

    /**
     * Asks for a publication.
     *
     * @param candidate  names it.
     * @param digestHigh of its content.
     * @param digestLow  of its content.
     * @param content    holds its content.
     * @param offset     of it.
     * @param length     of it in bytes; cut into as many records as it takes.
     * @return number of its first record in the log.
     */
    public long requestPublication(
        final long candidate,
        final long digestHigh,
        final long digestLow,
        final DirectBuffer content,
        final int offset,
        final int length)
    {
        final int parts = Math.max(1, (length + MAX_PART_LENGTH - 1) / MAX_PART_LENGTH);
        final PublicationEncoder publication = new PublicationEncoder();
        long first = -1;
        for (int part = 0; part < parts; part++)
        {
            final int from = part * MAX_PART_LENGTH;
            final int partLength = Math.min(MAX_PART_LENGTH, length - from);
            publication.wrapAndApplyHeader(record, 0, header)
                .number(0)
                .candidate(candidate)
                .digestHigh(digestHigh)
                .digestLow(digestLow)
                .part(part)
                .parts(parts)
                .putContent(content, offset + from, partLength);
            final long number = append(HEADER_LENGTH + publication.encodedLength());
            first = part == 0 ? number : first;
        }
        return first;
    }

    @Override
    public void close()
    {
        log.close();
    }

    private long append(final int length)
    {
        final long number = appender.nextNumber();
        appender.append(record, 0, length);
        return number;
    }
}
