package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.fixture.FeedLanguage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every case of a join through the commands, from feed to export, and once more by brute force.
 */
class CasesTest
{
    private static final List<String> COUNTERS =
        List.of("events", "accepted", "duplicates", "conflicts", "late", "rejected");

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "payment-risk,             payment-risk",
        "payment-risk-provisional, payment-risk",
        "payment-risk-joint,       payment-risk",
        "payment-risk-idle,        payment-risk",
        "payment-risk-key-scope,   payment-risk",
        "overlap-rounds,           overlap-rounds",
        "sessions,                 sessions",
        "sessions-final,           sessions",
        "sessions-aggregate,       sessions"})
    void shouldExportTheRightAnswerOfACase(final String name, final String feed) throws IOException
    {
        final CommandFixture pipeline = CommandFixture.ofCase(directory, name).processed(feed);
        final byte[] right = CommandFixture.resource(name + ".expected.jsonl");
        final ExpectedAnswer expected = ExpectedAnswer.read(pipeline.write("expected.jsonl", right));

        for (final String table : List.of("pairs", "unmatched", "sessions", "late"))
        {
            expected.compare(table, pipeline.write(table + ".jsonl", pipeline.done("export", table)));
        }

        assertEquals(List.of(), expected.wrong());
        final String status = pipeline.done("status", "--json");
        final String summary = new String(right, StandardCharsets.UTF_8).lines().reduce((a, b) -> b).orElseThrow();
        for (final String counter : COUNTERS)
        {
            assertEquals(number(summary, counter), number(status, counter), counter);
        }
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
    }

    @ParameterizedTest
    @CsvSource({"retail_purchase_cancel", "perp_trade_quote", "congress_terms_first6000"})
    void shouldExportTheRightPairsOfARealFeed(final String name)
    {
        final CommandFixture pipeline = CommandFixture.ofCase(directory, name).processed(name);

        final List<String> pairs = pipeline.done("export", "pairs").lines()
            .map(line -> text(line, "key") + "," + text(line, "left_id") + "," + text(line, "right_id"))
            .sorted().toList();

        assertEquals(new String(CommandFixture.resource(name + ".expected.csv"), StandardCharsets.UTF_8).lines()
            .skip(1).sorted().toList(), pairs);
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
        assertEquals(0, number(pipeline.done("status", "--json"), "late"));
    }

    @Test
    void shouldExportTheRightSessionsOfARealFeed()
    {
        final CommandFixture pipeline =
            CommandFixture.ofCase(directory, "elasticoffee_sessions").processed("elasticoffee_sessions");

        final List<String> sessions = pipeline.done("export", "sessions").lines()
            .map(line -> text(line, "key") + "," + FeedLanguage.time(text(line, "start")) + "," +
                FeedLanguage.time(text(line, "end")) + "," + number(line, "count") + "," + number(line, "sum"))
            .sorted().toList();

        assertEquals(
            new String(CommandFixture.resource("elasticoffee_sessions.expected.csv"), StandardCharsets.UTF_8)
            .lines().skip(1).sorted().toList(), sessions);
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
        assertEquals(0, number(pipeline.done("status", "--json"), "late"));
    }

    private static long number(final String json, final String name)
    {
        final String rest = json.substring(json.indexOf("\"" + name + "\":") + name.length() + 3).strip();
        return Long.parseLong(rest.substring(0, rest.indexOf(rest.replaceFirst("[0-9]+", "").charAt(0))));
    }

    private static String text(final String json, final String name)
    {
        final int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }
}
