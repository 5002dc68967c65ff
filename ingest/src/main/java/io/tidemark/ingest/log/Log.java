package io.tidemark.ingest.log;

import net.openhft.chronicle.core.time.TimeProvider;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.RollCycle;
import net.openhft.chronicle.queue.RollCycles;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.queue.impl.TableStore;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueueBuilder;
import net.openhft.chronicle.queue.impl.table.AbstractTSQueueLock;
import net.openhft.chronicle.queue.impl.table.ReadonlyTableStore;
import org.agrona.CloseHelper;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.SystemEpochClock;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A log: a Chronicle queue in a directory of its own, one SBE message a record, numbered 0, 1, 2, ... (see
 * {@link RecordLimits}). One process appends to it, which an operating-system lock in the directory enforces; any
 * number of processes read.
 * <p>
 * What Chronicle does of its own, and would not tell, ends here: a clock that was set back, another roll cycle than
 * ours, metadata that cannot be written, and the lock word of a writer that died.
 * <p>
 * A log may be opened in one thread and used in another. Its appender and each tailer belong to one thread at a time.
 */
public final class Log implements AutoCloseable
{
    static final RollCycle ROLL_CYCLE = RollCycles.FAST_DAILY;
    static final long BLOCK_SIZE = 16 << 20;
    /**
     * Chronicle waits this long (half as long again for its locks) before it takes a half-written header for
     * abandoned. There is one appender, so nobody has to be waited for.
     */
    static final long TIMEOUT_MS = 200;

    private final Path directory;
    private final DataLock lock;
    private final SingleChronicleQueue queue;
    private final long reserveBytes;
    /**
     * Tailers read mapped memory without asking Chronicle: they have to be stopped before it is unmapped.
     */
    private final Set<LogTailer> tailers = ConcurrentHashMap.newKeySet();
    private LogAppender appender;
    private int syncedCycle = -1;

    private Log(
        final Path directory, final DataLock lock, final SingleChronicleQueue queue, final long reserveBytes)
    {
        this.reserveBytes = reserveBytes;
        this.directory = directory;
        this.lock = lock;
        this.queue = queue;
    }

    /**
     * Opens a log to append to and to read, and creates it where it does not exist. What a process that died has left
     * behind is cleared away.
     *
     * @param directory of the log.
     * @param clock     in milliseconds since the epoch: it picks the day, and so the file, of an append.
     * @return the log.
     * @throws LogException when another process appends to it, when it cannot be written, when its roll cycle is not
     *                      ours, when it would be new and the disk is nearly full, or when a JVM flag is missing.
     */
    public static Log open(final Path directory, final EpochClock clock)
    {
        return open(directory, clock, FreeSpace.RESERVE_BYTES);
    }

    static Log open(final Path directory, final EpochClock clock, final long reserveBytes)
    {
        JvmFlags.check();
        final DataLock lock = DataLock.acquire(directory);
        SingleChronicleQueue queue = null;
        boolean opened = false;
        try
        {
            QueueMetadata.prepareToAppend(directory);
            if (!exists(directory))
            {
                new FreeSpace(directory, reserveBytes).check();
            }
            final CycleClock cycleClock = new CycleClock(clock);
            queue = build(directory, cycleClock, false);
            clearLeftOverLocks(queue);
            final int lastCycle = queue.lastCycle();
            if (lastCycle >= 0)
            {
                cycleClock.raiseTo(queue.epoch() + (long)lastCycle * ROLL_CYCLE.lengthInMillis());
            }
            final Log log = new Log(directory, lock, queue, reserveBytes);
            opened = true;
            return log;
        }
        finally
        {
            if (!opened)
            {
                if (queue != null)
                {
                    queue.close();
                }
                lock.close();
            }
        }
    }

    /**
     * Opens a log that exists, to read beside the process that appends to it. Nothing is ever written.
     *
     * @param directory of the log.
     * @return the log.
     * @throws LogException when there is no log, or its roll cycle is not ours, or when a JVM flag is missing.
     */
    public static Log openReadOnly(final Path directory)
    {
        JvmFlags.check();
        if (!exists(directory))
        {
            throw new LogException("there is no log in " + directory + "; check the data directory");
        }
        QueueMetadata.checkReadable(directory);
        return new Log(directory, null, build(directory, SystemEpochClock.INSTANCE::time, true), 0);
    }

    /**
     * Opens a log to read beside the process that appends to it, or is going to: where there is none it is created,
     * empty.
     *
     * @param directory of the log.
     * @param clock     in milliseconds since the epoch.
     * @return the log.
     */
    public static Log openReadOnlyOrCreate(final Path directory, final EpochClock clock)
    {
        if (!exists(directory))
        {
            try
            {
                open(directory, clock).close();
            }
            catch (final LogException ex)
            {
                // Who is going to append may have been quicker.
                if (!exists(directory))
                {
                    throw ex;
                }
            }
        }
        return openReadOnly(directory);
    }

    /**
     * @param directory that may hold a log.
     * @return whether a log was ever opened there for appending.
     */
    public static boolean exists(final Path directory)
    {
        return QueueMetadata.exists(directory);
    }

    /**
     * @return the one appender of this log.
     * @throws LogException when the log was opened read-only.
     */
    public LogAppender appender()
    {
        if (lock == null)
        {
            throw new LogException("log " + directory + " was opened to be read only");
        }
        if (appender == null)
        {
            appender = new LogAppender(directory, queue, reserveBytes, lastNumber() + 1);
        }
        return appender;
    }

    /**
     * @return a new tailer, standing before record 0. It is closed with the log, which must not happen while another
     * thread polls it.
     */
    public LogTailer tailer()
    {
        final LogTailer tailer = new LogTailer(directory, queue, excerpts(), tailers::remove);
        tailers.add(tailer);
        return tailer;
    }

    private ExcerptTailer excerpts()
    {
        try
        {
            return queue.createTailer();
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            throw unreadable(directory, ex);
        }
    }

    /**
     * Looks it up in the log; any thread may ask.
     *
     * @return number of the last record, -1 when the log is empty.
     * @throws LogException when the log is damaged at its end, or is ours to append to and has no end.
     */
    public long lastNumber()
    {
        final ExcerptTailer backward;
        try
        {
            backward = queue.createTailer().direction(TailerDirection.BACKWARD).toEnd();
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            throw unreadable(directory, ex);
        }
        try (LogTailer last = new LogTailer(directory, queue, backward, closed -> {});
            LogTailer next = new LogTailer(directory, queue, excerpts(), closed -> {}))
        {
            long number = -1;
            if (last.pollUnchecked())
            {
                number = last.number();
                next.moveAfter(last.index(), number);
            }
            else
            {
                next.toOldest();
            }
            // Where its own book-keeping is damaged Chronicle takes the beginning for the end.
            boolean isPassed = false;
            while (next.poll())
            {
                number = next.number();
                isPassed = true;
            }
            if (isPassed && lock != null)
            {
                throw new LogException("log " + directory + " is damaged: it goes on to record " + number +
                    " behind what it says is its end; restore it from a backup");
            }
            return number;
        }
    }

    /**
     * Refuses a log in which a reader came to an end that is none: what is between there and the last record was
     * zeroed, and would be passed over in silence.
     *
     * @param tailer that has just found no next record.
     * @throws LogException naming the place.
     */
    public void requireEnd(final LogTailer tailer)
    {
        final long last = lastNumber();
        if (last > tailer.number() && !tailer.isMore())
        {
            throw new LogException("log " + directory + " is damaged after record " + tailer.number() +
                ": nothing can be read there, but it has records up to " + last + "; restore it from a backup");
        }
    }

    /**
     * Brings all records to the disk, those of other processes too, so that they survive a loss of power: Chronicle's
     * own sync is asynchronous, and covers one block. What is written through a mapping is in the page cache of its
     * file, and the system call that this makes writes all of that out, whoever wrote it.
     *
     * @throws LogException when the disk refuses.
     */
    public void sync()
    {
        syncedCycle = QueueFiles.sync(directory, syncedCycle);
    }

    /**
     * @return the cycles that have a file, ascending: days since the epoch.
     */
    public int[] cycles()
    {
        return QueueFiles.cycles(directory);
    }

    /**
     * @param index queue index of a record.
     * @return cycle of the file that holds it.
     */
    public int cycleOf(final long index)
    {
        return queue.rollCycle().toCycle(index);
    }

    /**
     * Takes away the files of all cycles before one, but never the last file, by which the log goes on numbering.
     *
     * @param cycle that stays.
     * @return how many files were deleted.
     */
    public int deleteBefore(final int cycle)
    {
        final int[] cycles = cycles();
        int deleted = 0;
        for (int i = 0; i < cycles.length - 1 && cycles[i] < cycle; i++)
        {
            QueueFiles.delete(directory, cycles[i]);
            deleted++;
            CrashPoint.hit("cycles.mid-delete");
        }
        if (deleted > 0)
        {
            queue.refreshDirectoryListing();
        }
        return deleted;
    }

    /**
     * @return directory of the log.
     */
    public Path directory()
    {
        return directory;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(tailers);
        if (appender != null)
        {
            appender.close();
        }
        queue.close();
        if (lock != null)
        {
            lock.close();
        }
    }

    /** What Chronicle throws at a file that is damaged or gone, in a sentence; what we throw, as it is. */
    static LogException unreadable(final Path directory, final Throwable cause)
    {
        if (cause instanceof final LogException ours)
        {
            return ours;
        }
        // Chronicle throws what its signatures don't say: that a file is another one's, or none, is an IOException.
        return cause instanceof IOException ? new LogException("log " + directory + " cannot be read (" +
            cause.getMessage() + "); check that its queue files are files that this user may read and write", cause) :
            new LogException("log " + directory + " cannot be read (" + cause.getClass().getSimpleName() +
            "): one of its queue files is damaged or missing; restore the data directory from a backup", cause);
    }

    private static SingleChronicleQueue build(final Path directory, final TimeProvider time, final boolean readOnly)
    {
        final SingleChronicleQueue queue;
        try
        {
            queue = SingleChronicleQueueBuilder.binary(directory)
                .rollCycle(ROLL_CYCLE)
                .blockSize(BLOCK_SIZE)
                .timeoutMS(TIMEOUT_MS)
                .timeProvider(time)
                .readOnly(readOnly)
                .build();
        }
        catch (final RuntimeException ex)
        {
            throw new LogException("log " + directory + " cannot be opened (" + ex + "): its " +
                QueueMetadata.FILE_NAME + " is damaged or not ours; restore the data directory from a backup", ex);
        }
        final boolean metadataUnusable =
            queue.metaStore() instanceof ReadonlyTableStore || (!readOnly && queue.metaStore().readOnly());
        if (metadataUnusable || queue.rollCycle() != ROLL_CYCLE)
        {
            final RollCycle found = queue.rollCycle();
            queue.close();
            throw new LogException(metadataUnusable ?
                "log " + directory + " cannot be used: its " + QueueMetadata.FILE_NAME +
                " cannot be opened or is damaged" :
                "log " + directory + " rolls by " + found + ", not by " + ROLL_CYCLE +
                ": it was not made by this program, or by another version; use another data directory");
        }
        return queue;
    }

    /**
     * We hold the directory's lock, so whoever these name is dead, be it a process with our own pid in the container
     * before this one.
     */
    private static void clearLeftOverLocks(final SingleChronicleQueue queue)
    {
        final TableStore<?> metaStore = queue.metaStore();
        metaStore.doWithExclusiveLock(
            store ->
            {
                store.acquireValueFor("chronicle.write.lock", AbstractTSQueueLock.UNLOCKED)
                    .setOrderedValue(AbstractTSQueueLock.UNLOCKED);
                store.acquireValueFor("chronicle.append.lock", AbstractTSQueueLock.UNLOCKED)
                    .setOrderedValue(AbstractTSQueueLock.UNLOCKED);
                return null;
            });
    }
}
