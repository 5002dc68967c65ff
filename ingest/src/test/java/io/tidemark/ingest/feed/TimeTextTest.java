package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

class TimeTextTest
{
    private final TimeText time = new TimeText();

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00Z,                 0",
        "1970-01-01T00:00Z,                    0",
        "1970-01-01 00:00:00.000000001Z,       1",
        "1969-12-31T23:59:59.999999999Z,      -1",
        "2026-10-06T11:00:00Z,                 1791284400000000000",
        "2026-10-06T13:00:00+02:00,            1791284400000000000",
        "2026-10-06T13:00:00+0200,             1791284400000000000",
        "2026-10-06T13:00:00+02,               1791284400000000000",
        "2026-10-06T05:30:00.25-05:30,         1791284400250000000",
        "2000-02-29T00:00:00Z,                 951782400000000000",
        "1677-09-21T00:12:43.145224193Z,      -9223372036854775807",
        "2262-04-11T23:47:16.854775806Z,       9223372036854775806",
        "1791284400000000000,                  1791284400000000000",
        "-5,                                  -5",
        "9223372036854775806,                  9223372036854775806",
        "-9223372036854775807,                -9223372036854775807"})
    void shouldRead(final String text, final long expectedNs)
    {
        assertTrue(parse(text), () -> time.problem());
        assertEquals(expectedNs, time.timeNs());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z", "2026-00-01T00:00:00Z",
        "2026-13-01T00:00:00Z", "2026-01-00T00:00:00Z", "2026-01-01T24:00:00Z", "2026-01-01T23:60:00Z",
        "2026-12-31T23:59:60Z", "2026-01-01T00:00:00+19:00", "2026-01-01T00:00:00+18:01", "2026-01-01T00:00:00+02:60"})
    void shouldRefuseWhatNoCalendarHas(final String text)
    {
        assertFalse(parse(text));
        assertEquals("is no time of the calendar", time.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {"2026-10-06T11:00:00", "2026-10-06T11:00", "2026-10-06T11:00:00.25"})
    void shouldRefuseATimeWithoutZone(final String text)
    {
        assertFalse(parse(text));
        assertEquals("has no zone: end it with Z or an offset such as +02:00", time.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "today", "2026-10-06", "2026-10-06T", "2026-10-06T11Z", "20261006T110000Z", "2026-1-6T11:00:00Z",
        "2026-10-06T11:00:00.Z", "2026-10-06T11:00:00,5Z", "2026-10-06T11:00:00Zx", "2026-10-06T11:00:00z",
        "2026-10-06T11:00:00+2", "2026-10-06T11:00:00+02:", "2026-10-06T11:00:00[UTC]", "1.5e18", "+5",
        "12026-10-06T11:00:00Z"})
    void shouldRefuseWhatIsNoTime(final String text)
    {
        assertFalse(parse(text));
        assertTrue(time.problem().startsWith("is neither whole nanoseconds"), time.problem());
    }

    @Test
    void shouldRefuseMoreDigitsThanANanosecondHas()
    {
        assertFalse(parse("2026-10-06T11:00:00.0000000000Z"));
        assertEquals("has more than nine fractional digits", time.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "2262-04-11T23:47:16.854775808Z", "1677-09-21T00:12:43.145224191Z", "9999-12-31T23:59:59Z",
        "0000-01-01T00:00:00Z"})
    void shouldRefuseWhat64BitsDoNotHold(final String text)
    {
        assertFalse(parse(text));
        assertTrue(time.problem().startsWith("is outside"), time.problem());
    }

    @ParameterizedTest
    @ValueSource(strings = {"9223372036854775807", "-9223372036854775808", "2262-04-11T23:47:16.854775807Z"})
    void shouldRefuseTheInfinities(final String text)
    {
        assertFalse(parse(text));
        assertEquals("is an impossible time", time.problem());
    }

    @Test
    void shouldTakePlusInfinityFromAWatermarkOnly()
    {
        final byte[] plus = "9223372036854775807".getBytes(StandardCharsets.UTF_8);
        assertTrue(time.parseWatermark(plus, 0, plus.length));
        assertEquals(Long.MAX_VALUE, time.timeNs());
        final byte[] minus = "-9223372036854775808".getBytes(StandardCharsets.UTF_8);
        assertFalse(time.parseWatermark(minus, 0, minus.length));
    }

    @Test
    void shouldAgreeWithTheCalendarOfJava()
    {
        final Random random = new Random(7361);
        for (int i = 0; i < 100_000; i++)
        {
            final long ns = random.nextLong() / 2;
            final Instant instant = Instant.ofEpochSecond(Math.floorDiv(ns, 1_000_000_000L),
                Math.floorMod(ns, 1_000_000_000L));
            final ZoneOffset offset = ZoneOffset.ofTotalSeconds(60 * (random.nextInt(2 * 18 * 60 + 1) - 18 * 60));
            final String text = OffsetDateTime.ofInstant(instant, offset).toString();
            assertTrue(parse(text), () -> text + " " + time.problem());
            assertEquals(ns, time.timeNs(), text);
        }
    }

    private boolean parse(final String text)
    {
        final byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return time.parse(bytes, 0, bytes.length);
    }
}
