package io.tidemark.ingest.feed;

import com.sun.management.ThreadMXBean;
import de.siegmar.fastcsv.writer.CsvWriter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.StringWriter;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * How a CSV feed is taken apart: rows are shown as {@code line: field|field}, those turned away as {@code line! why}.
 */
class CsvRowReaderTest
{
    private static final String HEADER = "time,key,id\n";
    private static final FeedTarget PAYMENTS = new FeedTarget(FeedPipeline.TOPOLOGY, new FeedRules(false),
        new ColumnMapping[] {ColumnMapping.NONE, ColumnMapping.NONE}, 0);
    private static final String[] PIECES = {
        "a", "\u00e9\u4e2d\ud83d\ude00", ",", "\"", "\"\"", "\n", "\r\n", "\r", " ", "x".repeat(9_000)};

    @ParameterizedTest(name = "reads of {0} bytes")
    @ValueSource(ints = {1, 2, 7, 4_096, 1 << 20})
    void shouldReadWhatAWriterWroteWhereverReadsEnd(final int chunk) throws IOException
    {
        final Random random = new Random(chunk);
        final StringWriter text = new StringWriter();
        final List<String> expected = new ArrayList<>();
        text.write(HEADER);
        final CsvWriter writer = CsvWriter.builder().build(text);
        int line = 2;
        for (int i = 0; i < 1_000; i++)
        {
            final String[] fields = {i + "", field(random), field(random)};
            writer.writeRecord(fields);
            expected.add(line + ": " + String.join("|", fields));
            line += String.join("", fields).replace("\r\n", "\n").replace("\r", "").split("\n", -1).length;
        }
        writer.flush();
        final List<String> rows = read(text.toString(), chunk);
        for (int i = 0; i < expected.size(); i++)
        {
            assertEquals(expected.get(i), rows.get(i));
        }
        assertEquals(expected.size(), rows.size());
    }

    @Test
    void shouldReadOnBehindALineWhoseQuotesDoNotWorkOut() throws IOException
    {
        assertEquals(
            List.of("2: 1|k|i", "3! there is text behind a closing quote", "4: 2|k|i",
                "5! a quote that is opened here is not closed", "6: 3|k|i"),
            read(HEADER + "1,k,i\n1,\"k\"k,i\n2,k,i\n1,\"k,i\n3,k,i\n", 7));
    }

    @Test
    void shouldReadLinesAgainThatAStrayQuoteSeemedToSwallow() throws IOException
    {
        assertEquals(
            List.of("2! the line has 6 fields, the header has 3", "3: 2|k|i",
                "4! a quote that is opened here is not closed", "5: 3|k|i"),
            read(HEADER + "1,\"k,i\n2,k,i\n\",k,i,j,l\n3,k,i\n", 7));
    }

    @Test
    void shouldNotLookForTheEndOfAQuoteForEver() throws IOException
    {
        final StringBuilder text = new StringBuilder(HEADER).append("1,\"k,i\n");
        for (int i = 0; i < 20_000; i++)
        {
            text.append(i).append(",k,i\n");
        }
        final List<String> rows = read(text.append("1,k\",i\n").toString(), 1 << 14);
        assertEquals(20_002, rows.size());
        assertEquals("2! a quote that is opened here is not closed", rows.get(0));
        assertEquals("20003: 1|k\"|i", rows.get(20_001));
    }

    @Test
    void shouldPassOverBlankLinesAndCountThem() throws IOException
    {
        assertEquals(List.of("4: 1|k|i", "7: 2|k|i"), read(HEADER + "\n\r\n1,k,i\r\n\n\r\n2,k,i", 3));
    }

    @Test
    void shouldTakeACarriageReturnAloneForTheEndOfARowButNotOfALine() throws IOException
    {
        assertEquals(
            List.of("2: 1|k|i", "2: 2|k|i", "3: 3|k|i", "4! the line has 2 fields, the header has 3", "5: 4|k|i"),
            read(HEADER + "1,k,i\r2,k,i\n3,k,i\n1,k\r,i\n4,k,i\n", 5));
    }

    @Test
    void shouldTellAnEmptyLastFieldFromNone() throws IOException
    {
        assertEquals(
            List.of("2: 1|k|-", "3: 2|k|-", "4: 3|k|-", "5! the line has 2 fields, the header has 3"),
            read(HEADER + "1,k,\n2,k,\"\"\n3,k,\r\n4,k", 1));
        assertEquals(List.of("2: 1|k|-"), read(HEADER + "1,k,", 1));
    }

    @Test
    void shouldReadLinesUpToTheLongestAndOnBehindLongerOnes() throws IOException
    {
        final String longest = "x".repeat(LineReader.MAX_LENGTH - 4);
        assertEquals(
            List.of("2: 1|k|" + longest, "3! the line is longer than 1048576 bytes", "4: 2|k|i"),
            read(HEADER + "1,k," + longest + "\n1,k,x" + longest + "\n2,k,i\n", 1 << 16));
    }

    @Test
    void shouldMakeNoGarbage() throws IOException
    {
        final String line = "1791284400000000000,\"merchant-\u00e9\",id-12345678\n";
        final byte[] text = (HEADER + line.repeat(60_000)).getBytes(StandardCharsets.UTF_8);
        final CsvRowReader rows = new CsvRowReader(lines(text, 1 << 16), PAYMENTS, "feed.csv");
        for (int i = 0; i < 20_000; i++)
        {
            assertTrue(rows.next());
        }
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        threads.getCurrentThreadAllocatedBytes();
        final long before = threads.getCurrentThreadAllocatedBytes();
        for (int i = 0; i < 40_000; i++)
        {
            rows.next();
        }
        final long garbage = threads.getCurrentThreadAllocatedBytes() - before;
        assertFalse(rows.next());
        assertTrue(garbage < 10_000, "bytes of garbage for 40,000 lines: " + garbage);
    }

    /** A field that a quoted one may hold; a carriage return alone in it is no line end of the feed. */
    private static String field(final Random random)
    {
        final StringBuilder field = new StringBuilder("f");
        for (int i = random.nextInt(4); i > 0; i--)
        {
            field.append(PIECES[random.nextInt(random.nextInt(50) == 0 ? PIECES.length : PIECES.length - 1)]);
        }
        return field.toString();
    }

    private static List<String> read(final String text, final int chunk) throws IOException
    {
        final CsvRowReader rows =
            new CsvRowReader(lines(text.getBytes(StandardCharsets.UTF_8), chunk), PAYMENTS, "feed.csv");
        final List<String> all = new ArrayList<>();
        while (rows.next())
        {
            final RawRow row = rows.row();
            all.add(row.line() + (row.problem() != null ? "! " + row.problem() :
                ": " + show(row, 0) + "|" + show(row, 1) + "|" + show(row, 2)));
        }
        return all;
    }

    private static String show(final RawRow row, final int column)
    {
        return row.isPresent(column) ? row.wholeText(column) : "-";
    }

    private static LineReader lines(final byte[] text, final int chunk)
    {
        final InputStream in = new ByteArrayInputStream(text)
        {
            @Override
            public synchronized int read(final byte[] target, final int offset, final int length)
            {
                return super.read(target, offset, Math.min(length, chunk));
            }
        };
        return new LineReader(new byte[0], 0, 0, in);
    }
}
