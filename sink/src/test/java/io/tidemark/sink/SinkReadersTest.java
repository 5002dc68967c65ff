package io.tidemark.sink;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import io.tidemark.operator.change.RowKind;
import io.tidemark.sink.sql.PostgresServer;
import io.tidemark.sink.view.ViewReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Readers that look all the time, beside a sink that bridges and parts sessions and revises pairs all the time. The
 * number of looks is {@code -Dtidemark.observations=N} of each sink.
 */
class SinkReadersTest
{
    private static final String LOOK =
        "SELECT (SELECT count(*) FROM sessions WHERE key = ?), (SELECT coalesce(sum(count), 0) FROM sessions " +
        "WHERE key = ?), (SELECT count(*) FROM pairs WHERE key = ?)";

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldNeverShowBothNorNeitherNorAnOldRevisionBesideTheNew(final String kind) throws InterruptedException
    {
        final String url = kind.equals("postgres") ? PostgresServer.shared().newDatabase() : "";
        final long observations = Long.getLong("tidemark.observations", kind.equals("view") ? 200_000 : 2_000);
        try (ChangeLogFixture log = new ChangeLogFixture(directory);
            TableSink sink = SinkChild.sink(kind, directory, url))
        {
            final BridgeScript script = new BridgeScript(log);
            script.first();
            work(sink);
            final List<Thread> readers = new ArrayList<>();
            for (int r = 0; r < 2; r++)
            {
                final Thread reader = new Thread(() -> read(kind, url, observations / 2));
                reader.setUncaughtExceptionHandler((thread, e) -> failure.compareAndSet(null, e));
                reader.start();
                readers.add(reader);
            }
            while (failure.get() == null && readers.stream().anyMatch(Thread::isAlive))
            {
                script.bridge();
                work(sink);
                script.part();
                work(sink);
            }
            for (final Thread reader : readers)
            {
                reader.join();
            }
        }
        if (failure.get() != null)
        {
            throw new AssertionError(failure.get());
        }
    }

    private static void work(final TableSink sink)
    {
        int work;
        do
        {
            work = sink.work(System.nanoTime() / 1_000_000);
            assertEquals("", sink.progress().trouble());
        }
        while (work > 0);
    }

    private void read(final String kind, final String url, final long observations)
    {
        if (kind.equals("view"))
        {
            readView(observations);
            return;
        }
        try (Connection connection = kind.equals("sqlite") ?
            DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("tables.sqlite")) :
            DriverManager.getConnection(url, "tidemark", null);
            PreparedStatement look = connection.prepareStatement(LOOK))
        {
            for (long i = 0; i < observations; i++)
            {
                final String key = "k" + i % BridgeScript.KEYS;
                look.setString(1, key);
                look.setString(2, key);
                look.setString(3, key);
                try (ResultSet row = look.executeQuery())
                {
                    row.next();
                    BridgeScript.check(row.getLong(1), row.getLong(2), row.getLong(3));
                }
            }
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException(e);
        }
    }

    private void readView(final long observations)
    {
        try (ViewReader view = ViewReader.open(directory))
        {
            for (long i = 0; i < observations; i++)
            {
                final long[] seen = new long[3];
                view.forEachRow("k" + i % BridgeScript.KEYS, row ->
                {
                    final boolean isSession = row.kind() == RowKind.SESSION;
                    seen[0] += isSession ? 1 : 0;
                    seen[1] += isSession ? ((SessionRow)row.row()).count() : 0;
                    seen[2] += isSession ? 0 : 1;
                });
                BridgeScript.check(seen[0], seen[1], seen[2]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres"})
    void shouldBridgeSessionsAndReviseAPairInOneTransactionEach(final String kind) throws SQLException
    {
        final String url = kind.equals("postgres") ? PostgresServer.shared().newDatabase() : "";
        try (ChangeLogFixture log = new ChangeLogFixture(directory);
            TableSink sink = SinkChild.sink(kind, directory, url))
        {
            final BridgeScript script = new BridgeScript(log);
            script.first();
            script.bridge();
            work(sink);
            try (Connection connection = kind.equals("sqlite") ?
                DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("tables.sqlite")) :
                DriverManager.getConnection(url, "tidemark", null);
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("SELECT count(*), count(DISTINCT retracted_position), " +
                    "min(retracted_position), (SELECT position FROM sessions WHERE key = 'k0'), " +
                    "(SELECT sum FROM sessions WHERE key = 'k0') FROM sessions_past WHERE key = 'k0'"))
            {
                row.next();
                assertEquals(2, row.getInt(1), "two sessions were retracted,");
                assertEquals(1, row.getInt(2), "by one change-set,");
                assertEquals(row.getLong(3), row.getLong(4), "which inserted the one that is");
                assertEquals("46116860184273879035", row.getString(5), "with a sum of more than 64 bits");
            }
        }
    }

    /** The control that must fail: a sink that appends what is merged and retires nothing counts events twice. */
    @Test
    void shouldShowTheOverCountOfASinkThatAppendsWithoutRetiring() throws SQLException
    {
        try (ChangeLogFixture log = new ChangeLogFixture(directory);
            ChangeLogTailer tailer = ChangeLogTailer.open(directory);
            Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:");
            Statement statement = connection.createStatement())
        {
            final BridgeScript script = new BridgeScript(log);
            script.first();
            script.bridge();
            statement.execute("CREATE TABLE sessions (key TEXT, start INTEGER, count INTEGER)");
            final List<String> inserts = new ArrayList<>();
            tailer.poll(changeSet ->
            {
                while (changeSet.next())
                {
                    if (!changeSet.change().isRetraction() && changeSet.change().kind() == RowKind.SESSION)
                    {
                        inserts.add("INSERT INTO sessions VALUES ('" + changeSet.change().key() + "', " +
                            changeSet.change().session().start() + ", " + changeSet.change().session().count() + ")");
                    }
                }
            }, 1_000);
            for (final String insert : inserts)
            {
                statement.execute(insert);
            }
            try (ResultSet row =
                statement.executeQuery("SELECT count(*), sum(count) FROM sessions WHERE key = 'k0'"))
            {
                row.next();
                final long sessions = row.getLong(1);
                final long events = row.getLong(2);
                final AssertionError e =
                    assertThrows(AssertionError.class, () -> BridgeScript.check(sessions, events, 1));
                assertTrue(e.getMessage().startsWith("3 sessions with 9 events"), e.getMessage());
            }
        }
    }
}
