package io.tidemark.ingest.feed;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Feeds with anything in them: each line is an event or is turned away with a reason, and reading comes to the end.
 */
class MutatedFeedTest
{
    private static final FeedTarget TARGET = new FeedTarget(FeedPipeline.TOPOLOGY, new FeedRules(true),
        new ColumnMapping[] {ColumnMapping.NONE, ColumnMapping.NONE}, FeedTarget.ANY_STREAM);
    private static final int FEEDS = 500;
    private static final int LINES = 30;
    private static final String[] PIECES = {
        "\"", "\"\"", ",", "\n", "\r", "\r\n", "\0", "\0\0\0{", "{\0\"\0", "{", "}", "[[[[[[[[[[[[[[[[[[", ":", "\\",
        "\\ud800", "\ufeff", "e99999", "-", ".", "null", "\uffff", "9".repeat(1_500), "x".repeat(9_000), "\u2028"};

    @ParameterizedTest
    @EnumSource(FeedFormat.class)
    void shouldMakeAnEventOrAReasonOfEveryLine(final FeedFormat format) throws IOException
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final byte[] head = (format == FeedFormat.CSV ? FeedPipeline.HEADER : line(format, 0))
            .getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < FEEDS; i++)
        {
            final byte[] rest = mutated(format, random);
            final byte[] feed = new byte[head.length + rest.length];
            System.arraycopy(head, 0, feed, 0, head.length);
            System.arraycopy(rest, 0, feed, head.length, rest.length);
            try
            {
                read(format, feed);
            }
            catch (final IOException | RuntimeException ex)
            {
                throw new AssertionError("seed " + seed + ", feed " + i, ex);
            }
        }
    }

    private static void read(final FeedFormat format, final byte[] feed) throws IOException
    {
        final LineReader lines = new LineReader(new byte[0], 0, 0, new ByteArrayInputStream(feed));
        final RowReader rows = format == FeedFormat.CSV ?
            new CsvRowReader(lines, TARGET, "feed") : new JsonRowReader(lines, TARGET, "feed");
        final EventReader events = new EventReader(TARGET, rows.columns());
        long line = 0;
        while (rows.next())
        {
            assertTrue(rows.row().line() >= line);
            line = rows.row().line();
            if (!events.read(rows.row()))
            {
                assertNotNull(events.reason());
                assertTrue(events.reason().length() < 400, events.reason());
                assertTrue(rows.text().length() < 1_100);
            }
        }
    }

    private static byte[] mutated(final FeedFormat format, final Random random)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES; i++)
        {
            text.append(line(format, i));
        }
        for (int i = random.nextInt(8); i >= 0; i--)
        {
            text.insert(random.nextInt(text.length()), PIECES[random.nextInt(PIECES.length)]);
            final int cut = random.nextInt(text.length());
            text.delete(cut, Math.min(text.length(), cut + random.nextInt(5)));
        }
        final byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(5); i > 0; i--)
        {
            bytes[random.nextInt(bytes.length)] = (byte)random.nextInt(256);
        }
        return bytes;
    }

    private static String line(final FeedFormat format, final int i)
    {
        return format == FeedFormat.CSV ?
            "payments,1,upsert,\"i\u00e9" + i + "\",0,k,2026-10-06T11:00:00.5Z,1,2,7," + i + "\n" :
            "{\"stream\":\"payments\",\"id\":\"i\u00e9" + i + "\",\"key\":\"k\",\"time\":" + i + ",\"value\":7}\n";
    }
}
