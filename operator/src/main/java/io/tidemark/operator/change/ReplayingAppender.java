package io.tidemark.operator.change;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogAppender;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.log.RecordNumber;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.file.Path;

/**
 * Appends to a log that may already hold records of an earlier run (SEMANTICS.md section 9): as long as it does, each
 * new record is compared with the one that stands in its place, byte for byte with its number, and not appended again.
 * A difference stops the worker with both versions shown.
 * <p>
 * Single-threaded; the log is its owner's to close. Allocates only while the log is behind, and then nothing per
 * record.
 */
public final class ReplayingAppender implements RecordAppender, AutoCloseable
{
    private final Path directory;
    private final String beforeAppend;
    private final String afterAppend;
    private final LogAppender appender;
    private final long lastRecorded;
    private LogTailer recorded;
    private long lastNumber;
    private long lastIndex;

    /**
     * Stands before the first record of a log.
     *
     * @param log open for appending.
     */
    public ReplayingAppender(final Log log)
    {
        this(log, -1, 0);
    }

    /**
     * Stands behind a record of a log.
     *
     * @param log    open for appending.
     * @param number of the record, -1 for the place before the first.
     * @param index  queue index of that record.
     * @throws io.tidemark.ingest.log.LogException when that record is not there.
     */
    public ReplayingAppender(final Log log, final long number, final long index)
    {
        directory = log.directory();
        beforeAppend = directory.getFileName() + ".before-append";
        afterAppend = directory.getFileName() + ".after-append";
        appender = log.appender();
        lastRecorded = log.lastNumber();
        lastNumber = number;
        lastIndex = index;
        if (lastRecorded >= 0 || number >= 0)
        {
            recorded = log.tailer();
            boolean isThere = false;
            try
            {
                recorded.moveAfter(index, number);
                isThere = true;
            }
            finally
            {
                if (!isThere || number == lastRecorded)
                {
                    close();
                }
            }
        }
    }

    @Override
    public void append(final MutableDirectBuffer record, final int offset, final int length)
    {
        if (recorded == null)
        {
            CrashPoint.hit(beforeAppend);
            lastNumber = appender.nextNumber();
            lastIndex = appender.append(record, offset, length);
            CrashPoint.hit(afterAppend);
        }
        else
        {
            compare(record, offset, length);
        }
    }

    /**
     * Number of the last record that was appended or compared.
     *
     * @return -1 before the first.
     */
    public long lastNumber()
    {
        return lastNumber;
    }

    /**
     * Queue index of the last record that was appended or compared.
     *
     * @return means nothing before the first.
     */
    public long lastIndex()
    {
        return lastIndex;
    }

    /**
     * How many records of earlier runs have not been compared yet. When the order has no more events from before,
     * none may be left.
     *
     * @return number of records.
     */
    public long recordsAhead()
    {
        return recorded == null ? 0 : lastRecorded - lastNumber;
    }

    /**
     * Refuses records of an earlier run that this run did not make. To be called when all that an earlier run can
     * have processed has been processed again.
     *
     * @throws ReplayMismatchException when the log holds more.
     */
    public void requireNoneAhead()
    {
        if (recorded != null && recorded.poll())
        {
            throw new ReplayMismatchException(
                directory, recorded.number(), recorded.index(), recorded.buffer(), recorded.offset(),
                recorded.length(), null, 0, 0);
        }
    }

    @Override
    public void close()
    {
        if (recorded != null)
        {
            recorded.close();
            recorded = null;
        }
    }

    private void compare(final MutableDirectBuffer record, final int offset, final int length)
    {
        if (!recorded.poll())
        {
            throw new LogException("log " + directory + " is damaged after record " + lastNumber +
                ": nothing can be read there, but it has records up to " + lastRecorded +
                "; restore it from a backup, or delete the whole log: it is made again");
        }
        RecordNumber.stamp(record, offset, length, recorded.number());
        if (length != recorded.length() || !isEqual(record, offset, recorded.buffer(), recorded.offset(), length))
        {
            throw new ReplayMismatchException(
                directory, recorded.number(), recorded.index(), recorded.buffer(), recorded.offset(),
                recorded.length(), record, offset, length);
        }
        lastNumber = recorded.number();
        lastIndex = recorded.index();
        if (lastNumber == lastRecorded)
        {
            close();
        }
    }

    static boolean isEqual(
        final DirectBuffer a, final int aOffset, final DirectBuffer b, final int bOffset, final int length)
    {
        int i = 0;
        for (; i + Long.BYTES <= length; i += Long.BYTES)
        {
            if (a.getLong(aOffset + i) != b.getLong(bOffset + i))
            {
                return false;
            }
        }
        for (; i < length; i++)
        {
            if (a.getByte(aOffset + i) != b.getByte(bOffset + i))
            {
                return false;
            }
        }
        return true;
    }
}
