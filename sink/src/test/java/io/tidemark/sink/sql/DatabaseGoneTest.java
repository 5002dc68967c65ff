package io.tidemark.sink.sql;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import io.tidemark.sink.ChangeLogFixture;
import io.tidemark.sink.SinkAgent;
import io.tidemark.sink.SinkMarkFile;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.Utf8;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code -Dtidemark.outage=30} stops PostgreSQL for 30 s instead of 1. */
class DatabaseGoneTest
{
    private static final SourceRow SIGNAL = SqlFixture.row("S", 0, 10, 1);

    @TempDir
    private Path directory;

    @Test
    void shouldLoseNothingAndHoldNothingUpWhilePostgresIsStopped()
    {
        final long outageNs = TimeUnit.SECONDS.toNanos(Long.getLong("tidemark.outage", 1));
        final PostgresServer server = PostgresServer.shared();
        final SqlTarget target = SqlTarget.postgres(server.newDatabase(), PostgresServer.USER, null);
        final SinkAgent agent = new SinkAgent(
            new SqlSink(target, "test", directory, SqlFixture.TOPOLOGY), directory, SystemEpochClock.INSTANCE);
        try (AgentRunner runner = new AgentRunner(new BackoffIdleStrategy(), Throwable::printStackTrace, null, agent);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            AgentRunner.startOnThread(runner);
            long written = write(log, 0, TimeUnit.MILLISECONDS.toNanos(300));
            awaitApplied(agent, 0);
            server.stop();
            final long before = written;
            written = write(log, written, outageNs);
            final SinkMarkFile.Mark during = SinkMarkFile.read(directory);
            assertTrue(written > before, "the log goes on without the database");
            assertEquals(SinkMarkFile.State.CONNECTING, during.state());
            assertTrue(during.trouble().contains("cannot be written to"), during.trouble());
            server.start();
            written = write(log, written, TimeUnit.MILLISECONDS.toNanos(100));
            awaitApplied(agent, written - 1);
            assertTrue(agent.progress().reconnects() >= 1);
        }
        finally
        {
            server.ensureStarted();
        }
        try (SqlTables tables = SqlTables.open(target, "test"))
        {
            final long[] rows = {0};
            tables.forEach(io.tidemark.sink.TableSource.Kind.PAIRS, null, row -> rows[0]++);
            assertEquals(tables.changeNumber() + 1, rows[0], "each change-set inserted one row");
        }
        assertEquals(SinkMarkFile.State.ENDED, SinkMarkFile.read(directory).state());
    }

    private static void awaitApplied(final SinkAgent agent, final long number)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (agent.progress().changeNumber() < number)
        {
            assertEquals(null, agent.failure());
            assertTrue(System.nanoTime() < deadlineNs, "the sink does not get on: " + agent.progress().trouble());
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Writes as fast as a busy pipeline for some time; returns how many change-sets there are. */
    private static long write(final ChangeLogFixture log, final long from, final long forNs)
    {
        final long deadlineNs = System.nanoTime() + forNs;
        long number = from;
        while (System.nanoTime() < deadlineNs)
        {
            for (int i = 0; i < 20; i++)
            {
                log.begin(number + 1, (int)(number % 256), 0, "k" + number % 1_000)
                    .after(new SourceRow(Utf8.of("P" + number), 0, number, 1, 0, number)).insertPair(SIGNAL).commit();
                number++;
            }
            LockSupport.parkNanos(1_000_000);
        }
        return number;
    }

    @Test
    void shouldGoOnWhenAnotherWriterHasLetGoOfTheFile() throws SQLException
    {
        try (SqlFixture sql = new SqlFixture(Database.SQLITE, directory);
            ChangeLogFixture log = new ChangeLogFixture(directory))
        {
            log.begin(1, 3, 0, "k").after(SqlFixture.row("P", 0, 1, 1)).insertPair(SIGNAL).commit();
            sql.applied();
            try (Connection other = DriverManager.getConnection("jdbc:sqlite:" + directory.resolve("tables.sqlite"));
                Statement statement = other.createStatement())
            {
                statement.execute("BEGIN IMMEDIATE");
                log.begin(2, 3, 0, "k").after(SqlFixture.row("P2", 0, 1, 1)).insertPair(SIGNAL).commit();
                assertEquals(0, sql.sink.work(1_000));
                assertFalse(sql.sink.progress().isConnected());
                assertTrue(sql.sink.progress().trouble().contains("BUSY"), sql.sink.progress().trouble());
                assertEquals(0, sql.sink.work(1_050), "it waits before it tries again");
                statement.execute("ROLLBACK");
            }
            sql.sink.work(10_000);
            assertEquals(List.of("P", "P2"), sql.query("SELECT left_id FROM pairs ORDER BY left_id"));
            assertEquals(1, sql.sink.progress().reconnects());
        }
    }

    @Test
    void shouldNameNoSecretWhateverGoesWrong()
    {
        final String secret = System.getenv("PATH");
        final SqlTarget target =
            SqlTarget.postgres("jdbc:postgresql://127.0.0.1:1/none?connectTimeout=1", "somebody", "PATH");
        try (SqlSink sink = new SqlSink(target, "test", directory, SqlFixture.TOPOLOGY))
        {
            assertEquals(0, sink.work(0));
            assertTrue(sink.progress().trouble().startsWith("postgresql://127.0.0.1:1/none cannot be written to"),
                sink.progress().trouble());
            assertFalse(sink.progress().trouble().contains(secret));
            assertFalse(target.describe().contains(secret));
        }
        for (final String url : List.of(
            "jdbc:postgresql://h/d?password=x", "jdbc:postgresql://u:p@h/d", "jdbc:postgresql://h/d?sslPassword=x"))
        {
            assertTrue(SqlTarget.holdsSecret(url), url);
        }
    }
}
