package io.tidemark.ingest.log;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Keeps old queue files from being taken away while somebody reads them: a repair, a rebuild, a replay. A locked file
 * under {@code holds} in the data directory; the kernel frees it when its holder dies, however it dies.
 */
public final class RetentionHold implements AutoCloseable
{
    private static final String DIRECTORY = "holds";

    private final Path file;
    private final FileChannel channel;

    private RetentionHold(final Path file, final FileChannel channel)
    {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Holds all queue files of a pipeline where they are.
     *
     * @param dataDirectory of the pipeline.
     * @return the hold, until it is closed or the process ends.
     */
    public static RetentionHold acquire(final Path dataDirectory)
    {
        try
        {
            final Path directory = Files.createDirectories(dataDirectory.resolve(DIRECTORY));
            final Path file = Files.createTempFile(directory, "pid-" + ProcessHandle.current().pid() + "-", "");
            final FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            channel.lock();
            return new RetentionHold(file, channel);
        }
        catch (final IOException ex)
        {
            throw new LogException(dataDirectory + " cannot be held for reading (" + ex + ")", ex);
        }
    }

    /**
     * Whether somebody reads old queue files. What dead holders left is taken away.
     *
     * @param dataDirectory of the pipeline.
     * @return true while there is a hold.
     */
    public static boolean isHeld(final Path dataDirectory)
    {
        final Path directory = dataDirectory.resolve(DIRECTORY);
        if (!Files.isDirectory(directory))
        {
            return false;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory))
        {
            for (final Path file : files)
            {
                if (isLocked(file))
                {
                    return true;
                }
                Files.deleteIfExists(file);
            }
            return false;
        }
        catch (final IOException ex)
        {
            throw new LogException(directory + " cannot be read (" + ex + ")", ex);
        }
    }

    private static boolean isLocked(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock())
        {
            return lock == null;
        }
        catch (final OverlappingFileLockException ex)
        {
            return true;
        }
        catch (final NoSuchFileException ex)
        {
            return false;
        }
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
            Files.deleteIfExists(file);
        }
        catch (final IOException ex)
        {
            throw new LogException(file + " cannot be released (" + ex + ")", ex);
        }
    }
}
