package io.tidemark.ingest.log;

import net.openhft.chronicle.wire.Wires;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A queue's metadata file, looked at before Chronicle sees it: when it cannot use it, it waits for seconds, or turns
 * read-only without a word and fails much later.
 */
final class QueueMetadata
{
    static final String FILE_NAME = "metadata.cq4t";

    /**
     * Chronicle makes it longer, in one step, before it writes anything.
     */
    private static final int MIN_LENGTH = 4096;

    private QueueMetadata()
    {
    }

    static boolean exists(final Path directory)
    {
        return Files.isRegularFile(directory.resolve(FILE_NAME));
    }

    /**
     * The caller holds the directory's lock. What a crash left half-made, before there was any record, is taken away.
     */
    static void prepareToAppend(final Path directory)
    {
        final Path metadata = directory.resolve(FILE_NAME);
        try
        {
            final boolean exists = Files.exists(metadata);
            if (!exists || !isWhole(metadata))
            {
                if (QueueFiles.any(directory))
                {
                    throw exists ? damaged(metadata) : new LogException("log " + directory +
                        " has queue files but no " + FILE_NAME + "; restore the data directory from a backup");
                }
                Files.deleteIfExists(metadata);
            }
            else if (!Files.isWritable(metadata))
            {
                throw new LogException("file " + metadata + " is not writable; allow this user to write it");
            }
        }
        catch (final IOException ex)
        {
            throw new LogException("file " + metadata + " cannot be read (" + ex + ")", ex);
        }
    }

    static void checkReadable(final Path directory)
    {
        final Path metadata = directory.resolve(FILE_NAME);
        try
        {
            if (!isWhole(metadata))
            {
                throw damaged(metadata);
            }
        }
        catch (final IOException ex)
        {
            throw new LogException("file " + metadata + " cannot be read (" + ex + ")", ex);
        }
    }

    private static boolean isWhole(final Path metadata) throws IOException
    {
        try (FileChannel file = FileChannel.open(metadata))
        {
            final ByteBuffer start = ByteBuffer.allocate(Wires.SPB_HEADER_SIZE).order(ByteOrder.LITTLE_ENDIAN);
            if (file.size() < MIN_LENGTH || file.read(start, 0) < start.capacity())
            {
                return false;
            }
            final int header = start.getInt(0);
            final int length = header & Wires.LENGTH_MASK;
            return Wires.isReadyMetaData(header) && length > 0 && length < MIN_LENGTH;
        }
    }

    private static LogException damaged(final Path metadata)
    {
        return new LogException("file " + metadata + " is damaged; restore the data directory from a backup");
    }
}
