package io.tidemark.ingest.log;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * That {@link Log#sync()} makes the real system call, and that this covers what was written through the mapping: the
 * kernel says of each mapped page whether it is newer than its file.
 */
class LogSyncTest
{
    private static final Path SMAPS = Path.of("/proc/self/smaps");

    @TempDir
    Path directory;

    @Test
    void shouldBringWhatWasAppendedThroughTheMappingToTheDisk() throws IOException
    {
        assumeTrue(Files.isReadable(SMAPS) && !Files.getFileStore(directory).type().equals("tmpfs"));
        final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(1_000));
        try (Log log = Log.open(directory, () -> 0))
        {
            for (int i = 0; i < 1_000; i++)
            {
                log.appender().append(record, 0, record.capacity());
            }
            assertTrue(dirtyKib() > 900, () -> "only " + dirtyKibUnchecked() + " KiB to write");
            log.sync();
            assertEquals(0, dirtyKib());
        }
    }

    private long dirtyKibUnchecked()
    {
        try
        {
            return dirtyKib();
        }
        catch (final IOException ex)
        {
            return -1;
        }
    }

    /** KiB of this log's queue files that are mapped and newer than what is on the disk. */
    private long dirtyKib() throws IOException
    {
        long dirty = 0;
        boolean isOurs = false;
        for (final String line : Files.readAllLines(SMAPS))
        {
            if (Character.isLowerCase(line.charAt(0)) || Character.isDigit(line.charAt(0)))
            {
                isOurs = line.contains(directory.toString()) && line.endsWith(QueueFiles.SUFFIX);
            }
            else if (isOurs && (line.startsWith("Shared_Dirty:") || line.startsWith("Private_Dirty:")))
            {
                dirty += Long.parseLong(line.replaceAll("\\D", ""));
            }
        }
        return dirty;
    }
}
