package io.tidemark.ingest.log;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The word of number and checksum. */
class RecordNumberTest
{
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(512));
    private final Random random = new Random(3);

    @Test
    void shouldNoticeEveryBitThatIsChanged()
    {
        for (int length = RecordLimits.MIN_LENGTH; length < 140; length++)
        {
            fill(length);
            final long number = random.nextLong() & 0xFF_FFFF_FFFFL;
            RecordNumber.stamp(record, 0, length, number);
            assertEquals(number, RecordNumber.of(record, 0));
            assertTrue(holds(length));
            for (int bit = 0; bit < 8 * length; bit++)
            {
                flip(bit);
                assertFalse(holds(length), "bit " + bit + " of " + length + " bytes");
                flip(bit);
            }
        }
    }

    @Test
    void shouldNoticeZeroedAndSwappedParts()
    {
        for (int round = 0; round < 2_000; round++)
        {
            final int length = 64 + random.nextInt(400);
            fill(length);
            RecordNumber.stamp(record, 0, length, round);
            final int from = 16 + random.nextInt(length - 40);
            final byte[] before = new byte[length];
            record.getBytes(0, before);
            if (round % 2 == 0)
            {
                record.setMemory(from, 1 + random.nextInt(length - from), (byte)0);
            }
            else
            {
                final long word = record.getLong(from);
                record.putLong(from, record.getLong(from + 8));
                record.putLong(from + 8, word);
            }
            assertFalse(holds(length), "round " + round);
        }
    }

    @Test
    void shouldStampARecordOnTheHeapAsOneInNativeMemory()
    {
        fill(100);
        final byte[] bytes = new byte[108];
        record.getBytes(0, bytes, 8, 100);
        final UnsafeBuffer onHeap = new UnsafeBuffer(bytes);
        RecordNumber.stamp(record, 0, 100, 77);
        RecordNumber.stamp(onHeap, 8, 100, 77);
        assertEquals(record.getLong(8), onHeap.getLong(16));
    }

    private boolean holds(final int length)
    {
        return RecordNumber.holds(record.addressOffset(), length);
    }

    private void fill(final int length)
    {
        for (int i = 0; i < length; i++)
        {
            record.putByte(i, (byte)random.nextInt());
        }
    }

    private void flip(final int bit)
    {
        record.putByte(bit >> 3, (byte)(record.getByte(bit >> 3) ^ (1 << (bit & 7))));
    }
}
