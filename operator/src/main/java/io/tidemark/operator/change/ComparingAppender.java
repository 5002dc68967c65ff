package io.tidemark.operator.change;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.log.RecordNumber;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;
import java.nio.file.Path;

/**
 * Compares the records of a replay with a log and writes nothing (SEMANTICS.md section 9). What the replay makes beyond
 * the end of the log is only counted: an earlier run did not get that far, or another process is getting there now.
 */
public final class ComparingAppender implements RecordAppender, AutoCloseable
{
    private static final int POSITION_OFFSET = 16;

    private final Path directory;
    private final LogTailer recorded;
    private long compared;
    private long beyond;

    /**
     * Stands behind a record.
     *
     * @param log    to compare with.
     * @param number of the record, -1 for the place before the first.
     * @param index  queue index of that record.
     */
    public ComparingAppender(final Log log, final long number, final long index)
    {
        directory = log.directory();
        recorded = log.tailer();
        recorded.moveAfter(index, number);
    }

    @Override
    public void append(final MutableDirectBuffer record, final int offset, final int length)
    {
        if (beyond > 0 || !recorded.poll())
        {
            beyond++;
            return;
        }
        RecordNumber.stamp(record, offset, length, recorded.number());
        if (length != recorded.length() ||
            !ReplayingAppender.isEqual(record, offset, recorded.buffer(), recorded.offset(), length))
        {
            throw new ReplayMismatchException(directory, recorded.number(), recorded.index(), recorded.buffer(),
                recorded.offset(), recorded.length(), record, offset, length);
        }
        compared++;
    }

    /**
     * Refuses a record that the replay should have made and did not.
     *
     * @param lastPosition of the replay.
     * @throws ReplayMismatchException when the log has another record of a position up to that.
     */
    public void requireNoneUpTo(final long lastPosition)
    {
        if (beyond == 0 && recorded.poll() &&
            recorded.buffer().getLong(recorded.offset() + POSITION_OFFSET, ByteOrder.LITTLE_ENDIAN) <= lastPosition)
        {
            throw new ReplayMismatchException(directory, recorded.number(), recorded.index(), recorded.buffer(),
                recorded.offset(), recorded.length(), null, 0, 0);
        }
    }

    /**
     * Records that were the same.
     *
     * @return number of them.
     */
    public long compared()
    {
        return compared;
    }

    /**
     * Records that the log does not hold yet.
     *
     * @return number of them.
     */
    public long beyond()
    {
        return beyond;
    }

    @Override
    public void close()
    {
        recorded.close();
    }
}
