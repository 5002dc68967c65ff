package io.tidemark.ingest.log;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Records of tests: message header, number, and a payload that can be told from any other.
 */
final class Records
{
    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(RecordLimits.MAX_LENGTH + 1));

    long append(final LogAppender appender, final int length, final long payload)
    {
        fill(buffer, length, payload);
        return appender.append(buffer, 0, length);
    }

    /**
     * Appends records whose payload is their number.
     */
    void appendNumbered(final Log log, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            append(log.appender(), 64, log.appender().nextNumber());
        }
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    static void fill(final UnsafeBuffer target, final int length, final long payload)
    {
        target.setMemory(0, length, (byte)payload);
        if (length >= RecordLimits.MIN_LENGTH + Long.BYTES)
        {
            target.putLong(RecordLimits.MIN_LENGTH, payload, LITTLE_ENDIAN);
        }
    }

    static long payload(final LogTailer tailer)
    {
        return tailer.buffer().getLong(tailer.offset() + RecordLimits.MIN_LENGTH, LITTLE_ENDIAN);
    }

    static void assertRecord(final DirectBuffer record, final int offset, final int length, final long payload)
    {
        for (int i = RecordLimits.MIN_LENGTH + Long.BYTES; i < length; i++)
        {
            assertEquals((byte)payload, record.getByte(offset + i), "byte " + i);
        }
    }

    static List<Long> payloads(final LogTailer tailer)
    {
        final List<Long> payloads = new ArrayList<>();
        while (tailer.poll())
        {
            payloads.add(payload(tailer));
        }
        return payloads;
    }

    static List<Long> range(final long from, final long to)
    {
        final List<Long> numbers = new ArrayList<>();
        for (long number = from; number < to; number++)
        {
            numbers.add(number);
        }
        return numbers;
    }
}
