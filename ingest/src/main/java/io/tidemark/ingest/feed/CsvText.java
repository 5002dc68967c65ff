package io.tidemark.ingest.feed;

import java.io.IOException;
import java.io.Reader;

/**
 * A CSV feed as its parser reads it: one line at a time, and the next one only where a quoted field is still open at
 * the end of the line before. So what the parser holds is never more than the record in hand, and after an error it can
 * be thrown away without losing the lines that follow.
 * <p>
 * Each character stands for one byte. In UTF-8 no byte of a longer character is a comma, a quote or a line end, so
 * nothing has to be decoded to find the fields, and what is no UTF-8 arrives as it is at those who turn it away.
 */
final class CsvText extends Reader
{
    private final LineReader lines;
    private boolean isBetweenRecords;
    private boolean isCutShort;
    private int handedOver;

    CsvText(final LineReader lines)
    {
        this.lines = lines;
    }

    /** The parser begins a record: it gets a line of its own. */
    void beginRecord()
    {
        isBetweenRecords = true;
        isCutShort = false;
    }

    /** Whether the record wanted to go on where no line follows, or so far that only a stray quote explains it. */
    boolean isCutShort()
    {
        return isCutShort;
    }

    @Override
    public int read(final char[] chars, final int offset, final int length) throws IOException
    {
        if (isBetweenRecords)
        {
            if (!lines.next())
            {
                return -1;
            }
            isBetweenRecords = false;
            handedOver = 0;
            if (lines.isTooLong())
            {
                // A line that is turned away unread: for the parser it is blank.
                handedOver = lines.fullLength();
                chars[offset] = '\n';
                return 1;
            }
        }
        else if (handedOver == lines.fullLength() && !lines.extend())
        {
            isCutShort = true;
            return -1;
        }
        final int count = Math.min(length, lines.fullLength() - handedOver);
        widen(lines.buffer(), lines.offset() + handedOver, chars, offset, count);
        handedOver += count;
        return count;
    }

    @Override
    public void close()
    {
        // The feed is not the parser's to close: another may go on with it.
    }

    private static void widen(
        final byte[] bytes, final int byteOffset, final char[] chars, final int charOffset, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            chars[charOffset + i] = (char)(bytes[byteOffset + i] & 0xFF);
        }
    }
}
