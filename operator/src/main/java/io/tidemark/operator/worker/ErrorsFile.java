package io.tidemark.operator.worker;

import org.agrona.IoUtil;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.errors.ErrorConsumer;
import org.agrona.concurrent.errors.ErrorLogReader;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * A mapped file with the distinct errors of one process, {@code errors.dat} in the data directory: each with how often,
 * when first and when last. What an earlier process left, if anything, is kept as {@code errors.previous.dat}.
 */
public final class ErrorsFile implements AutoCloseable
{
    /** Name of the file in the data directory. */
    public static final String NAME = "errors.dat";

    /** Name of the file with the errors of the process before. */
    public static final String PREVIOUS_NAME = "errors.previous.dat";

    private static final int LENGTH = 1 << 18;

    private final MappedByteBuffer mapped;
    private final DistinctErrorLog log;

    private ErrorsFile(final MappedByteBuffer mapped, final EpochClock clock)
    {
        this.mapped = mapped;
        log = new DistinctErrorLog(new UnsafeBuffer(mapped), clock);
    }

    /**
     * Makes the file anew.
     *
     * @param dataDirectory of the pipeline.
     * @param clock         milliseconds since the Unix epoch.
     * @return the file.
     */
    public static ErrorsFile create(final Path dataDirectory, final EpochClock clock)
    {
        final Path file = dataDirectory.resolve(NAME);
        try
        {
            if (Files.isRegularFile(file))
            {
                if (hasErrors(file))
                {
                    Files.move(file, dataDirectory.resolve(PREVIOUS_NAME), StandardCopyOption.REPLACE_EXISTING);
                }
                else
                {
                    Files.delete(file);
                }
            }
            return new ErrorsFile(IoUtil.mapNewFile(file.toFile(), LENGTH), clock);
        }
        // Agrona throws more than it says.
        catch (final Exception ex)
        {
            throw CountersException.cannotWrite(file, ex);
        }
    }

    /** What a crash left half-made, or damaged, holds nothing that could be read. */
    private static boolean hasErrors(final Path file)
    {
        try
        {
            return read(file, (count, first, last, error) -> {}) > 0;
        }
        catch (final Exception ex)
        {
            return false;
        }
    }

    /**
     * Reads the errors in such a file.
     *
     * @param file     to read.
     * @param consumer is told each distinct error.
     * @return how many there are.
     */
    public static int read(final Path file, final ErrorConsumer consumer)
    {
        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, NAME);
        try
        {
            return ErrorLogReader.read(new UnsafeBuffer(mapped), consumer);
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }

    /**
     * Remembers an error.
     *
     * @param error that stopped something.
     */
    public void record(final Throwable error)
    {
        log.record(error);
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }
}
