package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

class ProgressTest
{
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MIB = 1 << 20;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
    private long nowNs;

    @Test
    void shouldSayALineEveryFiveSecondsWithRateAndTimeLeft()
    {
        try (Progress progress = new Progress(out, false, () -> nowNs, "feed.csv", 100 * MIB))
        {
            for (int second = 0; second <= 7; second++)
            {
                nowNs = second * SECOND_NS;
                progress.update(second * 10L * MIB, second * 1_000_000L);
            }
        }
        assertEquals("""
            feed.csv: 1,000,000 lines, 1,000,000 a second, 10 of 100 MiB, 9 s left
            feed.csv: 6,000,000 lines, 1,000,000 a second, 60 of 100 MiB, 4 s left
            """, printed());
    }

    @Test
    void shouldSayNoTimeLeftWhenNobodyKnowsTheSize()
    {
        try (Progress progress = new Progress(out, false, () -> nowNs, "-", -1))
        {
            nowNs = 2 * SECOND_NS;
            progress.update(MIB, 500);
        }
        assertEquals("-: 500 lines, 250 a second\n", printed());
    }

    @Test
    void shouldSayNothingOfWhatIsDoneAtOnce()
    {
        try (Progress progress = new Progress(out, true, () -> nowNs, "feed.csv", MIB))
        {
            nowNs = SECOND_NS / 2;
            progress.update(MIB, 500);
        }
        assertEquals("", printed());
    }

    @Test
    void shouldDrawABarOnATerminal()
    {
        try (Progress progress = new Progress(out, true, () -> nowNs, "feed.csv", 100 * MIB))
        {
            nowNs = 2 * SECOND_NS;
            progress.update(50 * MIB, 500);
        }
        assertTrue(printed().contains("feed.csv") && printed().contains("50%"), printed());
    }

    private String printed()
    {
        return bytes.toString(StandardCharsets.UTF_8).replace(System.lineSeparator(), "\n");
    }
}
