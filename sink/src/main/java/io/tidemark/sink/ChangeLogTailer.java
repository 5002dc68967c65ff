package io.tidemark.sink;

import java.nio.file.Path;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.CloseHelper;

/**
 * Tails the change log of a pipeline for services on the same host: a callback per change-set, read in place, nothing
 * allocated for it. Works beside the engine that writes the log, in its process or another, and after it.
 * <p>
 * A consumer that remembers the identity of the last change-set that it has dealt with, with what it did about it, sees
 * every change-set exactly once over any number of restarts: {@link #moveAfter(long, int, long)}.
 * <pre>{@code
 * try (ChangeLogTailer tailer = ChangeLogTailer.open(dataDirectory))
 * {
 *     tailer.moveAfter(lastPosition, lastSlot, lastOrdinal); // left out at the first start
 *     while (running)
 *     {
 *         idleStrategy.idle(tailer.poll(consumer, 100));
 *     }
 * }
 * }</pre>
 * One thread at a time.
 */
public final class ChangeLogTailer implements AutoCloseable
{
    private static final String DIRECTORY = "changes";

    private final Log log;
    private final LogTailer tailer;
    private final ChangeSetCursor cursor = new ChangeSetCursor();
    private long number = -1;

    private ChangeLogTailer(final Log log)
    {
        this.log = log;
        tailer = log.tailer();
    }

    /**
     * Whether a pipeline has a change log yet.
     *
     * @param dataDirectory of the pipeline.
     * @return false before its first run.
     */
    public static boolean exists(final Path dataDirectory)
    {
        return Log.exists(dataDirectory.resolve(DIRECTORY));
    }

    /**
     * Opens the change log of a pipeline, before its first change-set.
     *
     * @param dataDirectory of the pipeline.
     * @return the tailer.
     * @throws io.tidemark.ingest.log.LogException when there is none, or a JVM flag is missing.
     */
    public static ChangeLogTailer open(final Path dataDirectory)
    {
        return new ChangeLogTailer(Log.openReadOnly(dataDirectory.resolve(DIRECTORY)));
    }

    /** Goes before the first change-set. */
    public void toStart()
    {
        cursor.reset();
        tailer.toStart();
        number = -1;
    }

    /**
     * Goes behind a change-set, so that the next one handed out is the one after it in the log. Looks for it from the
     * start, some 20 million records a second.
     *
     * @param position of a change-set in the log.
     * @param slot     of the same.
     * @param ordinal  of the same.
     * @throws TableException when the log has no such change-set.
     */
    public void moveAfter(final long position, final int slot, final long ordinal)
    {
        toStart();
        while (tailer.poll())
        {
            final boolean isWhole = cursor.add(tailer.buffer(), tailer.offset(), tailer.length());
            number = tailer.number();
            if (cursor.position() > position)
            {
                break;
            }
            if (isWhole && cursor.position() == position && cursor.slot() == slot && cursor.ordinal() == ordinal)
            {
                cursor.reset();
                return;
            }
        }
        toStart();
        throw new TableException("change log " + log.directory() + " has no change-set " +
            new ChangeSetIdentity(position, slot, ordinal) + "; read it from the start");
    }

    /**
     * Goes behind a record known by its number, which must be the last of a change-set; at once, in a log of any
     * length.
     *
     * @param recordNumber what {@link #number()} was; -1 for the start.
     * @param recordDigest what {@link #lastRecordDigest()} was.
     * @return false when the log does not reach so far.
     * @throws TableException when another record has that number.
     */
    public boolean moveAfter(final long recordNumber, final long recordDigest)
    {
        if (recordNumber < 0)
        {
            toStart();
            return true;
        }
        if (log.lastNumber() < recordNumber)
        {
            return false;
        }
        cursor.reset();
        tailer.moveBefore(recordNumber);
        tailer.poll();
        final long found =
            RecordDigest.of(RecordDigest.EMPTY, tailer.buffer(), tailer.offset(), tailer.length());
        if (found != recordDigest)
        {
            throw new TableException("record " + recordNumber + " of change log " + log.directory() +
                " is not the one that the sink has applied last: the tables were filled from another change log; " +
                "name another database, or empty this one");
        }
        number = recordNumber;
        return true;
    }

    /**
     * Hands out what the log has.
     *
     * @param consumer is called for each change-set.
     * @param limit    most change-sets to hand out.
     * @return number handed out; less than the limit at the end of the log, where a later call may find more.
     */
    public int poll(final ChangeSetConsumer consumer, final int limit)
    {
        int count = 0;
        while (count < limit && tailer.poll())
        {
            if (cursor.add(tailer.buffer(), tailer.offset(), tailer.length()))
            {
                number = tailer.number();
                count++;
                consumer.onChangeSet(cursor);
                cursor.reset();
            }
        }
        return count;
    }

    /**
     * Number of the last record of the change-set that was handed out last: an ordinal in the log that only grows.
     *
     * @return from 0; -1 before the first.
     */
    public long number()
    {
        return number;
    }

    /**
     * Digest of the record that {@link #number()} names. Only within the callback.
     *
     * @return what {@link #moveAfter(long, long)} compares.
     */
    public long lastRecordDigest()
    {
        return RecordDigest.of(RecordDigest.EMPTY, tailer.buffer(), tailer.offset(), tailer.length());
    }

    /**
     * Number of the newest record of the log. Looks it up; not for every change-set.
     *
     * @return -1 when the log is empty.
     */
    public long newestNumber()
    {
        return log.lastNumber();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(tailer, log);
    }
}
