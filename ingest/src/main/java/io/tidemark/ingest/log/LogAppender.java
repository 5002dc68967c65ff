package io.tidemark.ingest.log;

import net.openhft.chronicle.bytes.PointerBytesStore;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.file.Path;

/**
 * Appends encoded records to a log, in one copy each and without allocation. A record is visible to readers whole or
 * not at all, whatever happens in between: its header is written last, and everything that can be refused is refused
 * before anything is written. One thread at a time.
 */
public final class LogAppender
{
    private final Path log;
    private final ExcerptAppender excerpts;
    private final FreeSpace freeSpace;
    private final PointerBytesStore record = new PointerBytesStore();
    private UnsafeBuffer offHeap;
    private long nextNumber;

    LogAppender(
        final Path log, final SingleChronicleQueue queue, final long reserveBytes, final long nextNumber)
    {
        this.log = log;
        this.excerpts = queue.createAppender();
        this.excerpts.singleThreadedCheckDisabled(true);
        this.freeSpace = new FreeSpace(log, reserveBytes);
        this.nextNumber = nextNumber;
    }

    /**
     * Appends one record and stamps its number and checksum ({@link RecordNumber}) into it, in {@code src} too.
     *
     * @param src    that holds the encoded record; off-heap memory saves a copy.
     * @param offset of the record in it.
     * @param length of the record in bytes.
     * @return the queue index of the record.
     * @throws IllegalArgumentException  when the length is outside {@link RecordLimits}; nothing was appended.
     * @throws IndexOutOfBoundsException when {@code src} does not hold that much; nothing was appended.
     * @throws LogFullException          when the disk is nearly full; nothing was appended.
     */
    public long append(final MutableDirectBuffer src, final int offset, final int length)
    {
        RecordLimits.check(length);
        src.boundsCheck(offset, length);
        freeSpace.beforeAppend(length);
        RecordNumber.stamp(src, offset, length, nextNumber);
        record.set(src.byteArray() == null ? src.addressOffset() + offset : moveOffHeap(src, offset, length), length);
        try
        {
            excerpts.writeBytes(record);
        }
        catch (final Exception ex)
        {
            throw new LogException("log " + log + " cannot be appended to (" + ex + "); check that its queue files " +
                "are files that this user may read and write, and start again: nothing is lost", ex);
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

    private long moveOffHeap(final MutableDirectBuffer src, final int offset, final int length)
    {
        if (offHeap == null)
        {
            offHeap = new UnsafeBuffer(ByteBuffer.allocateDirect(RecordLimits.MAX_LENGTH));
        }
        offHeap.putBytes(0, src, offset, length);
        return offHeap.addressOffset();
    }
}
