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
import java.util.concurrent.locks.LockSupport;

/**
 * Keeps old queue files from being taken away while somebody reads them: a repair, a rebuild, a replay. A locked file
 * under {@code holds} in the data directory; the kernel frees it when its holder dies, however it dies. Who takes files
 * away locks another one first and then looks for holds; who holds does so first and then waits for that one. So
 * neither can miss the other.
 */
public final class RetentionHold implements AutoCloseable
{
    private static final String DIRECTORY = "holds";
    private static final String RELEASE = "release";
    private static final long LOOK_INTERVAL_NS = 1_000_000;

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
            RetentionHold hold = null;
            while (hold == null)
            {
                hold = tryAcquire(directory);
            }
            lockRelease(directory).close();
            return hold;
        }
        catch (final IOException ex)
        {
            throw new LogException(dataDirectory + " cannot be held for reading (" + ex + ")", ex);
        }
    }

    /** A hold, or null when somebody took its file for that of a dead holder before it was locked. */
    private static RetentionHold tryAcquire(final Path directory) throws IOException
    {
        final Path file = Files.createTempFile(directory, "pid-" + ProcessHandle.current().pid() + "-", "");
        FileChannel channel = null;
        try
        {
            channel = FileChannel.open(file, StandardOpenOption.WRITE);
            channel.lock();
            // Files are only taken away under their lock: what is there now stays.
            if (Files.exists(file))
            {
                return new RetentionHold(file, channel);
            }
        }
        catch (final NoSuchFileException | OverlappingFileLockException ex)
        {
            Files.deleteIfExists(file);
        }
        if (channel != null)
        {
            channel.close();
        }
        return null;
    }

    /** Permission to take old queue files away; who wants to hold them waits until it is closed. */
    public static final class Release implements AutoCloseable
    {
        private final FileChannel channel;

        private Release(final FileChannel channel)
        {
            this.channel = channel;
        }

        @Override
        public void close()
        {
            try
            {
                channel.close();
            }
            catch (final IOException ex)
            {
                throw new LogException("the lock on old queue files cannot be released (" + ex + ")", ex);
            }
        }
    }

    /**
     * Asks to take old queue files away.
     *
     * @param dataDirectory of the pipeline.
     * @return null when somebody reads them.
     */
    public static Release tryRelease(final Path dataDirectory)
    {
        Release release = null;
        boolean isHeld = true;
        try
        {
            release = new Release(lockRelease(Files.createDirectories(dataDirectory.resolve(DIRECTORY))));
            isHeld = isHeld(dataDirectory);
            return isHeld ? null : release;
        }
        catch (final IOException ex)
        {
            throw new LogException(dataDirectory + " cannot be locked to take old files away (" + ex + ")", ex);
        }
        finally
        {
            if (isHeld && release != null)
            {
                release.close();
            }
        }
    }

    /** Waits for whoever has the lock, in this process or another one; nobody has it for long. */
    private static FileChannel lockRelease(final Path directory) throws IOException
    {
        final FileChannel channel = FileChannel.open(
            directory.resolve(RELEASE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        while (true)
        {
            try
            {
                channel.lock();
                return channel;
            }
            catch (final OverlappingFileLockException ex)
            {
                LockSupport.parkNanos(LOOK_INTERVAL_NS);
            }
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
                if (file.endsWith(RELEASE))
                {
                    continue;
                }
                if (!takeAwayUnlessLocked(file))
                {
                    return true;
                }
            }
            return false;
        }
        catch (final IOException ex)
        {
            throw new LogException(directory + " cannot be read (" + ex + ")", ex);
        }
    }

    private static boolean takeAwayUnlessLocked(final Path file) throws IOException
    {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
            FileLock lock = channel.tryLock())
        {
            if (lock != null)
            {
                Files.deleteIfExists(file);
            }
            return lock != null;
        }
        catch (final OverlappingFileLockException ex)
        {
            return false;
        }
        catch (final NoSuchFileException ex)
        {
            return true;
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
