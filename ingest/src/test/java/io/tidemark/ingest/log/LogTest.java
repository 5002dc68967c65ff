package io.tidemark.ingest.log;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.file.Path;

import static io.tidemark.ingest.log.Records.payload;
import static io.tidemark.ingest.log.Records.payloads;
import static io.tidemark.ingest.log.Records.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LogTest
{
    @TempDir
    private Path directory;

    private final Records records = new Records();
    private final DayClock clock = new DayClock();

    @Test
    void shouldReadWhatWasAppended()
    {
        try (Log log = Log.open(directory, clock); LogTailer tailer = log.tailer())
        {
            assertFalse(tailer.poll());
            final long index = records.append(log.appender(), 100, 7);
            assertTrue(tailer.poll());
            assertEquals(0, tailer.number());
            assertEquals(index, tailer.index());
            assertEquals(100, tailer.length());
            assertEquals(7, payload(tailer));
            assertFalse(tailer.poll());
        }
    }

    @Test
    void shouldGoOnNumberingWhenOpenedAgain()
    {
        for (long round = 0; round < 3; round++)
        {
            try (Log log = Log.open(directory, clock))
            {
                assertEquals(2 * round - 1, log.lastNumber());
                assertEquals(2 * round, log.appender().nextNumber());
                records.appendNumbered(log, 2);
                assertEquals(2 * round + 1, log.lastNumber());
                assertEquals(range(0, 2 * round + 2), payloads(log.tailer()));
            }
        }
    }

    @Test
    void shouldReadAcrossBlocksWithRecordsOfEveryLength()
    {
        try (Log log = Log.open(directory, clock))
        {
            long bytes = 0;
            int length = RecordLimits.MIN_LENGTH + Long.BYTES;
            int count = 0;
            while (bytes < 3 * Log.BLOCK_SIZE)
            {
                records.append(log.appender(), length, count++);
                bytes += length;
                length = length >= RecordLimits.MAX_LENGTH - 997 ? 24 + count % 7 : length + 997;
            }
            final LogTailer tailer = log.tailer();
            length = RecordLimits.MIN_LENGTH + Long.BYTES;
            for (int number = 0; number < count;)
            {
                assertTrue(tailer.poll());
                assertEquals(length, tailer.length());
                assertEquals(number, payload(tailer));
                Records.assertRecord(tailer.buffer(), tailer.offset(), length, number);
                number++;
                length = length >= RecordLimits.MAX_LENGTH - 997 ? 24 + number % 7 : length + 997;
            }
            assertFalse(tailer.poll());
        }
    }

    /** Kind 56 of FAULTS.md. */
    @ParameterizedTest
    @ValueSource(ints = {RecordLimits.MIN_LENGTH, RecordLimits.MIN_LENGTH + 1, RecordLimits.MAX_LENGTH})
    void shouldTakeRecordsUpToTheLimits(final int length)
    {
        try (Log log = Log.open(directory, clock))
        {
            for (int i = 0; i < 400; i++)
            {
                records.append(log.appender(), length, 5);
            }
            final LogTailer tailer = log.tailer();
            for (int i = 0; i < 400; i++)
            {
                assertTrue(tailer.poll());
                assertEquals(length, tailer.length());
                Records.assertRecord(tailer.buffer(), tailer.offset(), length, 5);
            }
            assertFalse(tailer.poll());
        }
    }

    /** Kind 56 of FAULTS.md. */
    @ParameterizedTest
    @ValueSource(ints = {-1, 0, RecordLimits.MIN_LENGTH - 1, RecordLimits.MAX_LENGTH + 1})
    void shouldRefuseRecordsBeyondTheLimits(final int length)
    {
        try (Log log = Log.open(directory, clock))
        {
            assertThrows(
                IllegalArgumentException.class, () -> log.appender().append(records.buffer(), 0, length));
            records.appendNumbered(log, 1);
            assertEquals(range(0, 1), payloads(log.tailer()));
        }
    }

    @Test
    void shouldTakeRecordsFromTheHeap()
    {
        try (Log log = Log.open(directory, clock); LogTailer tailer = log.tailer())
        {
            final UnsafeBuffer heap = new UnsafeBuffer(new byte[200]);
            final UnsafeBuffer wrapped = new UnsafeBuffer(ByteBuffer.allocate(300).position(100));
            Records.fill(heap, 200, 0);
            Records.fill(wrapped, 200, 1);
            log.appender().append(heap, 0, 64);
            log.appender().append(wrapped, 0, 200);
            assertEquals(range(0, 2), payloads(tailer));
        }
    }

    /** Kind 46 of FAULTS.md. */
    @Test
    void shouldLeaveNoTraceOfARecordThatCouldNotBeCopied()
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 1);
            final int beyondTheEnd = records.buffer().capacity() - 50;
            assertThrows(IndexOutOfBoundsException.class,
                () -> log.appender().append(records.buffer(), beyondTheEnd, 64));
            final long index = records.append(log.appender(), 64, 1);
            final LogTailer tailer = log.tailer();
            assertEquals(range(0, 2), payloads(tailer));
            assertEquals(index, tailer.index());
        }
    }

    /** Kind 58 of FAULTS.md. */
    @Test
    void shouldRereadTheSameRecordWhenMovedThereTwice()
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 5);
            final LogTailer tailer = log.tailer();
            tailer.poll();
            tailer.poll();
            final long index = tailer.index();
            for (int i = 0; i < 3; i++)
            {
                tailer.moveAfter(index, 1);
                assertTrue(tailer.poll());
                assertEquals(2, payload(tailer));
                assertEquals(2, tailer.number());
            }
            tailer.poll();
            tailer.moveAfter(index, 1);
            assertEquals(range(2, 5), payloads(tailer));
        }
    }

    /** Kind 43 of FAULTS.md. */
    @Test
    void shouldReadTheNextRecordWhenMovedBehindTheLastOne()
    {
        final long last;
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 2);
            last = records.append(log.appender(), 64, 2);
        }
        try (Log log = Log.open(directory, clock); LogTailer tailer = log.tailer())
        {
            tailer.moveAfter(last, 2);
            assertFalse(tailer.poll());
            records.appendNumbered(log, 1);
            assertTrue(tailer.poll());
            assertEquals(3, tailer.number());
            assertFalse(tailer.poll());
        }
    }

    @Test
    void shouldMoveBeforeAnyRecordByItsNumber()
    {
        try (Log log = Log.open(directory, clock); LogTailer tailer = log.tailer())
        {
            for (int day = 0; day < 4; day++)
            {
                clock.day(2 * day);
                records.appendNumbered(log, 300);
            }
            for (int number = 1200; number >= 0; number -= 7)
            {
                tailer.moveBefore(number);
                assertEquals(number < 1200, tailer.poll());
                assertTrue(number == 1200 || (tailer.number() == number && payload(tailer) == number));
            }
            tailer.moveBefore(0);
            assertEquals(range(0, 1200), payloads(tailer));
            final LogException refusal = assertThrows(LogException.class, () -> tailer.moveBefore(1201));
            assertTrue(refusal.getMessage().contains("no record 1200"), refusal.getMessage());
        }
    }

    @Test
    void shouldReadAndAppendFromOtherThreadsThanTheOpening() throws InterruptedException
    {
        try (Log log = Log.open(directory, clock); LogTailer tailer = log.tailer())
        {
            final LogAppender appender = log.appender();
            final Throwable[] failure = new Throwable[1];
            final Thread other = new Thread(() ->
            {
                for (int i = 0; i < 2000; i++)
                {
                    records.append(appender, 60_000, i);
                }
            });
            other.setUncaughtExceptionHandler((thread, ex) -> failure[0] = ex);
            other.start();
            for (int number = 0; number < 2000 && failure[0] == null;)
            {
                if (tailer.poll())
                {
                    assertEquals(number, payload(tailer));
                    Records.assertRecord(tailer.buffer(), tailer.offset(), tailer.length(), number);
                    number++;
                }
                else
                {
                    Thread.onSpinWait();
                }
            }
            other.join();
            assertEquals(null, failure[0]);
        }
    }

    @Test
    void shouldStopTailersWhenClosed()
    {
        final Log log = Log.open(directory, clock);
        records.appendNumbered(log, 3);
        final LogTailer tailer = log.tailer();
        tailer.poll();
        log.close();
        assertThrows(IllegalStateException.class, tailer::poll);
        assertThrows(IndexOutOfBoundsException.class, () -> payload(tailer));
    }
}
