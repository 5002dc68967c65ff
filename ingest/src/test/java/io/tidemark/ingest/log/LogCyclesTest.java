package io.tidemark.ingest.log;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.wire.DocumentContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import static io.tidemark.ingest.log.Records.payload;
import static io.tidemark.ingest.log.Records.payloads;
import static io.tidemark.ingest.log.Records.range;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What days do to a log: a queue file each.
 */
class LogCyclesTest
{
    @TempDir
    private Path directory;

    private final Records records = new Records();
    private final DayClock clock = new DayClock();

    @Test
    void shouldReadOnAcrossDays() throws IOException
    {
        try (Log log = Log.open(directory, clock); LogTailer live = log.tailer())
        {
            for (int day = 0; day < 5; day++)
            {
                clock.day(day);
                records.appendNumbered(log, 3);
                assertEquals(range(3L * day, 3L * day + 3), payloads(live));
            }
            assertEquals(range(0, 15), payloads(log.tailer()));
        }
        assertEquals(5, queueFiles(directory).size());
    }

    /** Kind 47 of FAULTS.md. */
    @Test
    void shouldKeepTheOrderWhenTheClockIsSetBack() throws IOException
    {
        try (Log log = Log.open(directory, clock); LogTailer live = log.tailer())
        {
            clock.day(0);
            records.appendNumbered(log, 1);
            clock.day(3);
            records.appendNumbered(log, 1);
            clock.day(1);
            records.appendNumbered(log, 1);
            assertEquals(range(0, 3), payloads(live));
            clock.day(7);
            records.appendNumbered(log, 1);
            assertEquals(range(3, 4), payloads(live));
            assertEquals(range(0, 4), payloads(log.tailer()));
        }
        assertEquals(3, queueFiles(directory).size());
    }

    /** Kind 47 of FAULTS.md. */
    @Test
    void shouldKeepTheOrderWhenTheClockIsSetBackBetweenTwoProcesses() throws IOException
    {
        clock.day(5);
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 2);
        }
        clock.day(1);
        try (Log log = Log.open(directory, clock); LogTailer live = log.tailer())
        {
            records.appendNumbered(log, 2);
            assertEquals(range(0, 4), payloads(live));
        }
        assertEquals(1, queueFiles(directory).size());
    }

    /** Kind 48 of FAULTS.md. */
    @Test
    void shouldReachAReaderThatWaitedWhileDaysPassedWithoutARecord()
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 1);
        }
        try (Log reading = Log.openReadOnly(directory); LogTailer waiting = reading.tailer())
        {
            assertEquals(range(0, 1), payloads(waiting));
            clock.day(10);
            try (Log log = Log.open(directory, clock); LogTailer own = log.tailer())
            {
                assertEquals(range(0, 1), payloads(own));
                records.appendNumbered(log, 1);
                assertEquals(range(1, 2), payloads(waiting));
                assertEquals(range(1, 2), payloads(own));
            }
        }
    }

    /** Kind 49 of FAULTS.md. */
    @Test
    void shouldPassEmptyQueueFiles() throws IOException
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 2);
        }
        for (int day = 1; day < 3; day++)
        {
            clock.day(day);
            makeEmptyFile();
        }
        assertEquals(3, queueFiles(directory).size());
        clock.day(4);
        try (Log log = Log.open(directory, clock); LogTailer live = log.tailer())
        {
            assertEquals(range(0, 2), payloads(live));
            assertEquals(2, log.appender().nextNumber());
            records.appendNumbered(log, 2);
            assertEquals(range(2, 4), payloads(live));
            assertEquals(range(0, 4), payloads(log.tailer()));
        }
    }

    private void makeEmptyFile()
    {
        try (ChronicleQueue queue = SingleChronicleQueueBuilder.binary(directory)
            .rollCycle(Log.ROLL_CYCLE).blockSize(Log.BLOCK_SIZE).timeProvider(clock::time).build();
            ExcerptAppender appender = queue.createAppender();
            DocumentContext context = appender.writingDocument())
        {
            context.rollbackOnClose();
        }
    }

    /** Kind 50 of FAULTS.md. */
    @Test
    void shouldStopAtAMissingQueueFileAndNameTheRecords() throws IOException
    {
        final long beforeTheGap = appendFourDays();
        Files.delete(queueFiles(directory).get(2));
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            for (int number = 0; number < 4; number++)
            {
                assertTrue(tailer.poll());
                assertEquals(number, payload(tailer));
            }
            for (int tries = 0; tries < 2; tries++)
            {
                final LogGapException gap = assertThrows(LogGapException.class, tailer::poll);
                assertEquals(4, gap.firstMissing());
                assertTrue(gap.getMessage().contains("lacks records 4 to"), gap.getMessage());
                assertTrue(gap.getMessage().contains(directory.toString()), gap.getMessage());
            }
            tailer.moveAfter(beforeTheGap, 3);
            final LogGapException gap = assertThrows(LogGapException.class, tailer::poll);
            assertEquals(5, gap.lastMissing());
        }
    }

    /** Kind 44 of FAULTS.md. */
    @Test
    void shouldRefuseAPositionInAMissingQueueFile() throws IOException
    {
        final long index = appendFourDays();
        final Path missing = queueFiles(directory).get(1);
        Files.delete(missing);
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            final LogException refusal = assertThrows(LogException.class, () -> tailer.moveAfter(index, 3));
            assertTrue(refusal.getMessage().contains("has no record 3"), refusal.getMessage());
            assertThrows(LogException.class, () -> tailer.moveBefore(4));
            tailer.moveBefore(5);
            assertEquals(range(5, 8), payloads(tailer));
        }
    }

    @Test
    void shouldTellTheOldestRecordWhenTheFirstFilesArePruned() throws IOException
    {
        appendFourDays();
        Files.delete(queueFiles(directory).get(0));
        try (Log log = Log.openReadOnly(directory); LogTailer tailer = log.tailer())
        {
            assertEquals(0, assertThrows(LogGapException.class, tailer::poll).firstMissing());
            assertEquals(2, tailer.toOldest());
            assertEquals(range(2, 8), payloads(tailer));
            tailer.moveBefore(2);
            assertEquals(range(2, 8), payloads(tailer));
            assertThrows(LogException.class, () -> tailer.moveBefore(1));
        }
        try (Log log = Log.open(directory, clock))
        {
            assertEquals(8, log.appender().nextNumber());
        }
    }

    /** Kind 54 of FAULTS.md. */
    @Test
    void shouldReadBesideAWriterWithoutWriting() throws IOException
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 2);
            try (Log reading = Log.openReadOnly(directory); LogTailer tailer = reading.tailer())
            {
                assertThrows(LogException.class, reading::appender);
                assertEquals(range(0, 2), payloads(tailer));
                clock.day(1);
                records.appendNumbered(log, 2);
                assertEquals(range(2, 4), payloads(tailer));
                clock.day(4);
                final int manyMegabytes = 700;
                for (int i = 4; i < manyMegabytes; i++)
                {
                    records.append(log.appender(), RecordLimits.MAX_LENGTH, i);
                }
                final List<byte[]> before = contents(directory);
                assertEquals(range(4, manyMegabytes), payloads(tailer));
                assertEquals(manyMegabytes - 1, reading.lastNumber());
                final List<byte[]> after = contents(directory);
                for (int i = 0; i < before.size(); i++)
                {
                    assertArrayEquals(before.get(i), after.get(i));
                }
            }
        }
    }

    @Test
    void shouldWriteTheSameBytesForTheSameInput(@TempDir final Path other) throws IOException
    {
        writeFourDaysOpening(directory, false);
        clock.day(0);
        writeFourDaysOpening(other, true);
        final List<Path> files = queueFiles(directory);
        assertEquals(4, files.size());
        for (final Path file : files)
        {
            assertEquals(-1, Files.mismatch(file, other.resolve(file.getFileName())), file.toString());
        }
    }

    private void writeFourDaysOpening(final Path log, final boolean eachTime)
    {
        Log open = Log.open(log, clock);
        for (int day = 0; day < 4; day++)
        {
            clock.day(day);
            for (int i = 0; i < 10; i++)
            {
                records.appendNumbered(open, 100);
                if (eachTime)
                {
                    open.close();
                    open = Log.open(log, clock);
                }
            }
        }
        open.close();
    }

    private long appendFourDays()
    {
        long index = -1;
        try (Log log = Log.open(directory, clock))
        {
            for (int day = 0; day < 4; day++)
            {
                clock.day(day);
                records.appendNumbered(log, 1);
                final long last = records.append(log.appender(), 64, log.appender().nextNumber());
                index = day == 1 ? last : index;
            }
        }
        return index;
    }

    private static List<byte[]> contents(final Path directory) throws IOException
    {
        final List<byte[]> contents = new ArrayList<>();
        try (Stream<Path> files = Files.list(directory))
        {
            for (final Path file : files.sorted().toList())
            {
                contents.add(Files.readAllBytes(file));
            }
        }
        return contents;
    }

    static List<Path> queueFiles(final Path directory) throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.filter(file -> file.toString().endsWith(".cq4")).sorted().toList();
        }
    }
}
