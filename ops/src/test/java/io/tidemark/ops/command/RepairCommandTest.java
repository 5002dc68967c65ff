package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Repairs from feed to table through the command line. Payments match signals from 47 minutes before to 8 minutes
 * after; lateness is 3 minutes. Times are of one day.
 */
class RepairCommandTest
{
    private static final String YAML = """
        pipeline: repairs
        data: ./data
        rule:
          version: 1
          type: interval-join
          left: payments
          right: signals
          look_back: 47m
          look_ahead: 8m
          lateness: 3m
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        """;
    private static final String HEADER = "stream,kind,id,revision,key,time,value\n";

    @TempDir
    private Path directory;
    private CommandFixture pipeline;
    private int feeds;

    @BeforeEach
    void configure()
    {
        pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML);
    }

    @Test
    void shouldRepairAPaymentThatWasCorrectedAfterItsHorizon()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "signals,upsert,S2,0,shop,11:20,8",
            "signals,upsert,S1,0,shop,12:05,7", "payments,upsert,P2,0,shop,12:10,900", "clock 15:00");
        feed("payments,upsert,P1,1,shop,12:00,450");
        final String clocks = clocks();
        assertEquals("P1@1 waiting", late());
        assertEquals("P1@0-S1 1, P1@0-S2 1, P2@0-S1 1", pairs());

        final String said = pipeline.done("repair", "run");

        assertTrue(said.contains("published as generation 2"), said);
        assertEquals("P1@1 repaired", late());
        assertEquals("P1@1-S1 2, P1@1-S2 2, P2@0-S1 1", pairs());
        assertEquals("P1@0-S1 1, P1@0-S2 1, P2@0-S1 1", pairs("--generation", "1"));
        assertEquals(clocks, clocks());
        assertTrue(pipeline.out().contains("\"generation\":2"), pipeline.out());
        assertTrue(pipeline.done("verify").contains("holds  repairs          1 published repair\n"), pipeline.out());
        assertTrue(pipeline.done("repair", "show", "1").contains("values 900 left and 15 right"), pipeline.out());
        assertTrue(pipeline.done("repair", "run").contains("Nothing waits for repair."), pipeline.out());
        assertTrue(pipeline.done("repair", "publish", "1").contains("published before, as generation 2"));
    }

    @Test
    void shouldTakeALateRowInAndItsPartnersOutOfTheUnmatched()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 15:00");
        assertEquals("P1@0 1", unmatched());
        feed("signals,upsert,S1,0,shop,12:03,7");

        pipeline.done("repair", "run");

        assertEquals("P1@0-S1 2", pairs());
        assertEquals("", unmatched());
    }

    @Test
    void shouldTakeOutARowThatWasWithdrawnTooLate()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "signals,upsert,S1,0,shop,12:03,7", "clock 15:00");
        feed("signals,retract,S1,1,shop,12:03,0");

        pipeline.done("repair", "run");

        assertEquals("", pairs());
        assertEquals("P1@0 2", unmatched());
        assertEquals("S1@1 repaired", late());
    }

    @Test
    void shouldCloseALateDuplicateWithoutAChange()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "signals,upsert,S1,0,shop,12:03,7", "clock 15:00");
        feed("payments,upsert,P1,0,shop,12:00,500");

        assertTrue(pipeline.done("repair", "run").contains("0 retracted, 0 inserted: no change"), pipeline.out());

        assertEquals("P1@0 no-change", late());
        assertEquals("P1@0-S1 1", pairs());
    }

    @Test
    void shouldWaitUntilTheLivePathCanNoLongerTouchTheRegion()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 12:06");
        feed("signals,upsert,S1,0,shop,12:02,7");
        assertEquals("S1@0 waiting", late());

        assertTrue(pipeline.done("repair", "run").contains("until the acceptance clock"), pipeline.out());
        assertEquals("S1@0 waiting", late());
        assertEquals("", pairs());

        feed("clock 15:00");
        pipeline.done("repair", "run");
        assertEquals("P1@0-S1 2", pairs());
    }

    @Test
    void shouldKeepACandidateWithoutPublishingIt()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 15:00");
        feed("signals,upsert,S1,0,shop,12:03,7");

        assertTrue(pipeline.done("repair", "run", "--no-publish").contains("valid, built on generation 1"));
        assertEquals("", pairs());
        assertTrue(pipeline.done("repair", "list").contains("1 waiting"), pipeline.out());

        assertTrue(pipeline.done("repair", "publish", "1").contains("published as generation 2"), pipeline.out());
        assertEquals("P1@0-S1 2", pairs());
        assertTrue(pipeline.done("repair", "list").contains("1 repaired"), pipeline.out());
    }

    @Test
    void shouldRepairOnlyTheKeyOrTheDayThatIsAskedFor()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "payments,upsert,P1,0,cafe,12:00,500", "clock 15:00");
        feed("signals,upsert,S1,0,shop,12:03,7", "signals,upsert,S1,0,cafe,12:03,7");

        assertTrue(pipeline.done("repair", "run", "--day", "2026-03-30").contains("Nothing waits for repair there."));
        pipeline.done("repair", "run", "--key", "cafe", "--day", "2026-03-31");
        assertEquals("P1@0-S1 2", pairs());
        pipeline.done("repair", "run");
        assertEquals("P1@0-S1 2, P1@0-S1 3", pairs());
        assertEquals(2, pipeline.run("repair", "run", "--day", "yesterday"));
    }

    @Test
    void shouldLetEventsExpireThatAreFurtherBackThanTheHorizon()
    {
        pipeline.replaceInYaml("streams:", "repair: {horizon: 2h}\nstreams:");
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 15:00");
        feed("signals,upsert,S1,0,shop,12:03,7");
        assertEquals("S1@0 expired", late());
        assertTrue(pipeline.done("repair", "run").contains("Nothing waits for repair."), pipeline.out());
        assertEquals("", pairs());
    }

    @Test
    void shouldShowWhatHasExpiredInTheTablesAndTheListThoughNothingWasRepaired() throws SQLException
    {
        pipeline.replaceInYaml("streams:", "repair: {horizon: 2h}\nstreams:");
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 13:00");
        feed("signals,upsert,S1,0,shop,12:03,7");
        assertEquals("waiting", lateInTable());
        assertTrue(pipeline.done("repair", "list").contains("2026-03-31  1 waiting"), pipeline.out());

        feed("clock 15:00");

        assertEquals("expired", lateInTable());
        assertEquals("S1@0 expired", late());
        assertTrue(pipeline.done("repair", "list").contains("2026-03-31  1 expired"), pipeline.out());
        assertFalse(Files.exists(directory.resolve("data/repair")), "no candidate");
        feed("signals,upsert,S2,0,shop,12:04,7");
        assertEquals("expired expired", lateInTable());
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
    }

    private String lateInTable() throws SQLException
    {
        try (Connection connection =
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("data/tables.sqlite"));
            Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT group_concat(state, ' ') FROM late"))
        {
            row.next();
            return row.getString(1);
        }
    }

    @Test
    void shouldReadRawLogsFromAPlaceBeforeWhichNothingOfTheRegionLies()
    {
        feed("payments,upsert,P0,0,shop,01:00,1", "clock 02:00", "clock 03:00");
        pipeline.done("repair", "list");
        feed("signals,upsert,S0,0,shop,00:58,1");
        assertEquals("S0@0 waiting", late());
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 15:00");
        feed("signals,upsert,S1,0,shop,12:03,7");

        pipeline.done("repair", "run", "--day", "2026-03-31", "--key", "shop");

        assertEquals("P0@0-S0 2, P1@0-S1 3", pairs());
        feed("payments,upsert,P2,0,cafe,16:00,500", "clock 19:00");
        feed("signals,upsert,S2,0,cafe,16:03,7");
        assertEquals("S0@0 repaired, S1@0 repaired, S2@0 waiting", late());
        pipeline.done("repair", "run");
        final String shown = pipeline.done("repair", "show", "3");
        assertTrue(shown.contains("payments/0: 4 records"), "of seven: " + shown);

        pipeline.write("data/repair-places", "neither places nor a checksum of any");
        feed("signals,upsert,S3,0,cafe,16:04,7");
        pipeline.done("repair", "run");
        assertTrue(pipeline.done("repair", "show", "4").contains("payments/0: 7 records"), pipeline.out());
        assertEquals("P0@0-S0 2, P1@0-S1 3, P2@0-S2 4, P2@0-S3 5", pairs());
    }

    @Test
    void shouldJoinSessionsThatALateEventBridges()
    {
        pipeline.write("tidemark.yaml", """
            pipeline: sessions
            data: ./data
            rule: {version: 1, type: session, input: activity, gap: 11m, lateness: 3m}
            streams:
              activity: {partitions: 1}
            """);
        final String header = "stream,kind,id,revision,key,time,value\n";
        pipeline.done("ingest", pipeline.write("a.csv", header +
            "activity,upsert,E1,0,shop,2026-03-31T12:00:00Z,5\nactivity,upsert,E2,0,shop,2026-03-31T12:20:00Z,7\n" +
            "activity,upsert,C,0,filler,2026-03-31T15:00:00Z,0\n" +
            "activity,upsert,E3,0,shop,2026-03-31T12:10:00Z,1\n").toString());
        pipeline.done("run", "--until-caught-up");
        assertEquals("1 5 1, 1 7 1", sessions());

        pipeline.done("repair", "run");

        assertEquals("3 13 2", sessions());
        assertEquals("E3@0 repaired", late());
        assertTrue(pipeline.done("repair", "show", "1").contains("1 sessions of 3 events, values 13"), pipeline.out());
    }

    private String sessions()
    {
        return export("sessions").stream().filter(line -> text(line, "key").equals("shop"))
            .map(line -> number(line, "count") + " " + number(line, "sum") + " " + number(line, "generation"))
            .sorted().collect(Collectors.joining(", "));
    }

    @Test
    void shouldSayWhichCandidatesThereAre()
    {
        feed("payments,upsert,P1,0,shop,12:00,500", "clock 15:00");
        assertTrue(pipeline.done("repair", "list").contains("No event was late."), pipeline.out());
        assertEquals(1, pipeline.run("repair", "show", "7"));
        assertTrue(pipeline.err().contains("there is no candidate 7"), pipeline.err());
        assertEquals(2, pipeline.run("repair"));
    }

    /** Ingests lines and runs until caught up; "clock T" is filler of another key on both streams. */
    private void feed(final String... lines)
    {
        final String rows = List.of(lines).stream().map(line -> line.startsWith("clock ") ?
            "payments,upsert,C" + feeds + ",0,filler," + line.substring(6) + ",0\n" +
            "signals,upsert,C" + feeds + ",0,filler2," + line.substring(6) + ",0" : line)
            .map(text -> text.replaceAll(",([0-9]{2}:[0-9]{2})", ",2026-03-31T$1:00Z"))
            .collect(Collectors.joining("\n"));
        pipeline.done("ingest", pipeline.write("feed" + feeds++ + ".csv", HEADER + rows + "\n").toString());
        pipeline.done("run", "--until-caught-up");
    }

    private String pairs(final String... options)
    {
        return export("pairs", options).stream()
            .map(line -> text(line, "left_id") + "@" + number(line, "left_revision") + "-" + text(line, "right_id") +
                " " + number(line, "generation"))
            .sorted().collect(Collectors.joining(", "));
    }

    private String unmatched()
    {
        return export("unmatched").stream().filter(line -> !text(line, "key").startsWith("filler"))
            .map(line -> text(line, "id") + "@" + number(line, "revision") + " " + number(line, "generation"))
            .collect(Collectors.joining(", "));
    }

    private String late()
    {
        return export("late").stream()
            .map(line -> text(line, "id") + "@" + number(line, "revision") + " " + text(line, "state"))
            .collect(Collectors.joining(", "));
    }

    private List<String> export(final String what, final String... options)
    {
        final String[] args = new String[options.length + 1];
        args[0] = what;
        System.arraycopy(options, 0, args, 1, options.length);
        return pipeline.done("export", args).lines().toList();
    }

    private String clocks()
    {
        final String status = pipeline.done("status", "--json");
        return status.substring(status.indexOf("\"state\":{\"rows\""), status.indexOf("\"checkpoint\"")) +
            status.substring(status.indexOf("\"streams\""));
    }

    private static String text(final String json, final String name)
    {
        final int at = json.indexOf("\"" + name + "\":\"") + name.length() + 4;
        return json.substring(at, json.indexOf('"', at));
    }

    private static long number(final String json, final String name)
    {
        final String rest = json.substring(json.indexOf("\"" + name + "\":") + name.length() + 3);
        return Long.parseLong(rest.split("[,}]", 2)[0]);
    }
}
