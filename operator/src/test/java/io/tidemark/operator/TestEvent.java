package io.tidemark.operator;

import io.tidemark.ingest.event.EventView;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/** Builds one event in native memory, field by field, breaking rules where a test wants that. */
public final class TestEvent
{
    private static final int BODY = 8;

    private final UnsafeBuffer buffer =
        new UnsafeBuffer(ByteBuffer.allocateDirect(1024).order(ByteOrder.LITTLE_ENDIAN));
    private final EventView view = new EventView();
    private long arrival;
    private long time;
    private Long start;
    private Long end;
    private long value;
    private int revision;
    private int kind;
    private byte[] key = {};
    private byte[] id = {};

    public TestEvent arrival(final long arrivalNs)
    {
        this.arrival = arrivalNs;
        return this;
    }

    public TestEvent time(final long timeNs)
    {
        this.time = timeNs;
        return this;
    }

    public TestEvent start(final Long startNs)
    {
        this.start = startNs;
        return this;
    }

    public TestEvent end(final Long endNs)
    {
        this.end = endNs;
        return this;
    }

    public TestEvent value(final long newValue)
    {
        this.value = newValue;
        return this;
    }

    public TestEvent revision(final int newRevision)
    {
        this.revision = newRevision;
        return this;
    }

    public TestEvent kind(final int newKind)
    {
        this.kind = newKind;
        return this;
    }

    public TestEvent key(final String newKey)
    {
        this.key = newKey.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    public TestEvent id(final String newId)
    {
        this.id = newId.getBytes(StandardCharsets.UTF_8);
        return this;
    }

    /** The event as it stands, valid until the next change. */
    public EventView view()
    {
        write();
        return view.wrap(buffer, 0);
    }

    /** Native memory that holds the event after {@link #view()}. */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Encodes the event and returns its length. */
    public int write()
    {
        buffer.putShort(0, (short)53, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(4, (short)7361, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(6, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY, 0, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY + 8, arrival, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY + 16, time, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY + 24, start == null ? Long.MIN_VALUE : start, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY + 32, end == null ? Long.MIN_VALUE : end, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(BODY + 40, value, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(BODY + 48, revision, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(BODY + 52, (byte)kind);
        buffer.putByte(BODY + 53, (byte)key.length);
        buffer.putBytes(BODY + 54, key);
        buffer.putByte(BODY + 54 + key.length, (byte)id.length);
        buffer.putBytes(BODY + 55 + key.length, id);
        return BODY + 55 + key.length + id.length;
    }
}
