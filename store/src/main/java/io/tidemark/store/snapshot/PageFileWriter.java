package io.tidemark.store.snapshot;

import static io.tidemark.store.snapshot.PageFileDescriptor.HEADER_LENGTH;
import static io.tidemark.store.snapshot.PageFileDescriptor.MAGIC;
import static io.tidemark.store.snapshot.PageFileDescriptor.NO_SLOT;
import static io.tidemark.store.snapshot.PageFileDescriptor.POSITION_OFFSET;
import static io.tidemark.store.snapshot.PageFileDescriptor.RECORD_HEADER;
import static io.tidemark.store.snapshot.PageFileDescriptor.RECORD_LENGTH;
import static io.tidemark.store.snapshot.PageFileDescriptor.RECORD_PAGE;
import static io.tidemark.store.snapshot.PageFileDescriptor.RECORD_SLOT;
import static io.tidemark.store.snapshot.PageFileDescriptor.RECORD_UNUSED;
import static io.tidemark.store.snapshot.PageFileDescriptor.TRAILER_HIGH;
import static io.tidemark.store.snapshot.PageFileDescriptor.TRAILER_LENGTH;
import static io.tidemark.store.snapshot.PageFileDescriptor.TRAILER_LOW;
import static io.tidemark.store.snapshot.PageFileDescriptor.TRAILER_PAGES;
import static io.tidemark.store.snapshot.PageFileDescriptor.VERSION;
import static io.tidemark.store.snapshot.PageFileDescriptor.VERSION_OFFSET;
import static io.tidemark.store.snapshot.PageFileDescriptor.tag;

import io.tidemark.store.page.PageStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/** Writes one file of pages, through a buffer. */
final class PageFileWriter implements AutoCloseable
{
    private final FileChannel file;
    private final ByteBuffer buffer;
    private final long base;
    private final Digest digest = new Digest();
    private long runningHigh;
    private long runningLow;
    private long pages;
    private long bytes;

    /** Creates the file, or writes one over that an earlier process left. */
    PageFileWriter(final Path path, final long position, final ByteBuffer buffer) throws IOException
    {
        this.buffer = buffer;
        this.base = BufferUtil.address(buffer);
        file = FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.WRITE,
            StandardOpenOption.TRUNCATE_EXISTING);
        buffer.clear();
        UnsafeApi.setMemory(base, HEADER_LENGTH, (byte)0);
        UnsafeApi.putLong(base, MAGIC);
        UnsafeApi.putInt(base + VERSION_OFFSET, VERSION);
        UnsafeApi.putLong(base + POSITION_OFFSET, position);
        buffer.position(HEADER_LENGTH);
    }

    /** Adds a page, whose digest the caller has. */
    void page(final int slot, final int page, final long address, final long digestHigh, final long digestLow)
        throws IOException
    {
        if (buffer.remaining() < RECORD_HEADER + PageStore.PAGE_SIZE)
        {
            flush();
        }
        final int length = usedLength(address);
        final long to = base + buffer.position();
        UnsafeApi.putInt(to + RECORD_SLOT, slot);
        UnsafeApi.putInt(to + RECORD_PAGE, page);
        UnsafeApi.putInt(to + RECORD_LENGTH, length);
        UnsafeApi.putInt(to + RECORD_UNUSED, 0);
        UnsafeApi.copyMemory(address, to + RECORD_HEADER, length);
        buffer.position(buffer.position() + RECORD_HEADER + length);
        digest.chain(runningHigh, runningLow, tag(slot, page), digestHigh, digestLow);
        runningHigh = digest.high();
        runningLow = digest.low();
        pages++;
    }

    /** Writes what is in the buffer in two steps, the first of which ends inside a page. */
    void flushInHalves(final Runnable between) throws IOException
    {
        buffer.flip();
        final int end = buffer.limit();
        buffer.limit(Math.max(0, end - Long.BYTES));
        bytes += file.write(buffer);
        between.run();
        buffer.limit(end);
        bytes += file.write(buffer);
        buffer.compact();
    }

    private void flush() throws IOException
    {
        buffer.flip();
        while (buffer.hasRemaining())
        {
            bytes += file.write(buffer);
        }
        buffer.clear();
    }

    /** Ends the file. */
    PageFile finish(final String name, final boolean sync) throws IOException
    {
        if (buffer.remaining() < TRAILER_LENGTH)
        {
            flush();
        }
        final long to = base + buffer.position();
        UnsafeApi.putInt(to + RECORD_SLOT, NO_SLOT);
        UnsafeApi.putInt(to + RECORD_PAGE, NO_SLOT);
        UnsafeApi.putLong(to + RECORD_LENGTH, 0);
        UnsafeApi.putLong(to + TRAILER_PAGES, pages);
        UnsafeApi.putLong(to + TRAILER_HIGH, runningHigh);
        UnsafeApi.putLong(to + TRAILER_LOW, runningLow);
        buffer.position(buffer.position() + TRAILER_LENGTH);
        flush();
        if (sync)
        {
            file.force(true);
        }
        return new PageFile(name, bytes, pages, runningHigh, runningLow);
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }

    private static int usedLength(final long address)
    {
        int length = PageStore.PAGE_SIZE;
        while (length > 0 && UnsafeApi.getLong(address + length - Long.BYTES) == 0)
        {
            length -= Long.BYTES;
        }
        return length;
    }
}
