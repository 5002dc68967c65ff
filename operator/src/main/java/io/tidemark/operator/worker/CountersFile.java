package io.tidemark.operator.worker;

import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.zip.CRC32C;

/**
 * A mapped file with the counters of one process, {@code counters.dat} in the data directory. Other processes read it
 * at any time, also while its owner hangs or when it has ended.
 * <pre>
 *   0         4         8            16   24           32         40       48         56          128
 *  +---------+---------+------------+----+------------+----------+--------+----------+-----------+----------+--------+
 *  | version |counters |  (unused)  | pid| started ms | alive ms |ended ms| checksum | (unused)  | metadata | values |
 *  +---------+---------+------------+----+------------+----------+--------+----------+-----------+----------+--------+
 * </pre>
 * Version and number of counters are int32, the others int64, in the byte order of the machine; metadata and values are
 * Agrona's. The file gets its name when all of it is there. The checksum is that of metadata and values once the
 * process has ended in order: from then on nothing changes them.
 */
public final class CountersFile implements AutoCloseable
{
    /** Name of the file in the data directory. */
    public static final String NAME = "counters.dat";

    private static final int VERSION = 1;
    private static final int VERSION_OFFSET = 0;
    private static final int COUNTERS_OFFSET = 4;
    private static final int PID_OFFSET = 16;
    private static final int STARTED_OFFSET = 24;
    private static final int ALIVE_OFFSET = 32;
    private static final int ENDED_OFFSET = 40;
    private static final int CHECKSUM_OFFSET = 48;
    private static final int HEADER_LENGTH = 128;

    private final MappedByteBuffer mapped;
    private final UnsafeBuffer header;
    private final UnsafeBuffer metadata;
    private final UnsafeBuffer values;

    private CountersFile(final MappedByteBuffer mapped, final int counters)
    {
        this.mapped = mapped;
        header = new UnsafeBuffer(mapped, 0, HEADER_LENGTH);
        metadata = new UnsafeBuffer(mapped, HEADER_LENGTH, counters * CountersReader.METADATA_LENGTH);
        values = new UnsafeBuffer(
            mapped, HEADER_LENGTH + metadata.capacity(), counters * CountersReader.COUNTER_LENGTH);
    }

    /**
     * Makes the file anew; who has an older one open keeps that.
     *
     * @param dataDirectory of the pipeline.
     * @param counters      room for this many.
     * @param nowMs         time of the start, milliseconds since the Unix epoch.
     * @return the file, writable.
     */
    public static CountersFile create(final Path dataDirectory, final int counters, final long nowMs)
    {
        final Path file = dataDirectory.resolve(NAME);
        final Path unfinished = dataDirectory.resolve(NAME + ".new");
        try
        {
            Files.deleteIfExists(unfinished);
            final CountersFile created = new CountersFile(IoUtil.mapNewFile(unfinished.toFile(), length(counters)),
                counters);
            created.header.putInt(COUNTERS_OFFSET, counters);
            created.header.putLong(PID_OFFSET, ProcessHandle.current().pid());
            created.header.putLong(STARTED_OFFSET, nowMs);
            created.header.putLong(ALIVE_OFFSET, nowMs);
            created.header.putIntVolatile(VERSION_OFFSET, VERSION);
            Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            return created;
        }
        // Agrona throws more than it says.
        catch (final Exception ex)
        {
            throw CountersException.cannotWrite(file, ex);
        }
    }

    /**
     * Opens the file of a process that runs or has ended.
     *
     * @param dataDirectory of the pipeline.
     * @return the file, not writable.
     * @throws CountersException when there is none, or it is damaged, or of another version.
     */
    public static CountersFile openReadOnly(final Path dataDirectory)
    {
        final Path file = dataDirectory.resolve(NAME);
        if (!Files.exists(file, LinkOption.NOFOLLOW_LINKS))
        {
            throw new CountersException("there is no " + file + ": no pipeline has run on this data directory, or " +
                "the file was taken away; 'tidemark run' writes it");
        }
        final MappedByteBuffer mapped = map(file);
        final UnsafeBuffer start = new UnsafeBuffer(mapped);
        final boolean known = start.capacity() >= HEADER_LENGTH && start.getIntVolatile(VERSION_OFFSET) == VERSION;
        if (!known || start.capacity() != length(start.getInt(COUNTERS_OFFSET)))
        {
            IoUtil.unmap(mapped);
            throw new CountersException(file + " is damaged, or of another version of Tidemark; " +
                "the next 'tidemark run' writes it anew, and no result depends on it");
        }
        final CountersFile counters = new CountersFile(mapped, start.getInt(COUNTERS_OFFSET));
        if (counters.endedMs() != 0 && counters.checksum() != start.getLong(CHECKSUM_OFFSET))
        {
            counters.close();
            throw new CountersException(file + " is damaged; the next 'tidemark run' writes it anew, and no result " +
                "depends on it");
        }
        return counters;
    }

    private static MappedByteBuffer map(final Path file)
    {
        try
        {
            return IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, NAME);
        }
        catch (final Exception ex)
        {
            throw new CountersException(file + " cannot be read (" + ex + "); check its permissions, or delete it: " +
                "the next 'tidemark run' writes it anew, and no result depends on it", ex);
        }
    }

    /**
     * Counters to write. Only for who created the file.
     *
     * @return a new manager.
     */
    CountersManager manager()
    {
        return new CountersManager(metadata, values);
    }

    /**
     * Counters to read.
     *
     * @return a new reader, valid until close.
     */
    public CountersReader reader()
    {
        return new CountersReader(metadata, values);
    }

    /**
     * Finds a counter's value.
     *
     * @param typeId  one of {@link PipelineCounters}.
     * @param key     side or source, 0 where there is one counter of that type.
     * @param missing what to return when there is no such counter.
     * @return the value.
     */
    public long value(final int typeId, final int key, final long missing)
    {
        final long[] found = {missing};
        final CountersReader reader = reader();
        reader.forEach(
            (counterId, counterTypeId, keyBuffer, label) ->
            {
                if (counterTypeId == typeId && keyBuffer.getInt(0) == key)
                {
                    found[0] = reader.getCounterValue(counterId);
                }
            });
        return found[0];
    }

    /**
     * The process that wrote, or writes, the counters.
     *
     * @return its pid, in its own pid namespace.
     */
    public long pid()
    {
        return header.getLong(PID_OFFSET);
    }

    /**
     * When the process started.
     *
     * @return milliseconds since the Unix epoch.
     */
    public long startedMs()
    {
        return header.getLong(STARTED_OFFSET);
    }

    /**
     * When the process was last seen between two pieces of work. Seconds ago: it hangs, or was killed.
     *
     * @return milliseconds since the Unix epoch.
     */
    public long aliveMs()
    {
        return header.getLongVolatile(ALIVE_OFFSET);
    }

    /**
     * When the process ended in order.
     *
     * @return milliseconds since the Unix epoch; 0 while it runs, and for ever when it was killed.
     */
    public long endedMs()
    {
        return header.getLongVolatile(ENDED_OFFSET);
    }

    void alive(final long nowMs)
    {
        header.putLongRelease(ALIVE_OFFSET, nowMs);
    }

    /** Nothing may be written afterwards. */
    void ended(final long nowMs)
    {
        header.putLong(CHECKSUM_OFFSET, checksum());
        header.putLongRelease(ENDED_OFFSET, nowMs);
    }

    private long checksum()
    {
        final CRC32C crc = new CRC32C();
        crc.update(mapped.duplicate().position(HEADER_LENGTH));
        return crc.getValue();
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }

    private static long length(final int counters)
    {
        return HEADER_LENGTH + (long)counters * (CountersReader.METADATA_LENGTH + CountersReader.COUNTER_LENGTH);
    }
}
