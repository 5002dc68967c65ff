package io.tidemark.sink.view;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.function.Consumer;

import io.tidemark.operator.change.RowIds;
import io.tidemark.sink.TableException;
import org.agrona.CloseHelper;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Reads the current table in place, in any process on the host, beside the pipeline that changes it and after that has
 * died. Each call sees the table as it was after one change-set, {@link #changeNumber()}, whole: all of its changes or
 * none. Later calls see later tables, never an earlier one. It takes no locks, writes nothing, and waits for nobody.
 * <pre>{@code
 * try (ViewReader view = ViewReader.open(dataDirectory))
 * {
 *     view.forEachRow("merchant-17", row -> sum += row.value());
 * }
 * }</pre>
 * One thread at a time; any number of readers. Opening needs the right to write to the view's files, as Chronicle Map
 * asks for it; nothing is written.
 */
public final class ViewReader implements AutoCloseable
{
    private static final int MOST_TRIES = 1_000;
    private static final int STEPS_BETWEEN_LOOKS = 512;

    /** Read what cannot be: memory was used again, or files are gone. Start again. */
    private static final class MovedOnException extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        private MovedOnException()
        {
            super("the view has moved on", null, false, false);
        }
    }

    private final ViewControl control;
    private final UnsafeBuffer wanted = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private final ViewRow current = new ViewRow();
    private final ExpandableArrayBuffer found = new ExpandableArrayBuffer();
    private ViewPages pages;
    private long generation;
    private long header;
    private long round;
    private long x;
    private long position;
    private long steps;
    private long pageEnd;

    private ViewReader(final ViewControl control)
    {
        this.control = control;
    }

    /**
     * Whether a pipeline has a view.
     *
     * @param dataDirectory of the pipeline.
     * @return false before its first run with a sink of this type.
     */
    public static boolean exists(final Path dataDirectory)
    {
        return ViewControl.exists(dataDirectory);
    }

    /**
     * Opens the view of a pipeline.
     *
     * @param dataDirectory of the pipeline.
     * @return the reader.
     * @throws TableException when there is no view, or it has never been complete.
     */
    public static ViewReader open(final Path dataDirectory)
    {
        final ViewReader reader = new ViewReader(ViewControl.openReadOnly(dataDirectory));
        try
        {
            reader.trying(reader::begin);
            return reader;
        }
        catch (final RuntimeException e)
        {
            reader.close();
            throw e;
        }
    }

    /**
     * Number, in the change log, of the change-set after which the last call saw the table. The call that opened the
     * reader counts too.
     *
     * @return from 0; -1 before the first change-set.
     */
    public long changeNumber()
    {
        return x;
    }

    /**
     * Position of the event that caused that change-set.
     *
     * @return from 1; 0 before the first.
     */
    public long position()
    {
        return position;
    }

    /**
     * Looks where the table is now.
     *
     * @return as {@link #changeNumber()} after it.
     */
    public long refresh()
    {
        trying(this::begin);
        return x;
    }

    /**
     * Looks a row up.
     *
     * @param rowId as exports show it (INTERFACE.md, "Row ids").
     * @param into  is filled when there is one.
     * @return whether there is.
     */
    public boolean find(final String rowId, final ViewRow into)
    {
        final byte[] bytes = rowId.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > RowIds.MAX_LENGTH)
        {
            return false;
        }
        wanted.putBytes(0, bytes);
        final long hash = ViewHash.ofRowId(wanted, bytes.length);
        final boolean[] isFound = {false};
        trying(() ->
        {
            begin();
            isFound[0] = findRow(hash, bytes.length, into);
        });
        return isFound[0];
    }

    /**
     * Hands out all current rows of a key in the order of their times: {@link ViewRow#time()}, then
     * {@link ViewRow#time2()}. They are copied before the first is handed out.
     *
     * @param key      whose rows.
     * @param consumer of each; the row is valid during the call.
     * @return number of rows.
     */
    public int forEachRow(final String key, final Consumer<ViewRow> consumer)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > 255)
        {
            return 0;
        }
        wanted.putBytes(0, bytes);
        final int[] length = {0};
        trying(() ->
        {
            begin();
            length[0] = copyRows(bytes.length);
        });
        return handOut(length[0], bytes, consumer);
    }

    /**
     * Hands out all current rows of all keys, in no order, one after the other as they are read.
     *
     * @param consumer of each; the row is valid during the call.
     * @return false when the table changed so much meanwhile that not all could be read; then what was handed out is
     *         to be thrown away.
     */
    public boolean forEachRow(final Consumer<ViewRow> consumer)
    {
        trying(this::begin);
        try
        {
            final long directory = directory();
            final long places = 1L << UnsafeApi.getLong(directory + HeaderDescriptor.TABLE_BITS_OFFSET);
            for (long place = 0; place < places; place++)
            {
                final long word = word(directory, place);
                if ((int)word != 0 && copyRow((int)word, current))
                {
                    if (!isValid())
                    {
                        return false;
                    }
                    consumer.accept(current);
                }
            }
            return isValid();
        }
        catch (final MovedOnException e)
        {
            return false;
        }
    }

    private void trying(final Runnable read)
    {
        for (int i = 0; i < MOST_TRIES; i++)
        {
            try
            {
                steps = 0;
                read.run();
                if (isValid())
                {
                    return;
                }
            }
            catch (final MovedOnException e)
            {
                Thread.onSpinWait();
            }
        }
        throw new TableException("the view in " + control.directory() + " changes faster than it can be read here");
    }

    private void begin()
    {
        final long newest = control.generation();
        if (newest != generation || pages == null)
        {
            reopen(newest);
        }
        round = UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.ROUND_OFFSET);
        long seen;
        do
        {
            seen = UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.X_OFFSET);
            position = UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.POSITION_OFFSET);
        }
        while (seen != UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.X_OFFSET));
        x = seen;
    }

    private void reopen(final long newest)
    {
        if (newest == 0)
        {
            throw new TableException("the view in " + control.directory() + " is not complete yet; try again soon");
        }
        CloseHelper.close(pages);
        pages = new ViewPages(control.filesOf(newest));
        generation = newest;
        if (!pages.open(1))
        {
            pages = null;
            throw new MovedOnException();
        }
        header = pages.address(0);
        openFiles();
    }

    private void openFiles()
    {
        if (!pages.open((int)UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.FILES_OFFSET)))
        {
            CloseHelper.close(pages);
            pages = null;
            throw new MovedOnException();
        }
    }

    /** Whether nothing that was read since {@link #begin} can have been pulled away. */
    private boolean isValid()
    {
        UnsafeApi.loadFence();
        return pages != null &&
            UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.HORIZON_OFFSET) <= x &&
            UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.REUSED_OFFSET) <= round;
    }

    /** Ends walks through memory that has become something else. */
    private void step()
    {
        if (++steps % STEPS_BETWEEN_LOOKS == 0 && !isValid())
        {
            throw new MovedOnException();
        }
    }

    private long directory()
    {
        final long directory = page((int)UnsafeApi.getLongAcquire(null, header + HeaderDescriptor.TABLE_OFFSET));
        final long bits = UnsafeApi.getLong(directory + HeaderDescriptor.TABLE_BITS_OFFSET);
        if (bits < HeaderDescriptor.WORDS_A_PAGE_BITS || bits > HeaderDescriptor.MAX_TABLE_BITS)
        {
            throw new MovedOnException();
        }
        return directory;
    }

    private long word(final long directory, final long place)
    {
        step();
        final long page = page(UnsafeApi.getInt(directory + HeaderDescriptor.tablePageOffset(place)));
        return UnsafeApi.getLongAcquire(null, page + HeaderDescriptor.wordOffset(place));
    }

    private long page(final int number)
    {
        long address = pages.address(number);
        if (address == 0)
        {
            openFiles();
            address = pages.address(number);
        }
        if (address == 0)
        {
            throw new MovedOnException();
        }
        return address;
    }

    private boolean findRow(final long hash, final int length, final ViewRow into)
    {
        final long directory = directory();
        final long mask = (1L << UnsafeApi.getLong(directory + HeaderDescriptor.TABLE_BITS_OFFSET)) - 1;
        for (long place = (hash >>> 7) & mask; ; place = (place + 1) & mask)
        {
            final long word = word(directory, place);
            if (word == HeaderDescriptor.EMPTY)
            {
                return false;
            }
            if (HeaderDescriptor.isOf(word, hash) && copyRow((int)word, into) && into.hasRowId(wanted, length))
            {
                return true;
            }
        }
    }

    private long findKey(final int length)
    {
        final long hash = ViewHash.ofKey(wanted, 0, length);
        final long directory = directory();
        final long mask = (1L << UnsafeApi.getLong(directory + HeaderDescriptor.TABLE_BITS_OFFSET)) - 1;
        for (long place = (hash >>> 7) & mask; ; place = (place + 1) & mask)
        {
            final long word = word(directory, place);
            if (word == HeaderDescriptor.EMPTY)
            {
                return 0;
            }
            if (HeaderDescriptor.isOf(word, hash))
            {
                final long key = record((int)word);
                if (isKey(key, length))
                {
                    return key;
                }
            }
        }
    }

    private boolean isKey(final long key, final int length)
    {
        if (UnsafeApi.getByte(key) != RecordDescriptor.KEY ||
            (UnsafeApi.getByte(key + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF) != length ||
            room(key) < RecordDescriptor.KEY_OFFSET + length)
        {
            return false;
        }
        for (int i = 0; i < length; i++)
        {
            if (UnsafeApi.getByte(key + RecordDescriptor.KEY_OFFSET + i) != wanted.getByte(i))
            {
                return false;
            }
        }
        return true;
    }

    /** Copies the rows of a key, each with its length in front; returns how much it is. */
    private int copyRows(final int keyLength)
    {
        final long key = findKey(keyLength);
        int at = 0;
        if (key != 0)
        {
            int ref = nextOf(key + RecordDescriptor.KEY_FIRST_OFFSET);
            while (ref != 0)
            {
                step();
                final long row = record(ref);
                if (copyRecord(row, current) && isVisible(current))
                {
                    final int length = current.length();
                    found.putInt(at, length);
                    found.putBytes(at + Integer.BYTES, current.bytes(), 0, length);
                    at += Integer.BYTES + length;
                }
                ref = nextOf(row + RecordDescriptor.NEXT_OFFSET);
            }
        }
        return at;
    }

    private static int nextOf(final long address)
    {
        return UnsafeApi.getIntAcquire(null, address);
    }

    private int handOut(final int length, final byte[] key, final Consumer<ViewRow> consumer)
    {
        int count = 0;
        current.bytes().putBytes(current.keyAt(), key);
        current.keyLength(key.length);
        for (int at = 0; at < length; at += Integer.BYTES + found.getInt(at))
        {
            current.bytes().putBytes(0, found, at + Integer.BYTES, found.getInt(at));
            consumer.accept(current);
            count++;
        }
        return count;
    }

    /** Copies a row and its key; returns whether it is one, and current at X. */
    private boolean copyRow(final int ref, final ViewRow into)
    {
        if (!copyRecord(record(ref), into) || !isVisible(into))
        {
            return false;
        }
        final long key = record(into.bytes().getInt(RecordDescriptor.ROW_KEY_OFFSET));
        final int length = UnsafeApi.getByte(key + RecordDescriptor.KEY_LENGTH_OFFSET) & 0xFF;
        if (room(key) < RecordDescriptor.KEY_OFFSET + length)
        {
            throw new MovedOnException();
        }
        for (int i = 0; i < length; i++)
        {
            into.bytes().putByte(into.keyAt() + i, UnsafeApi.getByte(key + RecordDescriptor.KEY_OFFSET + i));
        }
        into.keyLength(length);
        return true;
    }

    private boolean isVisible(final ViewRow row)
    {
        return row.inserted() <= x && x < row.bytes().getLong(RecordDescriptor.RETIRED_OFFSET);
    }

    private boolean copyRecord(final long address, final ViewRow into)
    {
        final int length = (int)Math.min(RecordDescriptor.MAX_ROW_LENGTH, room(address));
        UnsafeApi.copyMemory(null, address, into.bytes().byteArray(), into.bytes().addressOffset(), length);
        return into.isPlausible();
    }

    private long record(final int ref)
    {
        if (ref == 0)
        {
            throw new MovedOnException();
        }
        final long page = page(RecordDescriptor.page(ref));
        pageEnd = page + ViewPages.PAGE_SIZE;
        return page + RecordDescriptor.offset(ref);
    }

    /** Bytes from the record that was found last to the end of its page. */
    private long room(final long address)
    {
        return pageEnd - address;
    }

    @Override
    public void close()
    {
        CloseHelper.close(pages);
        pages = null;
        control.close();
    }
}
