package io.tidemark.ingest.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * An operating-system lock on a directory: one process at a time uses it. The kernel frees it when its holder dies,
 * however it dies, so whoever has it may take any other mark of a holder in that directory (Chronicle's lock words,
 * which name a pid that a new container has too) for stale.
 * <p>
 * The file {@code lock} in the directory stays after the release; it names the holder for the message of the next one.
 */
public final class DataLock implements AutoCloseable
{
    static final String FILE_NAME = "lock";

    private static final int MAX_HOLDER_LENGTH = 200;

    /**
     * POSIX drops all of a process's locks on a file when any of its descriptors of that file is closed: within a
     * process a second attempt must be turned away before it opens the file.
     */
    private static final Set<Path> HELD_HERE = ConcurrentHashMap.newKeySet();

    private final Path directory;
    private final FileChannel channel;

    private DataLock(final Path directory, final FileChannel channel)
    {
        this.directory = directory;
        this.channel = channel;
    }

    /**
     * Locks a directory, which is created where it does not exist.
     *
     * @param directory to lock.
     * @return the lock, held until closed or until the process ends.
     * @throws LogException naming the process that holds it, or saying why the lock file cannot be written.
     */
    public static DataLock acquire(final Path directory)
    {
        Path real = directory;
        try
        {
            Files.createDirectories(directory);
            real = directory.toRealPath();
            if (!HELD_HERE.add(real))
            {
                throw new LogException(directory + " is in use by this very process; close its other user first");
            }
            return lock(real);
        }
        catch (final IOException ex)
        {
            HELD_HERE.remove(real);
            throw new LogException(directory + " cannot be locked for writing (" + ex +
                "); check that the directory and its file " + FILE_NAME + " are writable", ex);
        }
    }

    /**
     * Whether a process uses a directory at this moment.
     *
     * @param directory that may be locked.
     * @return false when nobody does.
     */
    public static boolean isHeld(final Path directory)
    {
        try
        {
            if (HELD_HERE.contains(directory.toRealPath()))
            {
                return true;
            }
            final Path file = directory.resolve(FILE_NAME);
            if (!Files.exists(file))
            {
                return false;
            }
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock())
            {
                return lock == null;
            }
        }
        catch (final IOException ex)
        {
            throw new LogException(directory + " cannot be looked at (" + ex + ")", ex);
        }
    }

    private static DataLock lock(final Path real) throws IOException
    {
        boolean locked = false;
        final FileChannel channel = FileChannel.open(real.resolve(FILE_NAME), StandardOpenOption.CREATE,
            StandardOpenOption.READ, StandardOpenOption.WRITE);
        try
        {
            final FileLock lock = channel.tryLock();
            if (lock == null)
            {
                throw new LogException(real + " is in use by another process (" + holder(channel) +
                    "); stop that process, or use another data directory");
            }
            writeHolder(channel);
            locked = true;
            return new DataLock(real, channel);
        }
        finally
        {
            if (!locked)
            {
                channel.close();
                HELD_HERE.remove(real);
            }
        }
    }

    private static void writeHolder(final FileChannel channel) throws IOException
    {
        final ProcessHandle self = ProcessHandle.current();
        final String started = self.info().startInstant().map(Instant::toString).orElse("unknown");
        channel.truncate(0);
        channel.write(ByteBuffer.wrap(("pid " + self.pid() + ", started " + started + "\n").getBytes(UTF_8)), 0);
    }

    private static String holder(final FileChannel channel) throws IOException
    {
        final ByteBuffer text = ByteBuffer.allocate(MAX_HOLDER_LENGTH);
        channel.read(text, 0);
        final String holder = new String(text.array(), 0, text.position(), UTF_8).trim();
        return holder.isEmpty() ? "which has not said its pid yet" : holder;
    }

    /**
     * @return the locked directory.
     */
    public Path directory()
    {
        return directory;
    }

    @Override
    public void close()
    {
        if (!channel.isOpen())
        {
            return;
        }
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new LogException("lock of " + directory + " cannot be released (" + ex + ")", ex);
        }
        finally
        {
            HELD_HERE.remove(directory);
        }
    }
}
