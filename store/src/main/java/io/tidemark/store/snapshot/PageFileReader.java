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
import org.agrona.BufferUtil;
import org.agrona.UnsafeApi;

/** Reads one file of pages, and finds out whether it is the one that its manifest names. */
final class PageFileReader implements AutoCloseable
{
    private final Path path;
    private final PageFile expected;
    private final FileChannel file;
    private final ByteBuffer buffer;
    private final long base;
    private final Digest digest = new Digest();
    private final long pageAddress;
    private long runningHigh;
    private long runningLow;
    private long pages;
    private int slot;
    private int page;
    private long digestHigh;
    private long digestLow;

    /**
     * @param directory of checkpoints.
     * @param expected  the file and what its manifest says of it.
     * @param buffer    direct; holds several pages.
     * @param pageAddress where each page is put.
     */
    PageFileReader(final Path directory, final PageFile expected, final ByteBuffer buffer, final long pageAddress)
        throws IOException
    {
        this.path = directory.resolve(expected.name());
        this.expected = expected;
        this.buffer = buffer;
        this.base = BufferUtil.address(buffer);
        this.pageAddress = pageAddress;
        file = FileChannel.open(path);
        buffer.clear().flip();
        if (file.size() != expected.bytes())
        {
            final long size = file.size();
            file.close();
            throw damaged("has " + size + " bytes, not " + expected.bytes());
        }
        if (!fill(HEADER_LENGTH) || !isHeader())
        {
            file.close();
            throw damaged("does not begin as such a file does");
        }
        buffer.position(HEADER_LENGTH);
    }

    /** Goes on to the next page, which is put at the page's address; false at the end, when all digests held. */
    boolean next() throws IOException
    {
        require(RECORD_HEADER);
        long from = base + buffer.position();
        slot = UnsafeApi.getInt(from + RECORD_SLOT);
        page = UnsafeApi.getInt(from + RECORD_PAGE);
        final int length = UnsafeApi.getInt(from + RECORD_LENGTH);
        if (slot == NO_SLOT)
        {
            finish();
            return false;
        }
        if (slot < 0 || page < 0 || length < 0 || length > PageStore.PAGE_SIZE || (length & 7) != 0 ||
            UnsafeApi.getInt(from + RECORD_UNUSED) != 0)
        {
            throw damaged("makes no sense after page " + pages);
        }
        require(RECORD_HEADER + length);
        from = base + buffer.position();
        UnsafeApi.copyMemory(from + RECORD_HEADER, pageAddress, length);
        UnsafeApi.setMemory(pageAddress + length, PageStore.PAGE_SIZE - length, (byte)0);
        buffer.position(buffer.position() + RECORD_HEADER + length);
        digest.of(pageAddress, PageStore.PAGE_SIZE, tag(slot, page));
        digestHigh = digest.high();
        digestLow = digest.low();
        digest.chain(runningHigh, runningLow, tag(slot, page), digestHigh, digestLow);
        runningHigh = digest.high();
        runningLow = digest.low();
        pages++;
        return true;
    }

    int slot()
    {
        return slot;
    }

    int page()
    {
        return page;
    }

    long digestHigh()
    {
        return digestHigh;
    }

    long digestLow()
    {
        return digestLow;
    }

    @Override
    public void close() throws IOException
    {
        file.close();
    }

    private boolean isHeader()
    {
        long unused = UnsafeApi.getInt(base + VERSION_OFFSET + Integer.BYTES);
        for (int at = POSITION_OFFSET + Long.BYTES; at < HEADER_LENGTH; at += Long.BYTES)
        {
            unused |= UnsafeApi.getLong(base + at);
        }
        return unused == 0 && UnsafeApi.getLong(base) == MAGIC &&
            UnsafeApi.getInt(base + VERSION_OFFSET) == VERSION &&
            expected.name().startsWith(CheckpointDirectory.number(UnsafeApi.getLong(base + POSITION_OFFSET)));
    }

    private boolean isTrailer()
    {
        final long from = base + buffer.position();
        return UnsafeApi.getInt(from + RECORD_PAGE) == NO_SLOT && UnsafeApi.getLong(from + RECORD_LENGTH) == 0 &&
            UnsafeApi.getLong(from + TRAILER_PAGES) == pages &&
            UnsafeApi.getLong(from + TRAILER_HIGH) == runningHigh &&
            UnsafeApi.getLong(from + TRAILER_LOW) == runningLow;
    }

    private void finish() throws IOException
    {
        require(TRAILER_LENGTH);
        if (!isTrailer() || pages != expected.pages() || runningHigh != expected.digestHigh() ||
            runningLow != expected.digestLow())
        {
            throw damaged("has other content than was written: its digest is " +
                Digest.text(runningHigh, runningLow) + ", not " +
                Digest.text(expected.digestHigh(), expected.digestLow()));
        }
    }

    private void require(final int length) throws IOException
    {
        if (buffer.remaining() < length && !fill(length))
        {
            throw damaged("ends in the middle, after page " + pages);
        }
    }

    private boolean fill(final int length) throws IOException
    {
        buffer.compact();
        while (buffer.position() < length && file.read(buffer) >= 0)
        {
            // until there is enough, or no more
        }
        buffer.flip();
        return buffer.remaining() >= length;
    }

    private SnapshotException damaged(final String what)
    {
        return new SnapshotException("file " + path + " of a checkpoint " + what);
    }
}
