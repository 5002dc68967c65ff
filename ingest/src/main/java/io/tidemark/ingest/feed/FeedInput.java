package io.tidemark.ingest.feed;

import io.tidemark.ingest.event.Utf8;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PushbackInputStream;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * An opened feed: the bytes of its text, unpacked and without a byte order mark, and its head, read ahead. The head is
 * what tells the format, and what the feed is known by when it comes again ({@link #headDigest}): the first 64 KiB of a
 * file; of a pipe just the lines up to the first event, since there may be nothing more to read for hours.
 */
final class FeedInput implements AutoCloseable
{
    static final int HEAD_LENGTH = 1 << 16;
    private static final int GZIP_MAGIC_0 = 0x1F;
    private static final int GZIP_MAGIC_1 = 0x8B;

    private final Feed feed;
    private final CountingInputStream counted;
    private final InputStream text;
    private final long sizeBytes;
    private final FeedFormat format;
    private final byte[] head = new byte[HEAD_LENGTH];
    private int readAhead;
    private int headStart;
    private int headEnd;

    private FeedInput(final Feed feed, final InputStream raw, final long sizeBytes) throws IOException
    {
        this.feed = feed;
        this.sizeBytes = sizeBytes;
        counted = new CountingInputStream(raw);
        text = unpacked(counted);
        readHead();
        headStart = hasByteOrderMark() ? 3 : 0;
        checkText();
        final FeedFormat seen = head[headStart] == '{' ? FeedFormat.JSON_LINES : FeedFormat.CSV;
        format = feed.knownFormat() != null ? feed.knownFormat() : seen;
        if (head[headStart] == '[')
        {
            throw FeedException.failed(feed.title() + " begins like a JSON array; a feed has one JSON object a line.");
        }
    }

    /**
     * Opens a feed and looks at its beginning.
     *
     * @throws FeedException saying why it is no feed.
     */
    static FeedInput open(final Feed feed, final InputStream standardInput)
    {
        InputStream raw = null;
        try
        {
            checkFile(feed);
            raw = feed.isStandardInput() ? standardInput : Files.newInputStream(feed.path());
            return new FeedInput(feed, raw, feed.isFile() ? Files.size(feed.path()) : -1);
        }
        catch (final IOException | FeedException ex)
        {
            closeQuietly(raw, feed, ex);
            throw ex instanceof FeedException sentence ? sentence : unreadable(feed, 0, (IOException)ex);
        }
    }

    /** What reading on has failed with, as a sentence. */
    static FeedException unreadable(final Feed feed, final long line, final IOException ex)
    {
        final String where = line > 0 ? " after line " + line : "";
        if (ex instanceof EOFException)
        {
            return FeedException.failed(feed.title() + " is a gzip file that is cut off" + where +
                ". Get the whole file and ingest it again: what was appended is recognised.", ex);
        }
        if (ex instanceof ZipException)
        {
            return FeedException.failed(feed.title() + " is a damaged gzip file" + where + " (" + ex.getMessage() +
                "). Get a good copy and ingest it again: what was appended is recognised.", ex);
        }
        return FeedException.failed(feed.title() + " cannot be read" + where + ": " + ex + ".", ex);
    }

    FeedFormat format()
    {
        return format;
    }

    LineReader lines()
    {
        return new LineReader(head, headStart, readAhead - headStart, text);
    }

    /** Length of the head that the feed is known by. */
    int headLength()
    {
        return headEnd - headStart;
    }

    /** Digest of the first bytes, or null where there are not so many. */
    String headDigest(final int length)
    {
        if (length > headLength())
        {
            return null;
        }
        try
        {
            final MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(head, headStart, length);
            return HexFormat.of().formatHex(digest.digest());
        }
        catch (final NoSuchAlgorithmException ex)
        {
            throw new IllegalStateException("every Java has SHA-256", ex);
        }
    }

    /** Bytes read of the file as it lies on the disk, packed or not. */
    long readBytes()
    {
        return counted.count();
    }

    /** Whether the file is no longer as long as it was when it was opened: somebody is writing to it. */
    boolean isBeingWritten() throws IOException
    {
        return sizeBytes >= 0 && Files.size(feed.path()) != sizeBytes;
    }

    /** Size of the file, -1 where nobody knows. */
    long sizeBytes()
    {
        return sizeBytes;
    }

    @Override
    public void close()
    {
        if (!feed.isStandardInput())
        {
            try
            {
                text.close();
            }
            catch (final IOException ex)
            {
                throw unreadable(feed, 0, ex);
            }
        }
    }

    /**
     * Refuses what is no file at all, or not to be read by us.
     */
    static void checkFile(final Feed feed)
    {
        if (feed.isStandardInput())
        {
            return;
        }
        if (!Files.exists(feed.path()))
        {
            throw FeedException.usage("There is no file " + feed.name() + ".");
        }
        if (Files.isDirectory(feed.path()))
        {
            throw FeedException.usage(feed.name() + " is a directory; name the files in it.");
        }
        if (!Files.isReadable(feed.path()))
        {
            throw FeedException.failed(feed.name() + " cannot be read: you have no permission.");
        }
    }

    private static InputStream unpacked(final InputStream in) throws IOException
    {
        final byte[] magic = new byte[2];
        final int count = in.readNBytes(magic, 0, 2);
        final PushbackInputStream all = new PushbackInputStream(in, 2);
        all.unread(magic, 0, count);
        final boolean isPacked = count == 2 && (magic[0] & 0xFF) == GZIP_MAGIC_0 && (magic[1] & 0xFF) == GZIP_MAGIC_1;
        return isPacked ? new GZIPInputStream(all, 1 << 16) : all;
    }

    private void readHead() throws IOException
    {
        int newlines = 0;
        int scanned = 0;
        while (readAhead < HEAD_LENGTH)
        {
            final int count = text.read(head, readAhead, HEAD_LENGTH - readAhead);
            if (count < 0)
            {
                break;
            }
            readAhead += count;
            for (; !feed.isFile() && scanned < readAhead; scanned++)
            {
                newlines += head[scanned] == '\n' ? 1 : 0;
                if (newlines == (head[0] == '{' ? 1 : 2))
                {
                    headEnd = scanned + 1;
                    return;
                }
            }
        }
        headEnd = readAhead;
    }

    private boolean hasByteOrderMark()
    {
        return readAhead >= 3 && (head[0] & 0xFF) == 0xEF && (head[1] & 0xFF) == 0xBB && (head[2] & 0xFF) == 0xBF;
    }

    /** The first line tells: a binary file, or text in UTF-16, has bytes there that no line of a feed has. */
    private void checkText()
    {
        if (readAhead == headStart)
        {
            throw FeedException.failed(feed.title() + " is empty.");
        }
        int i = headStart;
        while (i < readAhead && head[i] != '\n')
        {
            final byte b = head[i++];
            final boolean endsLine = b == '\r' && (i == readAhead || head[i] == '\n');
            if (b == '\r' && !endsLine)
            {
                throw FeedException.failed(feed.title() + " ends its lines in carriage returns alone; " +
                    "a feed ends them in LF or CR LF.");
            }
            if (b >= 0 && b < ' ' && b != '\t' && !endsLine)
            {
                throw notText();
            }
        }
        if (i == HEAD_LENGTH)
        {
            throw FeedException.failed(feed.title() + " has a first line of more than " + HEAD_LENGTH +
                " bytes; a feed is CSV with a header, or JSON Lines.");
        }
        if (!Utf8.isWellFormed(head, headStart, i - headStart))
        {
            throw notText();
        }
    }

    private FeedException notText()
    {
        return FeedException.failed(feed.title() + " is no text in UTF-8: " +
            "a feed is CSV with a header, or JSON Lines, each perhaps packed with gzip.");
    }

    private static void closeQuietly(final InputStream raw, final Feed feed, final Exception reason)
    {
        if (raw != null && !feed.isStandardInput())
        {
            try
            {
                raw.close();
            }
            catch (final IOException ex)
            {
                reason.addSuppressed(ex);
            }
        }
    }
}
