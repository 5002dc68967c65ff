package io.tidemark.ingest.log;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Appends encoded records to a log, in one copy each and without allocation. A record is visible to readers whole or
 * not at all, whatever happens in between. One thread at a time.
 */
public final class LogAppender
{
    private final ExcerptAppender excerpts;
    private final FreeSpace freeSpace;
    private final UnsafeBuffer target = new UnsafeBuffer(0, 0);
    private long nextNumber;

    LogAppender(
        final Path log, final SingleChronicleQueue queue, final long reserveBytes, final long nextNumber)
    {
        this.excerpts = queue.createAppender();
        this.excerpts.singleThreadedCheckDisabled(true);
        this.freeSpace = new FreeSpace(log, reserveBytes);
        this.nextNumber = nextNumber;
    }

    /**
     * Appends one record and stamps its number at {@link RecordLimits#NUMBER_OFFSET} of it, in {@code src} too.
     *
     * @param src    that holds the encoded record.
     * @param offset of the record in it.
     * @param length of the record in bytes.
     * @return the queue index of the record.
     * @throws IllegalArgumentException when the length is outside {@link RecordLimits}; nothing was appended.
     * @throws LogFullException         when the disk is nearly full; nothing was appended.
     */
    public long append(final MutableDirectBuffer src, final int offset, final int length)
    {
        RecordLimits.check(length);
        freeSpace.beforeAppend(length);
        src.putLong(offset + RecordLimits.NUMBER_OFFSET, nextNumber, ByteOrder.LITTLE_ENDIAN);
        final DocumentContext context = excerpts.writingDocument();
        boolean copied = false;
        try
        {
            final Bytes<?> bytes = context.wire().bytes();
            target.wrap(bytes.addressForWrite(bytes.writePosition()), length);
            target.putBytes(0, src, offset, length);
            bytes.writeSkip(length);
            copied = true;
        }
        finally
        {
            // Closing publishes: what was not copied whole must be taken back first.
            if (!copied)
            {
                context.rollbackOnClose();
            }
            context.close();
        }
        nextNumber++;
        return excerpts.lastIndexAppended();
    }

    /**
     * @return number that the next record gets.
     */
    public long nextNumber()
    {
        return nextNumber;
    }

    void close()
    {
        excerpts.close();
    }
}
