package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class LineReaderTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 1_000, 1 << 20})
    void shouldCutLinesWhereverReadsEnd(final int chunk) throws IOException
    {
        final Random random = new Random(chunk);
        final List<String> expected = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < 3_000; i++)
        {
            final String line = "x".repeat(random.nextInt(i % 100 == 0 ? 5_000 : 60));
            expected.add(line);
            text.append(line).append(i % 3 == 0 ? "\r\n" : "\n");
        }
        assertEquals(expected, read(reader(text.toString(), chunk)));
    }

    @Test
    void shouldReadALastLineWithoutEndAndSaySo() throws IOException
    {
        final LineReader lines = reader("a\nb", 1);
        assertEquals(List.of("a", "b"), read(lines));
        assertTrue(lines.isUnterminated());
        final LineReader whole = reader("a\nb\n", 1);
        assertEquals(List.of("a", "b"), read(whole));
        assertFalse(whole.isUnterminated());
    }

    @Test
    void shouldShowOnlyTheBeginningOfATooLongLineAndGoOnBehindIt() throws IOException
    {
        for (final int length : new int[] {
            LineReader.MAX_LENGTH + 1, LineReader.MAX_LENGTH + 70_000, 5 * LineReader.MAX_LENGTH})
        {
            final LineReader lines = reader("a\n" + "y".repeat(length) + "\nb\nc", 1 << 14);
            assertTrue(lines.next());
            assertTrue(lines.next());
            assertTrue(lines.isTooLong());
            assertEquals("y".repeat(1_000) + "...", lines.text());
            assertTrue(lines.next());
            assertEquals("b", lines.text());
            assertEquals(3, lines.line());
            assertTrue(lines.next());
            assertEquals("c", lines.text());
            assertFalse(lines.next());
        }
    }

    @Test
    void shouldFindATooLongLineAtTheEndOfTheFeed() throws IOException
    {
        final LineReader lines = reader("y".repeat(LineReader.MAX_LENGTH + 1), 1 << 16);
        assertTrue(lines.next());
        assertTrue(lines.isTooLong());
        assertFalse(lines.next());
    }

    @Test
    void shouldReadLinesAgainThatWereTakenIntoARecord() throws IOException
    {
        final LineReader lines = reader("a\nb\nc\nd\n", 1);
        assertTrue(lines.next());
        assertTrue(lines.extend());
        assertTrue(lines.extend());
        assertEquals("a\nb\nc", lines.text());
        lines.shrink();
        assertEquals("a", lines.text());
        assertEquals(List.of("b", "c", "d"), read(lines));
        assertEquals(4, lines.line() - 1);
    }

    @Test
    void shouldNotExtendARecordForEver() throws IOException
    {
        final LineReader lines = reader("0123456789\n".repeat(1 << 14), 1 << 12);
        assertTrue(lines.next());
        int count = 0;
        while (lines.extend())
        {
            count++;
        }
        assertTrue(count < 1 << 13, "lines taken in: " + count);
        lines.shrink();
        assertEquals((1 << 14) - 1, read(lines).size());
    }

    private static List<String> read(final LineReader lines) throws IOException
    {
        final List<String> all = new ArrayList<>();
        while (lines.next())
        {
            all.add(new String(lines.buffer(), lines.offset(), lines.length(), StandardCharsets.UTF_8));
        }
        return all;
    }

    private static LineReader reader(final String text, final int chunk)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        final int ahead = Math.min(bytes.length, chunk);
        final InputStream rest = new ByteArrayInputStream(bytes, ahead, bytes.length - ahead)
        {
            @Override
            public synchronized int read(final byte[] target, final int offset, final int length)
            {
                return super.read(target, offset, Math.min(length, chunk));
            }
        };
        return new LineReader(bytes, 0, ahead, rest);
    }
}
