package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.tidemark.ops.config.ConfigurationReader;
import io.tidemark.sink.verify.Check;
import io.tidemark.sink.verify.ReportedCounters;
import io.tidemark.sink.verify.Verification;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class CommandsTest
{
    private static final String FEED = """
        stream,partition,kind,id,revision,key,time,value,arrival
        payments,0,upsert,P1,0,k|1,2026-10-06T12:00:00Z,100,2026-10-06T12:00:01Z
        signals,1,upsert,S1,0,k|1,2026-10-06T12:05:00Z,7,2026-10-06T12:05:01Z
        payments,1,upsert,P2,0,other,2026-10-06T12:06:00Z,50,2026-10-06T12:06:01Z
        """;

    @TempDir
    private Path directory;

    private CommandFixture pipeline;

    @BeforeEach
    void configure()
    {
        pipeline = CommandFixture.ofCase(directory, "payment-risk");
        pipeline.write("small.csv", FEED);
    }

    @ParameterizedTest
    @ValueSource(strings = {"demo", "init", "ingest", "run", "export", "status", "verify",
        "repair", "generation", "dump"})
    void shouldSayWhatEachCommandDoes(final String command)
    {
        assertEquals(0, pipeline.runPlain("", command, "--help"));

        assertTrue(pipeline.out().startsWith("Usage: tidemark " + command), pipeline.out());
        assertEquals("", pipeline.err());
    }

    @Test
    void shouldListTheCommandsThatExist()
    {
        assertEquals(0, pipeline.runPlain("", "--help"));

        assertTrue(pipeline.out().contains("verify") && pipeline.out().contains("bench"), pipeline.out());
        assertTrue(pipeline.out().contains("repair"), pipeline.out());
        assertTrue(pipeline.out().contains("checkpoint") && pipeline.out().contains("replay"), pipeline.out());
        assertFalse(pipeline.out().contains("proof"), pipeline.out());
    }

    @Test
    void shouldCallWrongUsageWhatItIs()
    {
        assertEquals(2, pipeline.runPlain(""));
        assertEquals(2, pipeline.runPlain("", "exprt"));
        assertTrue(pipeline.err().contains("export"), pipeline.err());
        assertEquals(2, pipeline.runPlain("", "ingest", "--speeed", "1x", "f.csv"));
        assertEquals(2, pipeline.runPlain("", "init", "x", "--rule", "interval-jion"));
        assertTrue(pipeline.err().contains("did you mean 'interval-join'?"), pipeline.err());
        assertEquals(2, pipeline.runPlain("", "status", "-c", directory.resolve("no.yaml").toString()));
        assertEquals("", pipeline.out());
    }

    @Test
    void shouldWriteConfigurationsThatRun()
    {
        for (final String rule : List.of("interval-join", "overlap-join", "session"))
        {
            final Path target = directory.resolve(rule);
            assertEquals(0, pipeline.runPlain("", "init", target.toString(), "--rule", rule), pipeline.err());

            final Path yaml = target.resolve("tidemark.yaml");
            assertEquals(rule, ConfigurationReader.read(yaml).ruleType());
            assertEquals(0, pipeline.runPlain("", "run", "-c", yaml.toString(), "--until-caught-up"), pipeline.err());
            assertEquals(2, pipeline.runPlain("", "init", target.toString(), "--rule", rule));
            assertTrue(pipeline.err().contains("exists already"), pipeline.err());
        }
    }

    @Test
    void shouldIngestFromStandardInputWithColumnsOfTheUsersOwn()
    {
        pipeline.replaceInYaml("payments: {partitions: 2}",
            "payments: {partitions: 2, ingest: {columns: {key: merchant, id: payment_id, time: paid_at}}}");
        final String feed = "merchant,payment_id,paid_at\nm1,p1,2026-10-06T12:00:00Z\n";

        assertEquals(0, pipeline.runPlain(
            feed, "ingest", "-c", pipeline.yaml().toString(), "--stream", "payments", "-"), pipeline.err());

        assertEquals("Appended 1 events (payments 1, signals 0).\n".replace(", signals 0", ""),
            pipeline.out().replace(", signals 0", ""));
        assertTrue(pipeline.done("dump", "payments-0").contains("upsert key m1 id p1@0 time 2026-10-06T12:00:00Z"));
    }

    @Test
    void shouldTurnAwayWhatIsNoEventAndSayWhere()
    {
        pipeline.write("bad.csv", FEED + "nowhere,0,upsert,P3,0,k,2026-10-06T12:00:00Z,1,\n");

        assertEquals(3, pipeline.run("ingest", directory.resolve("bad.csv").toString()), pipeline.err());

        final String rejects = pipeline.done("export", "rejects");
        assertTrue(rejects.contains("bad.csv\",\"line\":5,\"reason\":"), rejects);
        assertEquals(2, pipeline.done("export", "rejects", "--format", "csv").lines().count());
    }

    @Test
    void shouldExportEventsThatWereRejectedInTheirPlace()
    {
        pipeline.write("far.csv", FEED + "payments,0,upsert,P9,0,k,2026-12-06T12:00:00Z,1,2026-10-06T12:07:00Z\n");
        pipeline.done("ingest", directory.resolve("far.csv").toString());
        pipeline.done("run", "--until-caught-up");

        final String rejects = pipeline.done("export", "rejects");

        assertTrue(rejects.startsWith("{\"position\":4,\"file\":null,\"line\":null,\"reason\":" +
            "\"its time is more than max_ahead past its arrival\",\"text\":\"{\\\"stream\\\":\\\"payments\\\""),
            rejects);
        assertEquals("", pipeline.done("export", "rejects", "--key", "k|1"));
        assertTrue(pipeline.done("dump", "rejects").contains("key k id P9@0"), pipeline.out());
        assertTrue(pipeline.done("verify").contains("1 rejected"), pipeline.out());
    }

    @Test
    void shouldMakeEverythingFinalAtTheEndOfInput()
    {
        pipeline.done("ingest", directory.resolve("small.csv").toString());
        pipeline.done("run", "--until-caught-up");
        assertEquals("", pipeline.done("export", "unmatched"));

        pipeline.done("run", "--end-of-input");

        final String unmatched = pipeline.done("export", "unmatched", "--format", "csv");
        assertEquals("unmatched|1|other|left|P2@0,1,other,left,P2,0,2026-10-06T12:06:00Z,50,true,1",
            unmatched.lines().skip(1).findFirst().orElseThrow());
        assertTrue(pipeline.done("status").contains("end"), pipeline.out());
        pipeline.done("verify");
    }

    @Test
    void shouldGoOnWithWhatCameInAfterAnEarlierRun()
    {
        pipeline.processed("payment-risk");
        final String before = pipeline.done("export", "changes");
        pipeline.write("more.jsonl", "{\"stream\":\"payments\",\"key\":\"new\",\"id\":\"N1\"," +
            "\"time\":\"2026-10-06T16:50:00Z\",\"arrival\":\"2026-10-06T17:00:00Z\"}\n" +
            "{\"stream\":\"signals\",\"key\":\"new\",\"id\":\"N2\"," +
            "\"time\":\"2026-10-06T16:51:00Z\",\"arrival\":\"2026-10-06T17:00:01Z\"}\n");
        pipeline.done("ingest", directory.resolve("more.jsonl").toString());

        pipeline.done("run", "--until-caught-up");

        assertTrue(pipeline.out().contains("Went on from checkpoint 485; repeated 0 positions"), pipeline.out());
        final String after = pipeline.done("export", "changes");
        assertTrue(after.startsWith(before));
        assertTrue(after.substring(before.length()).contains("pair|1|new|N1@0|N2@0"), after.substring(before.length()));
        pipeline.done("verify");
    }

    @Test
    void shouldAppendNothingWhenAFeedIsIngestedTwice()
    {
        pipeline.processed("payment-risk");
        final String pairs = pipeline.done("export", "pairs");

        pipeline.done("ingest", pipeline.feed("payment-risk").toString());
        assertTrue(pipeline.out().contains("Appended 0 events"), pipeline.out());
        pipeline.done("run", "--until-caught-up");

        assertEquals(pairs, pipeline.done("export", "pairs"));
    }

    @Test
    void shouldExportOneKey()
    {
        pipeline.done("ingest", directory.resolve("small.csv").toString());
        pipeline.done("run", "--until-caught-up");

        assertEquals("pair|1|k%7C1|P1@0|S1@0,1,k|1,P1,0,2026-10-06T12:00:00Z,100,S1,0,2026-10-06T12:05:00Z,7,1",
            pipeline.done("export", "pairs", "--key", "k|1", "--format", "csv").lines().toList().get(1));
        assertEquals("", pipeline.done("export", "pairs", "--key", "other"));
        assertEquals(2, pipeline.done("export", "order", "--key", "k|1").lines().count());
        assertEquals(3, pipeline.done("export", "order").lines().count());
        assertEquals(2, pipeline.run("export", "pair"));
        assertTrue(pipeline.err().contains("did you mean 'pairs'?"), pipeline.err());
        assertEquals(2, pipeline.run("export", "pairs", "--generation", "2"));
        assertTrue(pipeline.err().contains("there is no generation 2; the newest is 1"), pipeline.err());
        assertEquals(pipeline.done("export", "pairs"), pipeline.done("export", "pairs", "--generation", "1"));
        assertEquals(2, pipeline.run("export", "pairs", "--format", "xml"));
    }

    @Test
    void shouldExportNothingBeforeTheFirstRun()
    {
        assertEquals("", pipeline.done("export", "pairs"));
        assertTrue(pipeline.err().contains("nothing has been computed yet"), pipeline.err());
        assertEquals("", pipeline.done("export", "order"));
        assertTrue(pipeline.done("status").startsWith("payment-risk: has not run yet"), pipeline.out());
        assertTrue(pipeline.done("status", "--json").contains("\"state\":\"never_run\""), pipeline.out());
        assertEquals(1, pipeline.run("verify"));
    }

    @Test
    void shouldShowClocksAndLag()
    {
        pipeline.processed("payment-risk");
        pipeline.done("ingest", directory.resolve("small.csv").toString());

        final String json = pipeline.done("status", "--json");

        assertTrue(json.contains("\"position\":485,\"ordered_position\":485,\"waiting\":3"), json);
        assertTrue(json.contains("\"payments\":{\"watermark\":\"2026-10-06T16:42:20Z\""), json);
        assertTrue(pipeline.done("status").contains("485: 471 accepted, 11 duplicates"), pipeline.out());
    }

    @Test
    void shouldShowRecordsByQueueIndex()
    {
        pipeline.processed("payment-risk");
        final List<String> all = pipeline.done("dump", "payments-0").lines().toList();
        assertEquals(143, all.size());
        final String third = all.get(2).substring(0, all.get(2).indexOf(' '));
        final String fourth = all.get(3).substring(0, all.get(3).indexOf(' '));

        assertEquals(all.subList(2, 4), pipeline.done("dump", "payments/0", "--from", third, "--to", fourth)
            .lines().toList());
        assertTrue(pipeline.done("dump", "changes").contains("+ pair|1|merchant-29|"), pipeline.err());
        assertTrue(pipeline.done("dump", "late").contains("before the acceptance clock"), pipeline.out());
        assertTrue(pipeline.done("dump", "order").contains("from position 1: payments-0 x4"), pipeline.out());
        assertEquals(2, pipeline.run("dump", "payment-0"));
        assertTrue(pipeline.err().contains("did you mean 'payments-0'?"), pipeline.err());
        assertEquals(2, pipeline.run("dump", "order", "--from", "x"));
    }

    @Test
    void shouldSayInWordsWhereTheResultsDifferFromTheRecomputedOnes()
    {
        pipeline.processed("payment-risk");
        pipeline.replaceInYaml("look_back: 47m", "look_back: 46m");
        final List<Check> checks = new Verification(
            ConfigurationReader.read(pipeline.yaml()).spec(), directory.resolve("data"),
            directory.resolve("data"), 485,
            new ReportedCounters(485, 470, 11, 0, 3, 1)).run(what -> {});

        final List<String> failed = checks.stream().filter(check -> !check.holds()).map(Check::what).toList();
        assertEquals(List.of("pairs", "unmatched rows", "counters"), failed);
        final Check pairs = checks.get(1);
        assertTrue(pairs.differences().get(0).startsWith(
            "in the table, but should not be: key edge-at-look-back-payment-first: left pay-edge"), pairs.toString());
        assertEquals(List.of("accepted should be 471, but the pipeline counted 470",
            "rejected should be 0, but the pipeline counted 1"), checks.get(5).differences());
    }

    @Test
    void shouldExitWithThreeWhenACheckDoesNotHold() throws IOException
    {
        pipeline.processed("payment-risk");
        pipeline.replaceInYaml("lateness: 3m", "lateness: 4m");
        final Path format = directory.resolve("data/format.json");
        Files.writeString(format, Files.readString(format).replace("3m", "4m"));

        assertEquals(3, pipeline.run("verify"));

        assertTrue(pipeline.out().contains("FAILS") && pipeline.out().endsWith("differ from the recomputed ones.\n"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        lateness: 3m              | lateness: 4m              | 'rule.lateness' is 4m, but the data in
        payments: {partitions: 2} | payments: {partitions: 3} | 'streams.payments.partitions' is 3, but the data in
        delay: 0s                 | delay: 1s                 | 'watermark.delay' is 1s, but the data in
        rule:                     | slots: 2                  | 'slots' is 2, but the data in
        """, quoteCharacter = '"')
    void shouldRefuseOtherSettingsThanTheDataWereMadeWith(final String from, final String to, final String complaint)
    {
        pipeline.processed("payment-risk");
        pipeline.replaceInYaml(from, to.replace("slots: 2", "slots: 2\nrule:"));

        for (final String command : List.of("run", "status", "verify"))
        {
            assertEquals(2, pipeline.run(command));
            assertTrue(pipeline.err().contains(complaint) && pipeline.err().contains("set it back"), pipeline.err());
        }
    }

    @Test
    void shouldLetARuleChangeUntilItHasResults()
    {
        pipeline.done("ingest", directory.resolve("small.csv").toString());
        pipeline.replaceInYaml("lateness: 3m", "lateness: 4m");

        pipeline.done("run", "--until-caught-up");
    }

    @Test
    void shouldRefuseWhatIsNotBuiltYet()
    {
        CommandFixture.ofCase(directory, "payment-risk")
            .replaceInYaml("rule:", "retention: {unsafe_override: 1m}\nrule:");
        assertEquals(2, pipeline.run("run"));
        assertTrue(pipeline.err().contains("--allow-unsafe"), pipeline.err());
    }

    @Test
    void shouldShowAStackTraceOnlyWhenAsked()
    {
        assertEquals(1, pipeline.run("verify"));
        assertEquals(1, pipeline.err().lines().count());
        assertEquals(1, pipeline.run("verify", "--verbose"));
        assertTrue(pipeline.err().contains("\tat io.tidemark.ops"), pipeline.err());
    }
}
