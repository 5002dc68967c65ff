package io.tidemark.ingest.feed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Which lines are events, and what is said of the others (SEMANTICS.md section 1).
 */
class FeedLinesTest
{
    private static final String GOOD = "payments,0,upsert,good,0,k,1,,,0,1\n";

    @TempDir
    private Path directory;
    private FeedPipeline pipeline;

    @BeforeEach
    void createPipeline()
    {
        pipeline = new FeedPipeline(directory);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', value = {
        "nobody,0,upsert,i,0,k,1,,,0,1                | unknown stream \"nobody\"; there are payments, signals",
        ",0,upsert,i,0,k,1,,,0,1                      | no stream",
        "payments,2,upsert,i,0,k,1,,,0,1              | unknown partition 2; stream payments has 0 to 1",
        "signals,1,upsert,i,0,k,1,,,0,1               | unknown partition 1; stream signals has only 0",
        "payments,-1,upsert,i,0,k,1,,,0,1             | unknown partition -1; stream payments has 0 to 1",
        "payments,4294967296,upsert,i,0,k,1,,,0,1     | unknown partition 4294967296; stream payments has 0 to 1",
        "payments,a,upsert,i,0,k,1,,,0,1              | partition \"a\" is not a whole number",
        "payments,0,Upsert,i,0,k,1,,,0,1              | unknown kind \"Upsert\"; it is upsert, ret",
        "payments,0,upsert,i,0,k,,,,0,1               | no time",
        "payments,0,watermark,,,,,,,,1                | no time",
        "payments,0,retract,i,0,k,,,,0,1              | no time",
        "payments,0,upsert,i,0,k,9223372036854775807,,,0,1 | time \"9223372036854775807\" is an impossible",
        "payments,0,upsert,i,0,k,2026-10-06T11:00:00,,,0,1 | time \"2026-10-06T11:00:00\" has no zone",
        "payments,0,watermark,,,,-9223372036854775808,,,,1 | time \"-9223372036854775808\" is an impos",
        "payments,0,upsert,,0,k,1,,,0,1               | no id",
        "payments,0,upsert,i,0,,1,,,0,1               | no key",
        "payments,0,retract,i,0,,1,,,0,1              | no key",
        "payments,0,upsert,i,-1,k,1,,,0,1             | revision \"-1\" is not between 0 and 2147483647",
        "payments,0,upsert,i,2147483648,k,1,,,0,1     | revision \"2147483648\" is not between 0 and 2147483647",
        "payments,0,upsert,i,4294967296,k,1,,,0,1     | revision \"4294967296\" is not between 0 and 2147483647",
        "payments,0,upsert,i,1.0,k,1,,,0,1            | revision \"1.0\" is not a whole number",
        "payments,0,upsert,i,0,k,1,,,12.50,1          | value \"12.50\" is not a whole number",
        "payments,0,upsert,i,0,k,1,,,9223372036854775808,1 | value \"9223372036854775808\" is outside",
        "payments,0,upsert,i,0,k,1,,,0,soon           | arrival \"soon\" is neither whole nanoseconds",
        "payments,0,upsert,i,0,k,1,,,0,9223372036854775807 | arrival \"9223372036854775807\" is an im",
        "payments,0,upsert,i,0,k,1,1,,0,1             | start does not belong here: only events of",
        "payments,0,upsert,i,0,k,1,,1,0,1             | end does not belong here: only events of",
        "payments,0,upsert,i,0,k,1,,,0                | the line has 10 fields, the header has 11",
        "payments,0,upsert,i,0,k,1,,,0,1,             | the line has 12 fields, the header has 11",
        "payments                                     | the line has 1 field, the header has 11",
        "payments,0,upsert,\"i\"x,0,k,1,,,0,1         | there is text behind a closing quote",
        "payments,0,upsert,\"i,0,k,1,,,0,1            | a quote that is opened here is not closed"})
    void shouldTurnAwayWhatIsNoEvent(final String line, final String reason)
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER + GOOD + line + "\n" + GOOD);
        final FeedResult result = pipeline.take("feed.csv");
        assertEquals(1, result.rejected());
        assertEquals(2, result.appended());
        assertEquals(2, pipeline.events().size());
        assertReject(0, "feed.csv", 3, reason, line);
    }

    @ParameterizedTest(name = "{0}: {1}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', value = {
        "{\"key\":\"k\",\"id\":\"i\",\"time\":1.5}               | time 1.5 is not a whole number",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":1e3}               | time 1e3 is not a whole number",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":true}              | time is neither a text nor a whole number",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":{\"ns\":1}}        | time is neither a text nor a whole number",
        "{\"key\":[\"k\"],\"id\":\"i\",\"time\":1}               | key is neither a text nor a whole number",
        "{\"key\":\"k\",\"id\":\"i\"}                            | no time",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":null}              | no time",
        "{\"key\":\"k\",\"id\":\"\",\"time\":1}                  | no id",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":1,\"value\":\"\"}  | value \"\" is not a whole number",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":1,\"time\":2}      | time is there twice",
        "{\"key\":\"k\",\"id\":\"i\",\"tiem\":1}                 | unknown name tiem",
        "{\"key\":\"\\ud800\",\"id\":\"i\",\"time\":1}           | key is not UTF-8: it holds half of a surrogate pair",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":1} {}              | there is text behind the JSON object",
        "[1]                                                     | the line is not a JSON object",
        "\"text\"                                                | the line is not a JSON object",
        "{\"key\":\"k\",\"id\":\"i\",\"time\":18446744073709551616} | time \"18446744073709551616\" is outside"})
    void shouldTurnAwayWhatIsNoEventInJson(final String line, final String reason)
    {
        final String good = "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"i\",\"time\":1}\n";
        pipeline.write("feed.jsonl", good + line.replaceFirst("\\{", "{\"stream\":\"payments\",") + "\n" + good);
        final FeedResult result = pipeline.take("feed.jsonl");
        assertEquals(1, result.rejected());
        assertEquals(2, result.appended());
        assertReject(0, "feed.jsonl", 2, reason, null);
    }

    @Test
    void shouldSayWhereAJsonLineBreaks()
    {
        pipeline.write("feed.jsonl", "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"i\",\"time\":1");
        assertEquals(1, pipeline.take("feed.jsonl").rejected());
        assertTrue(pipeline.rejects().get(0).contains("malformed JSON at column "), pipeline.rejects().get(0));
    }

    @Test
    void shouldAppendWhatIsAnEventButBreaksARuleOfThePipeline()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER + "payments,0,upsert,i,0,k,9000000000000000000,,,0,1\n");
        assertEquals(0, pipeline.take("feed.csv").rejected());
        final FeedPipeline overlaps = new FeedPipeline(directory.resolve("overlaps")).withSpans();
        overlaps.write("feed.csv", FeedPipeline.HEADER +
            "payments,0,upsert,a,0,k,5,7,3,0,1\npayments,0,upsert,b,0,k,5,,,0,2\npayments,0,upsert,c,0,k,5,1,,0,3\n" +
            "payments,0,upsert,d,0,k,5,5,9,0,4\n");
        assertEquals(0, overlaps.take("feed.csv").rejected());
        assertEquals(List.of(
            "payments-0 upsert k a 0 5 [7,3] 0 @1",
            "payments-0 upsert k b 0 5 0 @2",
            "payments-0 upsert k c 0 5 [1,none] 0 @3",
            "payments-0 upsert k d 0 5 [5,9] 0 @4"), overlaps.events());
    }

    @Test
    void shouldTakeStartAndEndFromUpsertsOnly()
    {
        pipeline.withSpans().write("feed.csv", FeedPipeline.HEADER +
            "payments,0,retract,a,0,k,5,1,,0,1\npayments,0,watermark,,,,5,,9,,2\n" +
            "payments,0,upsert,a,0,k,5,x,9,0,3\npayments,0,upsert,a,0,k,5,1,9223372036854775807,0,4\n");
        assertEquals(4, pipeline.take("feed.csv").rejected());
        assertReject(0, "feed.csv", 2, "start does not belong here: a retract has none", null);
        assertReject(1, "feed.csv", 3, "end does not belong here: a watermark has none", null);
        assertReject(3, "feed.csv", 5, "end \"9223372036854775807\" is an impossible time", null);
    }

    @Test
    void shouldIgnoreWhatElseAWatermarkCarries()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER +
            "payments,0,watermark,i,many,k,9223372036854775807,,,much,1\n");
        assertEquals(0, pipeline.take("feed.csv").rejected());
        assertEquals(List.of("payments-0 watermark   0 9223372036854775807 0 @1"), pipeline.events());
    }

    @Test
    void shouldTakeKeysAndIdsOf1To255Bytes()
    {
        final String longest = "\u00e9".repeat(127) + "x";
        pipeline.write("feed.csv", FeedPipeline.HEADER +
            "payments,0,upsert," + longest + ",0," + longest + ",1,,,0,1\n" +
            "payments,0,upsert," + longest + "x,0,k,1,,,0,1\n" +
            "payments,0,upsert,i,0," + longest + "x,1,,,0,1\n");
        assertEquals(2, pipeline.take("feed.csv").rejected());
        assertEquals(1, pipeline.events().size());
        assertReject(0, "feed.csv", 3, "id is 256 bytes long, more than 255", null);
        assertReject(1, "feed.csv", 4, "key is 256 bytes long, more than 255", null);
    }

    @Test
    void shouldTakeQuotedFieldsWithCommasQuotesAndLineBreaks()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER +
            "payments,0,upsert,\"a,\"\"b\"\"\",0,\"x\ny\r\nz\",1,,,\"7\",\"1\"\n" +
            "payments,0,nothing,c,0,k,1,,,0,2\n" +
            "payments,0,upsert,d\"e,0,k,1,,,0,3\n");
        assertEquals(1, pipeline.take("feed.csv").rejected());
        assertEquals(List.of(
            "payments-0 upsert x\ny\r\nz a,\"b\" 0 1 7 @1", "payments-0 upsert k d\"e 0 1 0 @3"), pipeline.events());
        assertReject(0, "feed.csv", 5, "unknown kind \"nothing\"; it is upsert, retract or watermark", null);
    }

    @Test
    void shouldLoseOneLineOnlyToAStrayQuote()
    {
        final StringBuilder text = new StringBuilder(FeedPipeline.HEADER);
        for (int i = 0; i < 2_000; i++)
        {
            text.append("payments,0,upsert,").append(i == 500 || i == 700 ? "\"" : "").append("i").append(i)
                .append(",0,k,1,,,0,").append(i + 1).append('\n');
        }
        pipeline.write("feed.csv", text.toString());
        final FeedResult result = pipeline.take("feed.csv");
        assertEquals(2, result.rejected());
        assertEquals(1_998, result.appended());
        assertReject(0, "feed.csv", 502, "there is text behind a closing quote", null);
        assertReject(1, "feed.csv", 702, "a quote that is opened here is not closed", null);
    }

    @Test
    void shouldReadAFeedWithByteOrderMarkAndCarriageReturns()
    {
        pipeline.write("feed.csv", "\ufeff" + (FeedPipeline.HEADER + "\n" + GOOD).replace("\n", "\r\n"));
        pipeline.write("feed.jsonl", "\ufeff{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"j\",\"time\":1}\r\n");
        assertEquals(0, pipeline.take("feed.csv").rejected());
        assertEquals(0, pipeline.take("feed.jsonl").rejected());
        assertEquals(2, pipeline.events().size());
    }

    @Test
    void shouldTakeALastLineWithoutEndWhenItIsWholeAndSaySo()
    {
        pipeline.write("whole.csv", FeedPipeline.HEADER + GOOD.trim());
        pipeline.write("cut.csv", FeedPipeline.HEADER + "payments,0,upsert,other,0");
        final FeedResult whole = pipeline.take("whole.csv");
        assertEquals(1, whole.appended());
        assertTrue(whole.notes().get(0).contains("does not end its last line"), whole.notes().toString());
        final FeedResult cut = pipeline.take("cut.csv");
        assertEquals(0, cut.appended());
        assertEquals(1, cut.rejected());
        assertReject(0, "cut.csv", 2, "the line has 5 fields, the header has 11", "payments,0,upsert,other,0");
    }

    @Test
    void shouldTurnAwayBytesThatAreNotUtf8()
    {
        final ByteArrayOutputStream csv = new ByteArrayOutputStream();
        csv.writeBytes((FeedPipeline.HEADER + "payments,0,upsert,i").getBytes(StandardCharsets.UTF_8));
        csv.write(0xE9);
        csv.writeBytes((",0,k,1,,,0,1\n" + GOOD).getBytes(StandardCharsets.UTF_8));
        pipeline.write("feed.csv", csv.toByteArray());
        final ByteArrayOutputStream json = new ByteArrayOutputStream();
        json.writeBytes("{\"stream\":\"payments\",\"key\":\"k\",\"time\":1,\"id\":\"ok\"}\n{\"id\":\""
            .getBytes(StandardCharsets.UTF_8));
        // A surrogate pair in CESU-8, which a lenient decoder would mend.
        json.writeBytes(new byte[] {
            (byte)0xED, (byte)0xA0, (byte)0xBD, (byte)0xED, (byte)0xB8, (byte)0x80, '"', '}', '\n'});
        pipeline.write("feed.jsonl", json.toByteArray());
        assertEquals(1, pipeline.take("feed.csv").rejected());
        assertEquals(1, pipeline.take("feed.jsonl").rejected());
        assertReject(0, "feed.csv", 2, "id is not UTF-8", null);
        assertReject(1, "feed.jsonl", 2, "the line is not UTF-8", null);
    }

    @Test
    void shouldTurnAwayRawNulBytesButTakeANulThatJsonSpellsOut()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER + "payments,0,upsert,i\0,0,k,1,,,0,1\n" +
            "payments,0,upsert,\"i\0\",0,k,1,,,0,1\n\0\0\0\0\n" + GOOD);
        final String spelledOut =
            "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"a\\u0000b\",\"time\":1,\"arrival\":2}\n";
        pipeline.write("feed.jsonl", spelledOut + spelledOut.replace("\\u0000", "\0"));
        assertEquals(3, pipeline.take("feed.csv").rejected());
        assertEquals(1, pipeline.take("feed.jsonl").rejected());
        assertReject(0, "feed.csv", 2, "the line holds a NUL byte", null);
        assertEquals(List.of("payments-0 upsert k good 0 1 0 @1", "payments-0 upsert k a\0b 0 1 0 @2"),
            pipeline.events());
    }

    @Test
    void shouldTurnAwayLinesTooLongForAnyEventAndCapTheirText()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER + "payments,0," + "x".repeat(2_000_000) + "\n" + GOOD);
        final FeedResult result = pipeline.take("feed.csv");
        assertEquals(1, result.rejected());
        assertEquals(1, result.appended());
        assertReject(0, "feed.csv", 2, "the line is longer than 1048576 bytes", null);
        assertTrue(pipeline.rejects().get(0).length() < 1_300, "length: " + pipeline.rejects().get(0).length());
    }

    @Test
    void shouldTurnAwayLinesOfAnotherStreamThanTheFeedWasSaidToBeOf()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER + GOOD + ",0,upsert,b,0,k,1,,,0,2\n" +
            "signals,0,upsert,c,0,k,1,,,0,3\n");
        final FeedResult result = pipeline.take("feed.csv", "payments");
        assertEquals(2, result.appended());
        assertReject(0, "feed.csv", 4, "the line is of stream signals, the feed was said to be of payments", null);
    }

    @Test
    void shouldTurnAwayWhatComesAfterTheLastArrivalThereCanBe()
    {
        pipeline.write("feed.csv", FeedPipeline.HEADER +
            "payments,0,upsert,a,0,k,1,,,0,9223372036854775806\npayments,0,upsert,b,0,k,1,,,0,1\n");
        assertEquals(1, pipeline.take("feed.csv").rejected());
        assertReject(0, "feed.csv", 3, "an arrival before it is the last there can be", null);
    }

    private void assertReject(
        final int index, final String file, final long line, final String reason, final String text)
    {
        final String report = pipeline.rejects().get(index);
        final String start = "{\"file\":\"" + pipeline.path(file) + "\",\"line\":" + line + ",\"reason\":\"" +
            reason.replace("\"", "\\\"");
        final String end = text == null ? "\"}" : "\",\"text\":\"" + text.replace("\"", "\\\"") + "\"}";
        assertTrue(report.startsWith(start) && report.endsWith(end), () -> start + "..." + end + " but was " + report);
    }
}
