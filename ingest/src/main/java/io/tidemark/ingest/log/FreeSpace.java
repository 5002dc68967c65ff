package io.tidemark.ingest.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Stops appending before the disk is full, without a system call an append: the file system is asked once every
 * {@link #CHECK_INTERVAL_BYTES} bytes appended. The reserve covers what other writers may take between two checks.
 */
public final class FreeSpace
{
    static final long CHECK_INTERVAL_BYTES = 1 << 20;
    /**
     * What is kept free of a disk that logs are on.
     */
    public static final long RESERVE_BYTES = 32 << 20;

    private final Path directory;
    private final FileStore store;
    private final long reserveBytes;
    private long bytesUntilCheck;

    /**
     * @param directory    on the disk in question; messages name it.
     * @param reserveBytes to keep free.
     */
    public FreeSpace(final Path directory, final long reserveBytes)
    {
        this.directory = directory;
        this.reserveBytes = reserveBytes;
        try
        {
            store = Files.getFileStore(directory);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Accounts for bytes that are about to be appended.
     *
     * @param length of them.
     * @throws LogFullException when the reserve would be touched.
     */
    public void beforeAppend(final int length)
    {
        bytesUntilCheck -= length;
        if (bytesUntilCheck < 0)
        {
            check();
        }
    }

    void check()
    {
        final long usableBytes;
        try
        {
            usableBytes = store.getUsableSpace();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        if (usableBytes < reserveBytes)
        {
            throw new LogFullException(directory, usableBytes, reserveBytes);
        }
        bytesUntilCheck = CHECK_INTERVAL_BYTES;
    }
}
