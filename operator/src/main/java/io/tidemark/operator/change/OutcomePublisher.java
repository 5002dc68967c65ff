package io.tidemark.operator.change;

import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.codec.LateEventEncoder;
import io.tidemark.operator.codec.MessageHeaderEncoder;
import io.tidemark.operator.codec.RejectedEventEncoder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * Writes events that changed nothing to the logs that remember them: late ones to the repair queue (SEMANTICS.md
 * section 8), rejected ones with their reason (section 1). Duplicates are only counted.
 * <p>
 * Single-threaded, allocates nothing.
 */
public final class OutcomePublisher
{
    private static final long DAY_NS = 86_400_000_000_000L;
    private static final int CAPACITY = 1024;

    private final RecordAppender lateLog;
    private final RecordAppender rejectsLog;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(CAPACITY));
    private final MessageHeaderEncoder header = new MessageHeaderEncoder();
    private final LateEventEncoder late = new LateEventEncoder();
    private final RejectedEventEncoder rejected = new RejectedEventEncoder();

    /**
     * Creates a publisher.
     *
     * @param lateLog    takes late events.
     * @param rejectsLog takes rejected events.
     */
    public OutcomePublisher(final RecordAppender lateLog, final RecordAppender rejectsLog)
    {
        this.lateLog = lateLog;
        this.rejectsLog = rejectsLog;
    }

    /**
     * Writes a late event to the repair queue.
     *
     * @param position        of the event.
     * @param index           queue index of the event.
     * @param source          of the event.
     * @param stream          of the event.
     * @param acceptanceClock that refused it.
     * @param reason          why.
     * @param event           an upsert or a retraction.
     */
    public void late(
        final long position,
        final long index,
        final int source,
        final int stream,
        final long acceptanceClock,
        final LateReason reason,
        final EventView event)
    {
        late.wrapAndApplyHeader(record, 0, header)
            .number(0)
            .position(position)
            .index(index)
            .time(event.time())
            .acceptanceClock(acceptanceClock)
            .due((int)Math.floorDiv(event.time(), DAY_NS))
            .source(source)
            .stream((short)stream)
            .revision(event.revision())
            .kind((short)event.kind())
            .reason((short)reason.code());
        lateLog.append(record, 0, putNames(late.limit(), event));
    }

    /**
     * Writes a rejected event.
     *
     * @param position  of the event.
     * @param index     queue index of the event.
     * @param stream    of the event.
     * @param partition of the event.
     * @param reason    why.
     * @param event     as it stood.
     */
    public void rejected(
        final long position,
        final long index,
        final int stream,
        final int partition,
        final RejectReason reason,
        final EventView event)
    {
        rejected.wrapAndApplyHeader(record, 0, header)
            .number(0)
            .position(position)
            .index(index)
            .arrival(event.arrival())
            .time(event.time())
            .start(event.start())
            .end(event.end())
            .value(event.value())
            .stream((short)stream)
            .partition(partition)
            .revision(event.revision())
            .kind((short)(event.kind() & 0xFF))
            .reason((short)reason.code());
        rejectsLog.append(record, 0, putNames(rejected.limit(), event));
    }

    /**
     * Writes key and id, and returns where the record ends. Not left to the codec, which takes the length 255 for none
     * and refuses it; its decoder reads it like any other.
     */
    private int putNames(final int offset, final EventView event)
    {
        final int idOffset = putName(offset, event.buffer(), event.keyOffset(), event.keyLength());
        return putName(idOffset, event.buffer(), event.idOffset(), event.idLength());
    }

    private int putName(final int offset, final DirectBuffer from, final int fromOffset, final int length)
    {
        record.putByte(offset, (byte)length);
        record.putBytes(offset + 1, from, fromOffset, length);
        return offset + 1 + length;
    }
}
