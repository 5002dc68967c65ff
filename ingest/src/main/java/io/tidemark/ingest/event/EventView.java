package io.tidemark.ingest.event;

import io.tidemark.ingest.codec.EventDecoder;
import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.log.RecordNumber;
import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * An event, read in place: a flyweight over a record of a source log (message {@code Event} of
 * {@code sbe/tidemark-log.xml}; the fields are those of SEMANTICS.md section 1). It is valid as long as the memory that
 * it was wrapped around. No allocation; one thread at a time.
 */
public final class EventView
{
    /**
     * What {@link #start()} and {@link #end()} show where the event has none.
     */
    public static final long NO_TIME = Long.MIN_VALUE;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int ARRIVAL = HEADER_LENGTH + EventDecoder.arrivalEncodingOffset();
    private static final int TIME = HEADER_LENGTH + EventDecoder.timeEncodingOffset();
    private static final int START = HEADER_LENGTH + EventDecoder.startEncodingOffset();
    private static final int END = HEADER_LENGTH + EventDecoder.endEncodingOffset();
    private static final int VALUE = HEADER_LENGTH + EventDecoder.valueEncodingOffset();
    private static final int REVISION = HEADER_LENGTH + EventDecoder.revisionEncodingOffset();
    private static final int KIND = HEADER_LENGTH + EventDecoder.kindEncodingOffset();
    private static final int TEMPLATE = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int SCHEMA = MessageHeaderDecoder.schemaIdEncodingOffset();

    private DirectBuffer buffer;
    private int offset;
    private int keyOffset;
    private int keyLength;
    private int idOffset;
    private int idLength;

    /**
     * The arrival alone, for who needs nothing else.
     *
     * @param eventBuffer memory that holds an event.
     * @param eventOffset where its message header starts.
     * @return when it reached the log, in nanoseconds since the epoch.
     */
    public static long arrival(final DirectBuffer eventBuffer, final int eventOffset)
    {
        return eventBuffer.getLong(eventOffset + ARRIVAL, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Stands on a record.
     *
     * @param eventBuffer memory that holds it.
     * @param eventOffset where its message header starts.
     * @return this.
     * @throws IllegalArgumentException when there is no event.
     */
    public EventView wrap(final DirectBuffer eventBuffer, final int eventOffset)
    {
        final int template = eventBuffer.getShort(eventOffset + TEMPLATE, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        final int schema = eventBuffer.getShort(eventOffset + SCHEMA, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        if (template != EventDecoder.TEMPLATE_ID || schema != EventDecoder.SCHEMA_ID)
        {
            throw new IllegalArgumentException("not an event: template=" + template + ", schema=" + schema);
        }
        buffer = eventBuffer;
        offset = eventOffset;
        // The block's length is the writer's, so that later versions can add fields.
        final int blockLength = eventBuffer.getShort(eventOffset, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
        final int keyLengthOffset = eventOffset + HEADER_LENGTH + blockLength;
        keyOffset = keyLengthOffset + 1;
        keyLength = eventBuffer.getByte(keyLengthOffset) & 0xFF;
        idOffset = keyOffset + keyLength + 1;
        idLength = eventBuffer.getByte(idOffset - 1) & 0xFF;
        return this;
    }

    /**
     * @return memory that holds the event.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * @return where the event's message header starts in {@link #buffer()}.
     */
    public int offset()
    {
        return offset;
    }

    /**
     * @return bytes from the message header to the end of the id.
     */
    public int length()
    {
        return idOffset + idLength - offset;
    }

    /**
     * @return ordinal of the event in its source log.
     */
    public long number()
    {
        return RecordNumber.of(buffer, offset);
    }

    /**
     * @return when it reached the log, in nanoseconds since the epoch.
     */
    public long arrival()
    {
        return buffer.getLong(offset + ARRIVAL, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return event time in nanoseconds since the epoch; of a watermark the time promised, {@link Long#MAX_VALUE} at
     * the end of input.
     */
    public long time()
    {
        return buffer.getLong(offset + TIME, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return whether the event has a start, an end or both.
     */
    public boolean hasSpan()
    {
        return start() != NO_TIME || end() != NO_TIME;
    }

    /**
     * @return start of the row's interval in nanoseconds since the epoch, or {@link #NO_TIME}.
     */
    public long start()
    {
        return buffer.getLong(offset + START, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return end of the row's interval, inclusive, in nanoseconds since the epoch, or {@link #NO_TIME}.
     */
    public long end()
    {
        return buffer.getLong(offset + END, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return amount in minor units, or a score.
     */
    public long value()
    {
        return buffer.getLong(offset + VALUE, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return revision, from 0.
     */
    public int revision()
    {
        return buffer.getInt(offset + REVISION, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * @return one of {@link EventKind}.
     */
    public int kind()
    {
        return buffer.getByte(offset + KIND);
    }

    /**
     * @return where the key's UTF-8 bytes start in {@link #buffer()}.
     */
    public int keyOffset()
    {
        return keyOffset;
    }

    /**
     * @return number of the key's bytes, 0 in a watermark.
     */
    public int keyLength()
    {
        return keyLength;
    }

    /**
     * @return where the id's UTF-8 bytes start in {@link #buffer()}.
     */
    public int idOffset()
    {
        return idOffset;
    }

    /**
     * @return number of the id's bytes, 0 in a watermark.
     */
    public int idLength()
    {
        return idLength;
    }

    /**
     * For people and tests; allocates.
     *
     * @return the key.
     */
    public String key()
    {
        return buffer.getStringWithoutLengthUtf8(keyOffset, keyLength);
    }

    /**
     * For people and tests; allocates.
     *
     * @return the id.
     */
    public String id()
    {
        return buffer.getStringWithoutLengthUtf8(idOffset, idLength);
    }

    @Override
    public String toString()
    {
        return buffer == null ? "EventView{}" : EventKind.nameOf(kind()) + "{number=" + number() + ", arrival=" +
            arrival() + ", time=" + time() + (hasSpan() ? ", start=" + start() + ", end=" + end() : "") + ", value=" +
            value() + ", revision=" + revision() + ", key=" + key() + ", id=" + id() + "}";
    }
}
