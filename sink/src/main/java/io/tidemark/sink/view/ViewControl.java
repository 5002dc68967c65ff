package io.tidemark.sink.view;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;

import io.tidemark.sink.TableException;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The file {@code view.dat}, which stays when generations of files come and go: version and the number of the
 * generation that readers use, int64 each.
 */
final class ViewControl implements AutoCloseable
{
    static final String DIRECTORY = "view";

    private static final String FILE = "view.dat";
    private static final long VERSION = 1;
    private static final int VERSION_OFFSET = 0;
    private static final int GENERATION_OFFSET = 8;
    private static final int LENGTH = 64;

    private final Path directory;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;

    private ViewControl(final Path directory, final MappedByteBuffer mapped)
    {
        this.directory = directory;
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
    }

    static boolean exists(final Path dataDirectory)
    {
        return Files.exists(dataDirectory.resolve(DIRECTORY).resolve(FILE));
    }

    /** For the writer, who holds the lock on the data directory. */
    static ViewControl openOrCreate(final Path dataDirectory)
    {
        final Path directory = dataDirectory.resolve(DIRECTORY);
        IoUtil.ensureDirectoryExists(directory.toFile(), "view");
        final Path file = directory.resolve(FILE);
        final boolean isNew = !Files.exists(file);
        final ViewControl control = new ViewControl(directory, isNew ?
            IoUtil.mapNewFile(file.toFile(), LENGTH) : IoUtil.mapExistingFile(file.toFile(), FILE));
        if (control.buffer.getLongVolatile(VERSION_OFFSET) == 0)
        {
            control.buffer.putLongVolatile(VERSION_OFFSET, VERSION);
        }
        return control.checked(file);
    }

    static ViewControl openReadOnly(final Path dataDirectory)
    {
        final Path directory = dataDirectory.resolve(DIRECTORY);
        final Path file = directory.resolve(FILE);
        if (!Files.exists(file))
        {
            throw new TableException("there is no view in " + dataDirectory +
                "; run the pipeline with 'sink: {type: view}' first");
        }
        return new ViewControl(
            directory, IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, FILE)).checked(file);
    }

    private ViewControl checked(final Path file)
    {
        final long version = buffer.getLongVolatile(VERSION_OFFSET);
        if (version != VERSION)
        {
            close();
            throw new TableException(file + " has version " + version + ", and this program knows version " +
                VERSION + "; use the version of Tidemark that made it");
        }
        return this;
    }

    /** Number of the generation that is read; 0 as long as none is complete. */
    long generation()
    {
        return buffer.getLongVolatile(GENERATION_OFFSET);
    }

    void generation(final long newGeneration)
    {
        buffer.putLongVolatile(GENERATION_OFFSET, newGeneration);
    }

    Path filesOf(final long generation)
    {
        return directory.resolve(Long.toString(generation));
    }

    Path directory()
    {
        return directory;
    }

    @Override
    public void close()
    {
        IoUtil.unmap(mapped);
    }
}
