package io.tidemark.sink;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Arrays;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A mapped file that shows how far the sink is, {@code sink.dat} in the data directory. Tools read it at any time, also
 * while its owner hangs or when it has ended.
 * <pre>
 *   0         8     16      24         32        40       48      56        64       72
 *  +---------+-----+-------+----------+---------+--------+-------+---------+--------+-----------+-----+
 *  | version | pid | state | number   | position| late   | sets  | changes | skipped| fenced    | ... |
 *  +---------+-----+-------+----------+---------+--------+-------+---------+--------+-----------+-----+
 *   80           88         96       104              128
 *  +------------+----------+--------+------ ... ------+---------- up to 896 bytes -----------+
 *  | reconnects | aliveMs  | length | (unused)        | trouble, UTF-8                       |
 *  +------------+----------+--------+-----------------+--------------------------------------+
 * </pre>
 * All numbers are int64 in the byte order of the machine. Nothing in it is a secret.
 */
public final class SinkMarkFile implements AutoCloseable
{
    /** Name of the file in the data directory. */
    public static final String NAME = "sink.dat";

    private static final long VERSION = 1;
    private static final int VERSION_OFFSET = 0;
    private static final int PID_OFFSET = 8;
    private static final int STATE_OFFSET = 16;
    private static final int NUMBER_OFFSET = 24;
    private static final int POSITION_OFFSET = 32;
    private static final int LATE_OFFSET = 40;
    private static final int CHANGE_SETS_OFFSET = 48;
    private static final int CHANGES_OFFSET = 56;
    private static final int SKIPPED_OFFSET = 64;
    private static final int FENCED_OFFSET = 72;
    private static final int RECONNECTS_OFFSET = 80;
    private static final int ALIVE_OFFSET = 88;
    private static final int TROUBLE_LENGTH_OFFSET = 96;
    private static final int TROUBLE_OFFSET = 128;
    private static final int LENGTH = 1024;

    /** What a sink is doing. */
    public enum State
    {
        /** It has not reached its table yet, or has lost it, and tries again. */
        CONNECTING,
        /** It applies what comes. */
        WORKING,
        /** The log does not fit the table: it has given up. */
        FAILED,
        /** Its process ended in order. */
        ENDED
    }

    /**
     * What the file says.
     *
     * @param pid        of the sink's process.
     * @param state      of the sink.
     * @param number     last record of the change log that is applied.
     * @param position   of its event.
     * @param lateNumber last record of the late log that is applied.
     * @param changeSets applied by that process.
     * @param changes    applied by that process.
     * @param skipped    change-sets that had been applied before.
     * @param fenced     change-sets refused because their slot has a newer owner.
     * @param reconnects how often it had to connect again.
     * @param aliveMs    when it was last seen, milliseconds since the epoch.
     * @param trouble    what is wrong; empty when nothing is.
     */
    public record Mark(
        long pid,
        State state,
        long number,
        long position,
        long lateNumber,
        long changeSets,
        long changes,
        long skipped,
        long fenced,
        long reconnects,
        long aliveMs,
        String trouble)
    {
    }

    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private String shownTrouble = "";

    private SinkMarkFile(final MappedByteBuffer mapped)
    {
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
    }

    /** Makes the file anew. */
    static SinkMarkFile create(final Path dataDirectory)
    {
        final Path file = dataDirectory.resolve(NAME);
        final Path unfinished = dataDirectory.resolve(NAME + ".new");
        try
        {
            Files.deleteIfExists(unfinished);
            final SinkMarkFile created = new SinkMarkFile(IoUtil.mapNewFile(unfinished.toFile(), LENGTH));
            created.buffer.putLong(PID_OFFSET, ProcessHandle.current().pid());
            created.buffer.putLong(NUMBER_OFFSET, -1);
            created.buffer.putLong(LATE_OFFSET, -1);
            created.buffer.putLongVolatile(VERSION_OFFSET, VERSION);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return created;
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException("cannot write " + file + "; check the data directory's permissions", e);
        }
    }

    /**
     * Reads the file of a sink that runs or has ended.
     *
     * @param dataDirectory of the pipeline.
     * @return what it says; null when there is none, or none of this version.
     */
    public static Mark read(final Path dataDirectory)
    {
        final Path file = dataDirectory.resolve(NAME);
        if (!Files.isRegularFile(file))
        {
            return null;
        }
        final MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, NAME);
        try
        {
            final UnsafeBuffer in = new UnsafeBuffer(mapped);
            if (in.capacity() < LENGTH || in.getLongVolatile(VERSION_OFFSET) != VERSION)
            {
                return null;
            }
            final byte[] trouble = new byte[(int)in.getLongVolatile(TROUBLE_LENGTH_OFFSET)];
            in.getBytes(TROUBLE_OFFSET, trouble);
            return new Mark(
                in.getLong(PID_OFFSET), State.values()[(int)in.getLongVolatile(STATE_OFFSET)],
                in.getLongVolatile(NUMBER_OFFSET), in.getLongVolatile(POSITION_OFFSET),
                in.getLongVolatile(LATE_OFFSET), in.getLongVolatile(CHANGE_SETS_OFFSET),
                in.getLongVolatile(CHANGES_OFFSET), in.getLongVolatile(SKIPPED_OFFSET),
                in.getLongVolatile(FENCED_OFFSET), in.getLongVolatile(RECONNECTS_OFFSET),
                in.getLongVolatile(ALIVE_OFFSET), new String(trouble, StandardCharsets.UTF_8));
        }
        finally
        {
            IoUtil.unmap(mapped);
        }
    }

    void show(final SinkProgress progress, final State state, final long nowMs)
    {
        if (!progress.trouble().equals(shownTrouble))
        {
            shownTrouble = progress.trouble();
            final byte[] bytes = shownTrouble.getBytes(StandardCharsets.UTF_8);
            final byte[] shown = Arrays.copyOf(bytes, Math.min(bytes.length, LENGTH - TROUBLE_OFFSET));
            buffer.putBytes(TROUBLE_OFFSET, shown);
            buffer.putLongRelease(TROUBLE_LENGTH_OFFSET, shown.length);
        }
        buffer.putLongRelease(POSITION_OFFSET, progress.position());
        buffer.putLongRelease(LATE_OFFSET, progress.lateNumber());
        buffer.putLongRelease(CHANGE_SETS_OFFSET, progress.changeSets());
        buffer.putLongRelease(CHANGES_OFFSET, progress.changes());
        buffer.putLongRelease(SKIPPED_OFFSET, progress.skipped());
        buffer.putLongRelease(FENCED_OFFSET, progress.fenced());
        buffer.putLongRelease(RECONNECTS_OFFSET, progress.reconnects());
        buffer.putLongRelease(NUMBER_OFFSET, progress.changeNumber());
        buffer.putLongRelease(ALIVE_OFFSET, nowMs);
        buffer.putLongRelease(STATE_OFFSET, code(state));
    }

    private static int code(final State state)
    {
        return switch (state)
        {
            case CONNECTING -> 0;
            case WORKING -> 1;
            case FAILED -> 2;
            case ENDED -> 3;
        };
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }
}
