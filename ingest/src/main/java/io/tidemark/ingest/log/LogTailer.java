package io.tidemark.ingest.log;

import net.openhft.chronicle.bytes.Bytes;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.queue.TailerDirection;
import net.openhft.chronicle.queue.impl.single.SingleChronicleQueue;
import net.openhft.chronicle.wire.DocumentContext;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.file.Path;
import java.util.function.Consumer;

/**
 * Reads a log in place, record by record, without allocation. It notices when records are missing, which Chronicle
 * does not. A new tailer stands before record 0. One thread at a time.
 */
public final class LogTailer implements AutoCloseable
{
    private final Path log;
    private final SingleChronicleQueue queue;
    private final ExcerptTailer excerpts;
    private final Consumer<LogTailer> onClose;
    private final boolean forward;
    private final UnsafeBuffer record = new UnsafeBuffer(0, 0);
    private final BlockScanner scanner = new BlockScanner();
    private DocumentContext open;
    private boolean scanned;
    private long index = -1;
    private long number = -1;
    private long nextNumber;

    LogTailer(
        final Path log,
        final SingleChronicleQueue queue,
        final ExcerptTailer excerpts,
        final Consumer<LogTailer> onClose)
    {
        this.onClose = onClose;
        this.log = log;
        this.queue = queue;
        this.excerpts = excerpts;
        forward = excerpts.direction() == TailerDirection.FORWARD;
        excerpts.singleThreadedCheckDisabled(true);
        if (forward)
        {
            toOldestFile();
        }
    }

    /**
     * Goes on to the next record. What the tailer showed before is no longer valid, whatever the outcome.
     *
     * @return false at the end of the log; a later call may find more.
     * @throws LogGapException when records are missing before the next one.
     */
    public boolean poll()
    {
        if (!pollUnchecked())
        {
            return false;
        }
        if (number != nextNumber)
        {
            throw gap();
        }
        nextNumber++;
        return true;
    }

    /**
     * @return memory that holds the record, valid until the next call of any method that moves the tailer.
     */
    public DirectBuffer buffer()
    {
        return record;
    }

    /**
     * @return where the record starts in {@link #buffer()}.
     */
    public int offset()
    {
        return 0;
    }

    /**
     * @return length of the record in bytes.
     */
    public int length()
    {
        return record.capacity();
    }

    /**
     * @return queue index of the record that was polled last: what others may store to find it again; never to
     * calculate with. -1 before record 0.
     */
    public long index()
    {
        return index;
    }

    /**
     * @return number in its log of the record that was polled last, or behind which the tailer was sent; -1 before
     * record 0.
     */
    public long number()
    {
        return number;
    }

    /**
     * Goes before record 0. The next {@link #poll()} fails with a gap when that is no longer there.
     */
    public void toStart()
    {
        toOldestFile();
        nextNumber = 0;
        number = -1;
        index = -1;
    }

    /**
     * Goes before the oldest record that is still kept, whatever its number.
     *
     * @return number of that record, 0 when the log is empty.
     */
    public long toOldest()
    {
        toOldestFile();
        nextNumber = pollUnchecked() ? number : 0;
        toOldestFile();
        return nextNumber;
    }

    /**
     * Goes behind a record, so that the next one polled is the one after it.
     *
     * @param recordIndex  queue index of the record.
     * @param recordNumber its number; -1 (and any index) for the place before record 0.
     * @throws LogException when that record is not there: the position is not available, and to go on from any other
     *                      would lose or repeat records.
     */
    public void moveAfter(final long recordIndex, final long recordNumber)
    {
        if (recordNumber < 0)
        {
            toStart();
            return;
        }
        closeOpen();
        // The answer of moveToIndex proves nothing, reading the record does.
        final boolean found = isMovedTo(recordIndex) && pollUnchecked() && index == recordIndex;
        if (!found || number != recordNumber)
        {
            requireNotAhead(recordNumber);
            throw new LogException("log " + log + " has no record " + recordNumber + " at index 0x" +
                Long.toHexString(recordIndex) + (found ? " (record " + number + " is there)" : "") +
                ", from where reading should go on; put the missing queue file back, or start from an older " +
                "checkpoint");
        }
        nextNumber = recordNumber + 1;
    }

    /**
     * Goes before a record that is known by its number only, so that it is the next one polled.
     *
     * @param recordNumber of a record that is there, or the one that the next append will get.
     * @throws LogException when the log neither has that record nor the one before it.
     */
    public void moveBefore(final long recordNumber)
    {
        if (recordNumber == 0)
        {
            toStart();
            return;
        }
        // Files are few and each starts with a known number: from the newest back, the first that starts low enough.
        final long wanted = recordNumber - 1;
        for (int cycle = queue.lastCycle(), first = queue.firstCycle(); cycle >= first && cycle >= 0; cycle--)
        {
            closeOpen();
            final long start = queue.rollCycle().toIndex(cycle, 0);
            if (isMovedTo(start) && pollUnchecked() && index == start && number <= wanted)
            {
                final long there = queue.rollCycle().toIndex(cycle, wanted - number);
                moveAfter(there, wanted);
                return;
            }
        }
        if (toOldest() != recordNumber)
        {
            throw new LogException("log " + log + " has no record " + recordNumber + ", its oldest is " + nextNumber +
                "; put the missing queue file back, or start from a newer checkpoint");
        }
        number = recordNumber - 1;
        index = -1;
    }

    @Override
    public void close()
    {
        closeOpen();
        excerpts.close();
        onClose.accept(this);
    }

    private boolean isMovedTo(final long recordIndex)
    {
        try
        {
            return excerpts.moveToIndex(recordIndex);
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            throw Log.unreadable(log, ex);
        }
    }

    /** Whether there is a next record; the tailer stays where it is. */
    boolean isMore()
    {
        final long here = number;
        final long hereIndex = index;
        final boolean isMore = poll();
        moveAfter(hereIndex, here);
        return isMore;
    }

    private void requireNotAhead(final long recordNumber)
    {
        final long lastNumber = numberAtEnd();
        if (lastNumber < recordNumber)
        {
            throw new LogException("log " + log + " has no record " + recordNumber + ", to which its reader had " +
                "got: it ends with record " + lastNumber + ", so it has lost what came after its last sync, or " +
                "the reader belongs to other data; put the missing queue files back, or let the reader start anew");
        }
    }

    /** The number of the last record; of a log whose end can't be found the largest there is. */
    private long numberAtEnd()
    {
        try
        {
            final ExcerptTailer backward = queue.createTailer().direction(TailerDirection.BACKWARD).toEnd();
            try (LogTailer last = new LogTailer(log, queue, backward, closed -> {}))
            {
                return last.pollUnchecked() ? last.number : -1;
            }
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            return Long.MAX_VALUE;
        }
    }

    boolean pollUnchecked()
    {
        try
        {
            return pollNext();
        }
        catch (final InternalError ex)
        {
            // So the JVM tells that a mapped file ends before what is read of it.
            throw Log.unreadable(log, ex);
        }
    }

    private boolean pollNext()
    {
        final int length = scanner.poll();
        if (length == BlockScanner.NOTHING_YET)
        {
            return false;
        }
        if (length == BlockScanner.ASK_CHRONICLE)
        {
            return pollChronicle();
        }
        scanned = true;
        // Inside a file the next record has the next index.
        index++;
        onRecord(scanner.recordAddress(), length);
        return true;
    }

    private boolean pollChronicle()
    {
        if (scanned)
        {
            catchUpChronicle();
        }
        closeOpen();
        final DocumentContext context;
        try
        {
            context = excerpts.readingDocument();
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            if (excerpts.isClosed())
            {
                throw new IllegalStateException("the reader of log " + log + " is closed", ex);
            }
            throw Log.unreadable(log, ex);
        }
        if (!context.isPresent())
        {
            return false;
        }
        open = context;
        final Bytes<?> bytes = context.wire().bytes();
        index = excerpts.index();
        onRecord(bytes.addressForRead(bytes.readPosition()), (int)bytes.readRemaining());
        if (forward)
        {
            scanner.startAfter(bytes);
        }
        return true;
    }

    /**
     * Chronicle's tailer stands where the scan began: sends it to the last record that was scanned.
     */
    private void catchUpChronicle()
    {
        closeOpen();
        if (excerpts.moveToIndex(index))
        {
            final DocumentContext context = excerpts.readingDocument();
            if (context.isPresent() && excerpts.index() == index)
            {
                open = context;
                return;
            }
        }
        throw new LogException("log " + log + " no longer has the record at index 0x" + Long.toHexString(index) +
            " that was read a moment ago; restore the data directory from a backup");
    }

    private void onRecord(final long address, final int length)
    {
        record.wrap(address, length);
        if (length < RecordLimits.MIN_LENGTH)
        {
            throw new LogException("log " + log + " has a record of " + record.capacity() + " bytes at index 0x" +
                Long.toHexString(index) + ": its queue file is damaged; restore the data directory from a backup");
        }
        number = RecordNumber.of(record, 0);
        if (!RecordNumber.holds(address, length))
        {
            throw new LogException("log " + log + " is damaged at index 0x" + Long.toHexString(index) + " (" +
                QueueFiles.name(queue.rollCycle().toCycle(index)) + "): record " + number +
                " is not what was written; restore that file from a backup");
        }
    }

    private void toOldestFile()
    {
        closeOpen();
        try
        {
            moveToOldestFile();
        }
        catch (final Exception | AssertionError | InternalError ex)
        {
            throw Log.unreadable(log, ex);
        }
    }

    private void moveToOldestFile()
    {
        final int first = queue.firstCycle();
        final int oldest = first == Integer.MAX_VALUE || QueueFiles.exists(log, first) ?
            first : QueueFiles.oldestCycle(log);
        if (oldest == first || oldest < 0)
        {
            excerpts.toStart();
        }
        else
        {
            // Where the first file that Chronicle remembers is gone it would show an empty log.
            excerpts.moveToIndex(queue.rollCycle().toIndex(oldest, 0));
        }
    }

    private void closeOpen()
    {
        scanner.stop();
        scanned = false;
        record.wrap(0, 0);
        if (open != null)
        {
            open.close();
            open = null;
        }
    }

    private LogException gap()
    {
        final String found = "after record " + (nextNumber - 1) + " comes record " + number + " at index 0x" +
            Long.toHexString(index);
        return number > nextNumber ?
            new LogGapException(log, nextNumber, number - 1, found) :
            new LogException("log " + log + " repeats itself: " + found + "; restore the data directory from a backup");
    }
}
