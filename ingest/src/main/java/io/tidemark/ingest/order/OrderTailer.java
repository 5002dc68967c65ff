package io.tidemark.ingest.order;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.codec.BarrierDecoder;
import io.tidemark.ingest.codec.ControlDecoder;
import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.codec.RunsDecoder.EntriesDecoder;
import io.tidemark.ingest.codec.TickDecoder;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import org.agrona.DirectBuffer;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * Reads an order log: position by position with {@link #next()}, or run by run with {@link #nextRun()}. A position
 * belongs to the next record of a source, to a tick, or to what was asked for in the control log. Barriers stand
 * between positions and are passed over unless asked for. A new tailer stands before position 1. No allocation; one
 * thread at a time.
 */
public final class OrderTailer implements AutoCloseable
{
    /**
     * What {@link #source()} shows at a tick.
     */
    public static final int TICK = -1;

    /**
     * What {@link #source()} shows at a publication.
     */
    public static final int CONTROL = -2;

    /**
     * What {@link #source()} shows at a barrier.
     */
    public static final int BARRIER = -3;

    private static final int HEADER_LENGTH = MessageHeaderDecoder.ENCODED_LENGTH;
    private static final int TEMPLATE = MessageHeaderDecoder.templateIdEncodingOffset();
    private static final int SCHEMA = MessageHeaderDecoder.schemaIdEncodingOffset();
    private static final int FIRST_POSITION = HEADER_LENGTH + RunsDecoder.firstPositionEncodingOffset();
    private static final int TICK_NOW = HEADER_LENGTH + TickDecoder.nowNsEncodingOffset();
    private static final int BARRIER_REQUESTS = HEADER_LENGTH + BarrierDecoder.requestsEncodingOffset();
    private static final int CONTROL_FIRST = HEADER_LENGTH + ControlDecoder.firstRequestEncodingOffset();
    private static final int CONTROL_RECORDS = HEADER_LENGTH + ControlDecoder.recordsEncodingOffset();
    private static final int ENTRY_SOURCE = EntriesDecoder.sourceEncodingOffset();
    private static final int ENTRY_EVENTS = EntriesDecoder.eventsEncodingOffset();

    static
    {
        if (TickDecoder.positionEncodingOffset() != RunsDecoder.firstPositionEncodingOffset() ||
            BarrierDecoder.positionEncodingOffset() != RunsDecoder.firstPositionEncodingOffset() ||
            ControlDecoder.positionEncodingOffset() != RunsDecoder.firstPositionEncodingOffset())
        {
            throw new AssertionError("all records of the order log have their position in the same place");
        }
    }

    private final Log log;
    private final LogTailer records;
    private final int sources;
    private final boolean stopsAtBarriers;
    private int entriesLeft;
    private int entryOffset;
    private int entryLength;
    private int source = TICK;
    private long position;
    private long firstPositionOfRun = 1;
    private long lastPositionOfRun;
    private long nowNs = Long.MIN_VALUE;
    private long requests;
    private int controlRecords;

    /**
     * @param orderLog to read.
     * @param topology of the pipeline.
     */
    public OrderTailer(final Log orderLog, final Topology topology)
    {
        this(orderLog, topology, false);
    }

    /**
     * @param orderLog        to read.
     * @param topology        of the pipeline.
     * @param stopsAtBarriers whether {@link #next()} and {@link #nextRun()} stop at barriers too.
     */
    public OrderTailer(final Log orderLog, final Topology topology, final boolean stopsAtBarriers)
    {
        log = orderLog;
        records = orderLog.tailer();
        sources = topology.sources();
        this.stopsAtBarriers = stopsAtBarriers;
    }

    /**
     * Goes on to the next position, or barrier.
     *
     * @return false at the end of the order; a later call may find more.
     * @throws OrderException when the order log is damaged.
     */
    public boolean next()
    {
        if (position == lastPositionOfRun && !nextRun())
        {
            return false;
        }
        if (source != BARRIER)
        {
            position++;
        }
        return true;
    }

    /**
     * Goes on to the next run of one source, tick, publication or barrier, skipping what is left of this one.
     * Afterwards the tailer stands before the run's first position.
     *
     * @return false at the end of the order; a later call may find more.
     * @throws OrderException when the order log is damaged.
     */
    public boolean nextRun()
    {
        position = lastPositionOfRun;
        if (entriesLeft > 0)
        {
            nextEntry();
            return true;
        }
        do
        {
            if (!records.poll())
            {
                return false;
            }
            onRecord();
        }
        while (source == BARRIER && !stopsAtBarriers);
        return true;
    }

    /**
     * Goes behind a position, wherever it is in the log.
     *
     * @param lastPosition that was read; 0 for the place before position 1.
     * @throws OrderException when the order does not reach that position.
     */
    public void moveAfter(final long lastPosition)
    {
        final long number = recordThatHolds(lastPosition);
        lastPositionOfRun = number == 0 ? 0 : lastPositionBefore(number);
        records.moveBefore(number);
        entriesLeft = 0;
        position = lastPositionOfRun;
        while (lastPositionOfRun < lastPosition && nextRun())
        {
            // Runs up to the one that holds the position.
        }
        if (lastPositionOfRun < lastPosition || position > lastPosition)
        {
            throw new OrderException("order log " + log.directory() + " has no position " + lastPosition +
                ", it ends with " + lastPositionOfRun + "; start from an older checkpoint");
        }
        position = lastPosition;
    }

    /** Refuses an end that is none. */
    void requireEnd()
    {
        log.requireEnd(records);
    }

    /**
     * Positions grow with the numbers of the records: halves the range until one is left.
     */
    private long recordThatHolds(final long wantedPosition)
    {
        long low = records.toOldest();
        long high = log.lastNumber();
        if (wantedPosition == 0 || high < low)
        {
            return 0;
        }
        while (low < high)
        {
            final long middle = (low + high + 1) >>> 1;
            if (firstPositionOf(middle) <= wantedPosition)
            {
                low = middle;
            }
            else
            {
                high = middle - 1;
            }
        }
        return low;
    }

    /**
     * @return the position that the tailer stands on.
     */
    public long position()
    {
        return position;
    }

    /**
     * @return ordinal of the source whose next record has this position, or {@link #TICK}.
     */
    public int source()
    {
        return source;
    }

    /**
     * @return whether this position belongs to a tick.
     */
    public boolean isTick()
    {
        return source == TICK;
    }

    /**
     * @return of a tick: {@code arrival_now} in nanoseconds since the epoch.
     */
    public long nowNs()
    {
        return nowNs;
    }

    /**
     * @return number of positions in the run.
     */
    public long eventsOfRun()
    {
        return lastPositionOfRun - firstPositionOfRun + 1;
    }

    /**
     * @return last position of the run that the tailer stands in or before.
     */
    public long lastPositionOfRun()
    {
        return lastPositionOfRun;
    }

    /**
     * @return whether the tailer stands at a barrier, after {@link #position()}.
     */
    public boolean isBarrier()
    {
        return source == BARRIER;
    }

    /**
     * @return whether this position belongs to a publication.
     */
    public boolean isControl()
    {
        return source == CONTROL;
    }

    /**
     * @return of a publication: number of its first record in the control log; of a barrier: how many records of the
     * control log are behind it.
     */
    public long requests()
    {
        return requests;
    }

    /**
     * @return of a publication: how many records of the control log it has.
     */
    public int controlRecords()
    {
        return controlRecords;
    }

    /**
     * @return queue index of the record of the order log that holds this position.
     */
    public long index()
    {
        return records.index();
    }

    /**
     * @return number of that record in the order log.
     */
    public long number()
    {
        return records.number();
    }

    @Override
    public void close()
    {
        records.close();
    }

    private long firstPositionOf(final long number)
    {
        records.moveBefore(number);
        if (!records.poll())
        {
            throw damaged("it has no record " + number);
        }
        return records.buffer().getLong(records.offset() + FIRST_POSITION, LITTLE_ENDIAN);
    }

    private long lastPositionBefore(final long number)
    {
        final long first = firstPositionOf(number);
        final int template = unsignedShort(records.buffer(), records.offset() + TEMPLATE);
        return template == BarrierDecoder.TEMPLATE_ID ? first : first - 1;
    }

    private void onRecord()
    {
        final DirectBuffer buffer = records.buffer();
        final int offset = records.offset();
        final int template = unsignedShort(buffer, offset + TEMPLATE);
        if (unsignedShort(buffer, offset + SCHEMA) != RunsDecoder.SCHEMA_ID)
        {
            throw damaged("it holds a record of another schema");
        }
        final long expected = template == BarrierDecoder.TEMPLATE_ID ? position : position + 1;
        if (buffer.getLong(offset + FIRST_POSITION, LITTLE_ENDIAN) != expected)
        {
            throw damaged("it goes from position " + position + " to " +
                buffer.getLong(offset + FIRST_POSITION, LITTLE_ENDIAN));
        }
        switch (template)
        {
            case RunsDecoder.TEMPLATE_ID:
                final int entries = offset + HEADER_LENGTH + unsignedShort(buffer, offset);
                entryLength = unsignedShort(buffer, entries);
                entriesLeft = unsignedShort(buffer, entries + Short.BYTES);
                entryOffset = entries + EntriesDecoder.sbeHeaderSize();
                nextEntry();
                break;

            case TickDecoder.TEMPLATE_ID:
                nowNs = buffer.getLong(offset + TICK_NOW, LITTLE_ENDIAN);
                onSingle(TICK);
                break;

            case ControlDecoder.TEMPLATE_ID:
                requests = buffer.getLong(offset + CONTROL_FIRST, LITTLE_ENDIAN);
                controlRecords = buffer.getInt(offset + CONTROL_RECORDS, LITTLE_ENDIAN);
                onSingle(CONTROL);
                break;

            case BarrierDecoder.TEMPLATE_ID:
                requests = buffer.getLong(offset + BARRIER_REQUESTS, LITTLE_ENDIAN);
                source = BARRIER;
                break;

            default:
                throw damaged("it holds a record of unknown kind " + template);
        }
    }

    private void onSingle(final int kind)
    {
        source = kind;
        firstPositionOfRun = position + 1;
        lastPositionOfRun = firstPositionOfRun;
    }

    private void nextEntry()
    {
        final DirectBuffer buffer = records.buffer();
        source = unsignedShort(buffer, entryOffset + ENTRY_SOURCE);
        final long events = buffer.getInt(entryOffset + ENTRY_EVENTS, LITTLE_ENDIAN) & 0xFFFF_FFFFL;
        if (entriesLeft == 0 || source >= sources || events == 0)
        {
            throw damaged("after position " + position + " it names " + events + " records of source " + source +
                " of " + sources);
        }
        firstPositionOfRun = position + 1;
        lastPositionOfRun = position + events;
        entryOffset += entryLength;
        entriesLeft--;
    }

    private OrderException damaged(final String what)
    {
        return new OrderException("order log " + log.directory() + " is damaged at index 0x" +
            Long.toHexString(records.index()) + ": " + what + "; restore the data directory from a backup");
    }

    private static int unsignedShort(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset, LITTLE_ENDIAN) & 0xFFFF;
    }
}
