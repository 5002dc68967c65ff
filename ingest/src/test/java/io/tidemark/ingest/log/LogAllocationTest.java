package io.tidemark.ingest.log;

import com.sun.management.ThreadMXBean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A record costs no garbage. Chronicle makes a few objects where a block, an index page or a day begins; that is all
 * there may be.
 */
class LogAllocationTest
{
    private static final int RECORDS = 1_000_000;
    private static final int LENGTH = 128;
    private static final long BLOCKS = 1 + (RECORDS * (LENGTH + 4L)) / Log.BLOCK_SIZE;
    private static final long BYTES_A_BLOCK = 4096;

    private static final ThreadMXBean THREADS = (ThreadMXBean)ManagementFactory.getThreadMXBean();

    @TempDir
    private Path directory;

    private final Records records = new Records();

    @Test
    void shouldAppendAndPollAMillionRecordsWithoutGarbage()
    {
        try (Log log = Log.open(directory, System::currentTimeMillis); LogTailer tailer = log.tailer())
        {
            appendAll(log.appender(), 100_000);
            pollAll(tailer, 100_000);
            final long start = allocated();
            appendAll(log.appender(), RECORDS);
            final long appended = allocated();
            pollAll(tailer, RECORDS);
            final long polled = allocated();
            assertTrue(appended - start < BLOCKS * BYTES_A_BLOCK, "appending allocated " + (appended - start));
            assertTrue(polled - appended < BLOCKS * BYTES_A_BLOCK, "polling allocated " + (polled - appended));
        }
    }

    @Test
    void shouldNotAllocateAtAllWithinABlock()
    {
        try (Log log = Log.open(directory, System::currentTimeMillis); LogTailer tailer = log.tailer())
        {
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 100; round++)
            {
                final long start = allocated();
                appendAll(log.appender(), 500);
                pollAll(tailer, 500);
                least = Math.min(least, allocated() - start);
            }
            assertEquals(0, least);
        }
    }

    private void appendAll(final LogAppender appender, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            appender.append(records.buffer(), 0, LENGTH);
        }
    }

    private static void pollAll(final LogTailer tailer, final int count)
    {
        int left = count;
        while (left > 0 && tailer.poll())
        {
            left--;
        }
        assertTrue(left == 0);
    }

    private static long allocated()
    {
        return THREADS.getCurrentThreadAllocatedBytes();
    }
}
