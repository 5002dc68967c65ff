package io.tidemark.bench;

import org.agrona.IoUtil;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A directory for gigabytes that nobody wants afterwards: it goes when the benchmark does, interrupted or not. */
final class ScratchDirectory implements AutoCloseable
{
    private final Path path;
    private final Thread atExit = new Thread(this::delete, "delete-scratch");

    /**
     * Creates it.
     *
     * @param parent on the disk to measure, or null for that of temporary files.
     */
    ScratchDirectory(final Path parent)
    {
        try
        {
            if (parent != null)
            {
                Files.createDirectories(parent);
            }
            path = parent == null ?
                Files.createTempDirectory("tidemark-bench-") : Files.createTempDirectory(parent, "tidemark-bench-");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("no room to work in " + parent + "; choose another --dir", ex);
        }
        Runtime.getRuntime().addShutdownHook(atExit);
    }

    Path path()
    {
        return path;
    }

    static void delete(final Path directory)
    {
        IoUtil.delete(directory.toFile(), true);
    }

    @Override
    public void close()
    {
        Runtime.getRuntime().removeShutdownHook(atExit);
        delete();
    }

    private void delete()
    {
        delete(path);
    }
}
