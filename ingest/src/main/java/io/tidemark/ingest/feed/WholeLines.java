package io.tidemark.ingest.feed;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Files that are appended to line by line and hold whole lines only.
 */
final class WholeLines
{
    private WholeLines()
    {
    }

    /**
     * Cuts off what follows the last line end: the beginning of a line whose writer died.
     *
     * @return size of the file then.
     */
    static long keepIn(final FileChannel channel) throws IOException
    {
        final ByteBuffer block = ByteBuffer.allocate(1 << 12);
        long end = channel.size();
        while (end > 0)
        {
            final long start = Math.max(0, end - block.capacity());
            block.clear().limit((int)(end - start));
            read(channel, block, start);
            for (int i = block.position() - 1; i >= 0; i--)
            {
                if (block.get(i) == '\n')
                {
                    return truncate(channel, start + i + 1);
                }
            }
            end = start;
        }
        return truncate(channel, 0);
    }

    /** Fills the buffer from a place in the file, or up to the file's end. */
    static void read(final FileChannel channel, final ByteBuffer buffer, final long position) throws IOException
    {
        final int start = buffer.position();
        int count = 0;
        while (buffer.hasRemaining() && count >= 0)
        {
            count = channel.read(buffer, position + buffer.position() - start);
        }
    }

    static void write(final FileChannel channel, final byte[] line, final long position) throws IOException
    {
        final ByteBuffer buffer = ByteBuffer.wrap(line);
        while (buffer.hasRemaining())
        {
            channel.write(buffer, position + buffer.position());
        }
    }

    private static long truncate(final FileChannel channel, final long size) throws IOException
    {
        if (channel.size() > size)
        {
            channel.truncate(size);
        }
        return size;
    }
}
