package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import io.tidemark.sink.sql.PostgresServer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * All that a user does with a pipeline whose tables are in a PostgreSQL server: a real one, of the test's own.
 */
class PostgresCommandsTest
{
    private static final String YAML = """
        pipeline: server
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
    private static final String FEED = """
        stream,kind,id,revision,key,time,value
        payments,upsert,P1,0,shop,2026-03-31T12:00:00Z,500
        signals,upsert,S1,0,shop,2026-03-31T12:05:00Z,7
        signals,upsert,S2,0,shop,2026-03-31T12:09:00Z,8
        payments,upsert,C1,0,filler,2026-03-31T15:00:00Z,0
        signals,upsert,C1,0,filler2,2026-03-31T15:00:00Z,0
        signals,upsert,S3,0,shop,2026-03-31T12:01:00Z,9
        """;
    private static final String PAIRS = "SELECT rule || ' ' || left_id || '-' || right_id || ' ' || generation FROM ";

    @TempDir
    private Path directory;
    private CommandFixture pipeline;
    private String url;
    private String schema;

    @BeforeEach
    void process()
    {
        url = PostgresServer.shared().newDatabase();
        schema = url.substring(url.indexOf("currentSchema=") + "currentSchema=".length());
        pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", yaml());
        pipeline.done("ingest", pipeline.write("feed.csv", FEED).toString());
        pipeline.done("run", "--until-caught-up");
    }

    @Test
    void shouldRunRepairExportAndVerify() throws SQLException
    {
        assertEquals(List.of("1 P1-S1 1"), query(PAIRS + schema + ".pairs"));
        assertEquals(List.of("S3 waiting"), query("SELECT id || ' ' || state FROM " + schema + ".late"));
        assertEquals("1 P1-S1 1", pairs());
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
        final String status = pipeline.done("status") + pipeline.done("status", "--json");
        assertTrue(status.contains("0 records of the change log behind"), status);
        assertFalse(status.contains(System.getenv("PATH")), "a secret");

        assertTrue(pipeline.done("repair", "run").contains("published as generation 2"), pipeline.out());

        assertEquals(List.of("1 P1-S1 1", "1 P1-S3 2"), query(PAIRS + schema + ".pairs ORDER BY right_id"));
        assertEquals(List.of("S3 repaired"), query("SELECT id || ' ' || state FROM " + schema + ".late"));
        assertEquals(List.of("1", "2"), query("SELECT generation FROM " + schema + ".generations ORDER BY 1"));
        assertEquals("1 P1-S1 1, 1 P1-S3 2", pairs());
        assertEquals(0, pipeline.run("verify"), pipeline.out());

        assertEquals(1, update("UPDATE " + schema + ".pairs SET left_value = 1 WHERE right_id = 'S3'"));
        assertEquals(3, pipeline.run("verify"), pipeline.out());
        assertTrue(pipeline.out().contains("FAILS  sink tables      1 difference"), pipeline.out());
    }

    @Test
    void shouldBuildANewRuleVersionInASchemaOfItsOwnAndPruneTheOld() throws SQLException
    {
        final Path old = pipeline.write("old.yaml", yaml());
        final String other = schema + "_rule_2";
        pipeline.replaceInYaml("look_ahead: 8m", "look_ahead: 9m");
        pipeline.replaceInYaml("version: 1", "version: 2");
        assertTrue(pipeline.done("run", "--until-caught-up").contains("Rule version 2 serves from now on"),
            pipeline.out());

        assertEquals(List.of("2 P1-S1 2", "2 P1-S2 2"), query(PAIRS + other + ".pairs ORDER BY right_id"));
        assertEquals(List.of("1 P1-S1 1"), query(PAIRS + schema + ".pairs"), "the old one stays readable");
        assertEquals("2 P1-S1 2, 2 P1-S2 2", pairs());
        assertEquals("1 P1-S1 1", pairs("--generation", "1"));
        assertEquals(0, pipeline.runPlain("", "export", "-c", old.toString(), "pairs"), pipeline.err());
        assertEquals(1, pipeline.lines().size());
        assertEquals(0, pipeline.run("verify"), pipeline.out());
        assertEquals(List.of("generation 1  rule version 1  readable", "generation 2  rule version 2  serving"),
            pipeline.done("generation", "list").lines().toList());
        assertEquals(List.of("+ pair|2|shop|P1@0|S2@0", "0 rows only in generation 1, 1 only in generation 2."),
            pipeline.done("generation", "diff", "1", "2").lines().toList());
        pipeline.done("repair", "run");
        assertEquals(List.of("2 P1-S1 2", "2 P1-S2 2", "2 P1-S3 3"), query(PAIRS + other + ".pairs ORDER BY right_id"));

        pipeline.done("generation", "prune", "1");

        assertEquals(List.of(), query("SELECT table_name FROM information_schema.tables WHERE table_schema = '" +
            schema + "'"));
        assertEquals("2 P1-S1 2, 2 P1-S2 2, 2 P1-S3 3", pairs());
        assertEquals(0, pipeline.run("verify"), pipeline.out());
    }

    @Test
    void shouldKeepTheTableOfARuleVersionThatCannotBePrunedInTheDatabase()
    {
        pipeline.replaceInYaml("version: 1", "version: 2");
        pipeline.done("run", "--until-caught-up");
        pipeline.replaceInYaml("pipeline: server", "pipeline: other");
        assertTrue(pipeline.run("generation", "prune", "1") != 0, pipeline.out());
        pipeline.replaceInYaml("pipeline: other", "pipeline: server");
        assertTrue(pipeline.done("generation", "list").contains("generation 1  rule version 1  readable"),
            pipeline.out());
    }

    @Test
    void shouldRefuseTablesOfAnotherSchemaVersionByNumber() throws SQLException
    {
        update("UPDATE " + schema + ".tidemark_schema SET version = 99");
        pipeline.done("ingest", pipeline.write("more.csv",
            "stream,id,key,time\npayments,P9,shop,2026-03-31T15:00:00Z\n").toString());
        assertEquals(1, pipeline.run("run", "--until-caught-up"));
        assertTrue(pipeline.err().contains("have version 99, and this program knows version 1"), pipeline.err());
        assertEquals(1, pipeline.run("export", "pairs"));
        assertTrue(pipeline.err().contains("have version 99"), pipeline.err());
    }

    /** PATH is set everywhere, and a server that trusts does not look at what is in it. */
    private String yaml()
    {
        return YAML + "sink: {type: postgres, url: '" + url + "', user: tidemark, password_env: PATH}\n";
    }

    private String pairs(final String... options)
    {
        final List<String> args = new ArrayList<>(List.of("pairs"));
        args.addAll(List.of(options));
        return pipeline.done("export", args.toArray(String[]::new)).lines()
            .map(line -> line.replaceAll(
                ".*\"rule\":(\\d+),.*\"left_id\":\"(\\w+)\".*\"right_id\":\"(\\w+)\".*\"generation\":(\\d+).*",
                "$1 $2-$3 $4"))
            .sorted().collect(Collectors.joining(", "));
    }

    private List<String> query(final String sql) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url, "tidemark", null);
            Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery(sql))
        {
            final List<String> rows = new ArrayList<>();
            while (row.next())
            {
                rows.add(row.getString(1));
            }
            return rows;
        }
    }

    private int update(final String sql) throws SQLException
    {
        try (Connection connection = DriverManager.getConnection(url, "tidemark", null);
            Statement statement = connection.createStatement())
        {
            return statement.executeUpdate(sql);
        }
    }
}
