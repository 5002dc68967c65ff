package io.tidemark.ingest.log;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.bytes.BytesUtil;
import net.openhft.chronicle.wire.Wires;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Goes from record to record inside one mapped block of a queue file, without asking Chronicle, which takes ten times
 * as long. It stops at whatever is no record: the end, the end of the block or of the file, an index page; then it is
 * Chronicle's turn.
 * <p>
 * The block stays mapped as long as the tailer's document is open from which the scan started.
 * <pre>
 *     +----------------+----------------------+---------+----------------+---
 *     | header (int32) | record (SBE message) | padding | header (int32) | ...
 *     +----------------+----------------------+---------+----------------+---
 *     aligned to 4 bytes; header 0: nothing yet; top bits 00: a record of that length, other: not a record
 * </pre>
 */
final class BlockScanner
{
    static final int ASK_CHRONICLE = -1;
    static final int NOTHING_YET = 0;

    private static final int HEADER_LENGTH = Wires.SPB_HEADER_SIZE;

    private final UnsafeBuffer block = new UnsafeBuffer(0, 0);
    private int recordOffset;
    private int next;
    private int limit;

    /**
     * Stands behind the document that the tailer has just opened.
     *
     * @param document its bytes, from the read position to the read limit.
     */
    void startAfter(final Bytes<?> document)
    {
        final long blockStart = document.bytesStore().start();
        final long blockLength = document.bytesStore().capacity() - blockStart;
        block.wrap(document.addressForRead(document.readPosition()) - (document.readPosition() - blockStart),
            (int)blockLength);
        // A record may reach into the part that the next block maps too, but its header never stands there.
        limit = (int)(document.bytesStore().safeLimit() - blockStart);
        next = aligned((int)(document.readLimit() - blockStart));
    }

    /**
     * Goes on to the next record.
     *
     * @return its length in bytes, {@link #NOTHING_YET} or {@link #ASK_CHRONICLE}.
     */
    int poll()
    {
        final int at = next;
        if (at >= limit)
        {
            return ASK_CHRONICLE;
        }
        final int header = block.getIntVolatile(at);
        if ((header & ~Wires.LENGTH_MASK) != 0)
        {
            return ASK_CHRONICLE;
        }
        if (header != NOTHING_YET)
        {
            next = aligned(at + HEADER_LENGTH + header);
            block.boundsCheck(at, HEADER_LENGTH + header);
            recordOffset = at + HEADER_LENGTH;
        }
        return header;
    }

    /**
     * @return address of the record that was polled last.
     */
    long recordAddress()
    {
        return block.addressOffset() + recordOffset;
    }

    void stop()
    {
        limit = 0;
        next = 0;
        block.wrap(0, 0);
    }

    private static int aligned(final int offset)
    {
        return offset + (int)BytesUtil.padOffset(offset);
    }
}
