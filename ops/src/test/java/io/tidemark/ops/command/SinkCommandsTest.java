package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import io.tidemark.sink.view.ViewReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sinks as a user has them: configured, filled by run, read by export and verify, shown by status.
 */
class SinkCommandsTest
{
    @TempDir
    private Path directory;

    private CommandFixture pipeline(final String name, final String sink)
    {
        final Path own = directory.resolve(name);
        assertTrue(own.toFile().mkdirs());
        final CommandFixture pipeline = CommandFixture.ofCase(own, "payment-risk");
        pipeline.write("tidemark.yaml", new String(CommandFixture.resource("payment-risk.yaml"),
            StandardCharsets.UTF_8) + sink);
        return pipeline;
    }

    @Test
    void shouldExportTheSameFromEverySink()
    {
        final CommandFixture file = pipeline("file", "").processed("payment-risk");
        final CommandFixture view = pipeline("view", "\nsink: {type: view}\n").processed("payment-risk");

        for (final String what : List.of("pairs", "unmatched", "late"))
        {
            final String expected = file.done("export", what);
            assertTrue(expected.lines().count() > 0, what);
            assertEquals(expected, view.done("export", what), what);
            assertEquals(file.done("export", what, "--generation", "1"), expected, what);
        }
        assertTrue(view.done("verify").endsWith("The results equal the recomputed ones.\n"), view.out());
        assertTrue(view.done("status").contains("0 records of the change log behind"), view.out());
        assertTrue(ViewReader.exists(directory.resolve("view/data")));
    }

    @Test
    void shouldNoticeATableThatSomebodyHasChanged() throws SQLException
    {
        final CommandFixture pipeline = pipeline("file", "").processed("payment-risk");
        assertEquals(0, pipeline.run("verify"), pipeline.out());
        try (Connection connection = DriverManager.getConnection(
            "jdbc:sqlite:" + directory.resolve("file/data/tables.sqlite"));
            Statement statement = connection.createStatement())
        {
            assertEquals(1, statement.executeUpdate("UPDATE pairs SET left_value = left_value + 1 WHERE row_id = " +
                "(SELECT min(row_id) FROM pairs)"));
            assertEquals(1, statement.executeUpdate("DELETE FROM late WHERE position = (SELECT min(position) " +
                "FROM late)"));
        }

        assertEquals(3, pipeline.run("verify"));
        assertTrue(pipeline.out().contains("FAILS  sink tables      1 difference"), pipeline.out());
        assertTrue(pipeline.out().contains("FAILS  sink's late      1 difference"), pipeline.out());
    }

    @Test
    void shouldSayThatTheDatabaseIsGoneAndKeepWhatWasProcessed() throws SQLException
    {
        final String gone = "\nsink: {type: postgres, url: 'jdbc:postgresql://127.0.0.1:1/none', " +
            "user: somebody, password_env: PATH}\n";
        final CommandFixture pipeline = pipeline("gone", gone);
        pipeline.done("ingest", pipeline.feed("payment-risk").toString());
        System.setProperty(SinkRun.PATIENCE_PROPERTY, "1");
        try
        {
            assertEquals(1, pipeline.run("run", "--until-caught-up"));
        }
        finally
        {
            System.clearProperty(SinkRun.PATIENCE_PROPERTY);
        }
        assertTrue(pipeline.out().contains("up to position"), pipeline.out());
        assertTrue(pipeline.err().contains("the sink has not caught up: postgresql://127.0.0.1:1/none cannot be " +
            "written to"), pipeline.err());
        assertFalse(pipeline.err().contains(System.getenv("PATH")), "a secret");
        assertTrue(pipeline.done("status").contains("cannot be written to"), pipeline.out());

        pipeline.replaceInYaml(gone, "");
        pipeline.done("run", "--until-caught-up");
        assertTrue(pipeline.done("verify").endsWith("The results equal the recomputed ones.\n"), pipeline.out());
        try (Connection connection = DriverManager.getConnection(
            "jdbc:sqlite:" + directory.resolve("gone/data/tables.sqlite"));
            Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT count(*) FROM late WHERE state = 'waiting'"))
        {
            assertTrue(row.next() && row.getInt(1) > 0);
        }
    }

    @Test
    void shouldShowThePairThatTooShortARetentionLoses()
    {
        final CommandFixture safe = pipeline("safe", "").processed("payment-risk");
        final CommandFixture unsafe = pipeline("unsafe", "\nretention: {unsafe_override: 5m}\n");

        assertEquals(2, unsafe.run("ingest", unsafe.feed("payment-risk").toString()));
        assertTrue(unsafe.err().contains("refused without --allow-unsafe"), unsafe.err());
        unsafe.done("ingest", "--allow-unsafe", unsafe.feed("payment-risk").toString());
        unsafe.done("run", "--allow-unsafe", "--until-caught-up");
        assertTrue(unsafe.err().contains("warning: results are missing"), unsafe.err());

        final List<String> all = safe.done("export", "pairs").lines().toList();
        final List<String> left = unsafe.done("export", "--allow-unsafe", "pairs").lines().toList();
        assertTrue(left.size() < all.size(), left.size() + " of " + all.size());
        assertTrue(left.stream().allMatch(line -> line.endsWith("\"warning\":\"results are missing: " +
            "retention.unsafe_override forgets rows after 5m\"}")), left.toString());
        assertEquals(3, unsafe.run("verify", "--allow-unsafe"));
        assertTrue(unsafe.out().contains("missing from the table"), unsafe.out());
        assertTrue(unsafe.done("status", "--allow-unsafe", "--json").contains("\"warning\""), unsafe.out());
        assertTrue(Files.exists(unsafe.yaml()));
    }

    @Test
    void shouldRefuseAPasswordInAUrl()
    {
        final CommandFixture pipeline =
            pipeline("secret", "\nsink: {type: postgres, url: 'jdbc:postgresql://h/d?password=hush'}\n");
        assertEquals(2, pipeline.run("status"));
        assertTrue(pipeline.err().contains("must not hold a password"), pipeline.err());
        assertFalse(pipeline.err().contains("hush"), pipeline.err());
    }
}
