package io.tidemark.ingest.log;

import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptAppender;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;

import static io.tidemark.ingest.log.Records.payloads;
import static io.tidemark.ingest.log.Records.range;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Directories that are not what they should be are refused with a sentence that names them.
 */
class LogDamageTest
{
    @TempDir
    private Path directory;

    private final Records records = new Records();
    private final DayClock clock = new DayClock();

    @ParameterizedTest
    @ValueSource(ints = {0, 10, 200})
    void shouldRefuseMetadataThatWasCutShort(final int length) throws IOException
    {
        appendOne();
        final Path metadata = directory.resolve(QueueMetadata.FILE_NAME);
        Files.write(metadata, Arrays.copyOf(Files.readAllBytes(metadata), length));
        assertRefused(QueueMetadata.FILE_NAME);
    }

    @Test
    void shouldRefuseMetadataThatIsSomethingElse() throws IOException
    {
        appendOne();
        final byte[] noise = new byte[65_536];
        Arrays.fill(noise, (byte)'x');
        Files.write(directory.resolve(QueueMetadata.FILE_NAME), noise);
        assertRefused(QueueMetadata.FILE_NAME);
    }

    @Test
    void shouldRefuseQueueFilesWithoutMetadata() throws IOException
    {
        appendOne();
        Files.delete(directory.resolve(QueueMetadata.FILE_NAME));
        assertRefused(QueueMetadata.FILE_NAME);
        assertThrows(LogException.class, () -> Log.openReadOnly(directory));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 131_072})
    void shouldMakeMetadataAnewThatDiedInTheMaking(final int length) throws IOException
    {
        Files.write(directory.resolve(QueueMetadata.FILE_NAME), new byte[length]);
        appendOne();
        try (Log log = Log.openReadOnly(directory))
        {
            assertEquals(range(0, 1), payloads(log.tailer()));
        }
    }

    /** Kind 54 of FAULTS.md. */
    @Test
    void shouldRefuseMetadataThatCannotBeWritten() throws IOException, InterruptedException
    {
        appendOne();
        final Path metadata = directory.resolve(QueueMetadata.FILE_NAME);
        assumeTrue(immutable(metadata, "+i"), "needs chattr, and root");
        try
        {
            assertRefused("not writable");
        }
        finally
        {
            assertTrue(immutable(metadata, "-i"));
        }
    }

    private static boolean immutable(final Path file, final String flag) throws IOException, InterruptedException
    {
        try
        {
            return new ProcessBuilder("chattr", flag, file.toString()).start().waitFor() == 0;
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** Kind 55 of FAULTS.md. */
    @Test
    void shouldRefuseALogThatRollsDifferently()
    {
        try (ChronicleQueue queue = SingleChronicleQueueBuilder.binary(directory)
            .rollCycle(RollCycles.FAST_HOURLY).build(); ExcerptAppender appender = queue.createAppender())
        {
            appender.writeText("not ours");
        }
        assertRefused("FAST_HOURLY");
        final LogException refusal = assertThrows(LogException.class, () -> Log.openReadOnly(directory));
        assertTrue(refusal.getMessage().contains("FAST_HOURLY"), refusal.getMessage());
    }

    @Test
    void shouldRefuseToReadWhatDoesNotExist()
    {
        assertThrows(LogException.class, () -> Log.openReadOnly(directory));
        assertFalse(Log.exists(directory));
    }

    /** Kind 52 of FAULTS.md. */
    @Test
    void shouldStopBeforeTheDiskIsFullAndGoOnWhenThereIsSpace() throws IOException
    {
        assertThrows(LogFullException.class, () -> Log.open(directory, clock, Long.MAX_VALUE));
        final long usable = Files.getFileStore(directory).getUsableSpace();
        try (Log log = Log.open(directory, clock, usable / 2))
        {
            records.appendNumbered(log, 5);
        }
        try (Log log = Log.open(directory, clock, Long.MAX_VALUE))
        {
            final LogFullException full =
                assertThrows(LogFullException.class, () -> records.appendNumbered(log, 1));
            assertTrue(full.getMessage().contains(directory.toString()), full.getMessage());
            assertEquals(4, log.lastNumber());
        }
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 1);
            assertEquals(range(0, 6), payloads(log.tailer()));
        }
    }

    private void appendOne()
    {
        try (Log log = Log.open(directory, clock))
        {
            records.appendNumbered(log, 1);
        }
    }

    private void assertRefused(final String because)
    {
        final LogException refusal = assertThrows(LogException.class, () -> Log.open(directory, clock));
        assertTrue(refusal.getMessage().contains(because), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(directory.toString()), refusal.getMessage());
        // The lock went with the refusal: the next attempt is refused for the same reason, not for another.
        assertEquals(refusal.getMessage(),
            assertThrows(LogException.class, () -> Log.open(directory, clock)).getMessage());
    }
}
