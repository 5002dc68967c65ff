package io.tidemark.ingest.feed;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Counts what is read of a file, for the progress report.
 */
final class CountingInputStream extends FilterInputStream
{
    private long count;

    CountingInputStream(final InputStream in)
    {
        super(in);
    }

    long count()
    {
        return count;
    }

    @Override
    public int read() throws IOException
    {
        final int b = in.read();
        count += b < 0 ? 0 : 1;
        return b;
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        final int read = in.read(bytes, offset, length);
        count += Math.max(read, 0);
        return read;
    }
}
