package io.tidemark.bench;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.sink.SinkAgent;
import io.tidemark.sink.TableSink;
import io.tidemark.sink.sql.SqlSink;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewSink;
import org.HdrHistogram.Histogram;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.SystemEpochClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * How many changes a second go into each sink, and how far each lags behind the change log at a steady rate.
 */
@Command(
    name = "sinks",
    mixinStandardHelpOptions = true,
    description = "Fills each sink from a change log that is there, then from one that grows at a steady rate; " +
        "reports changes a second, and the time from a change-set's place in the log to its place in the table.")
final class SinksCommand implements Callable<Integer>
{
    private static final double NS_PER_S = 1e9;
    private static final double NS_PER_MS = 1e6;
    private static final long LONGEST_LAG_NS = 600_000_000_000L;
    private static final int WRITE_BATCH = 10;
    /** Leaves the processor to others, as a pipeline with this little to do does. */
    private static final long PAUSE_NS = 50_000;
    private static final List<String> SCHEMAS = List.of("tidemark_bench_fill", "tidemark_bench_steady");

    @Spec
    private CommandSpec spec;

    @Option(names = "--changes", defaultValue = "1000000", description = "Changes to fill with; a million.")
    private long changes;

    @Option(names = "--rate", defaultValue = "100000", description = "Changes a second of the steady part; 100,000.")
    private int rate;

    @Option(names = "--seconds", defaultValue = "10", description = "Length of the steady part; 10.")
    private int seconds;

    @Option(names = "--postgres", paramLabel = "URL",
        description = "jdbc:postgresql://host:port/database in which two schemas are made and dropped again; left " +
            "out unless given.")
    private String postgres;

    @Option(names = "--user", defaultValue = "tidemark", description = "Of that database.")
    private String user;

    @Option(names = "--password-env", description = "Name of the variable with its password.")
    private String passwordEnv;

    @Option(names = "--dir", description = "On the disk that is to be measured.")
    private Path directory;

    private final Topology topology =
        Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
    private PrintWriter out;

    @Override
    public Integer call()
    {
        out = spec.commandLine().getOut();
        line("%-10s %16s %16s %12s %12s %12s %14s %14s", "sink", "changes a second", "a second of CPU", "lag p50 ms",
            "lag p99 ms", "lag max ms", "behind at end", "caught up in s");
        final List<String> kinds = new ArrayList<>(List.of("view", "sqlite"));
        if (postgres != null)
        {
            kinds.add("postgres");
        }
        for (final String kind : kinds)
        {
            final boolean isServer = kind.equals("postgres");
            if (isServer)
            {
                dropSchemas();
            }
            try (ScratchDirectory scratch = new ScratchDirectory(directory))
            {
                final double[] filled = fill(kind, scratch.path().resolve("fill"));
                steady(kind, scratch.path().resolve("steady"), filled);
            }
            if (isServer)
            {
                dropSchemas();
            }
        }
        if (postgres == null)
        {
            line("postgres: give a database with --postgres URL");
        }
        return 0;
    }

    /** Schemas of an earlier bench, or of this one. */
    private void dropSchemas()
    {
        final Properties properties = new Properties();
        properties.setProperty("user", user);
        if (passwordEnv != null)
        {
            properties.setProperty("password", System.getenv(passwordEnv));
        }
        try (Connection connection = DriverManager.getConnection(postgres, properties);
            Statement statement = connection.createStatement())
        {
            for (final String schema : SCHEMAS)
            {
                statement.execute("DROP SCHEMA IF EXISTS " + schema + " CASCADE");
            }
        }
        catch (final SQLException e)
        {
            throw new IllegalStateException("the database does not answer: " + e.getMessage(), e);
        }
    }

    private TableSink sink(final String kind, final Path data, final int database)
    {
        return switch (kind)
        {
            case "view" -> new ViewSink(data);
            case "sqlite" -> new SqlSink(SqlTarget.sqlite(data), "bench", data, topology);
            default -> new SqlSink(
                SqlTarget.postgres(postgres, user, passwordEnv).inSchema(SCHEMAS.get(database)), "bench", data,
                topology);
        };
    }

    /** Changes a second, and changes a second of this thread's CPU time, without that of a server. */
    private double[] fill(final String kind, final Path data)
    {
        long written = 0;
        final long last;
        try (ChangeFeed feed = new ChangeFeed(data))
        {
            while (written < changes)
            {
                written += feed.write();
            }
            last = feed.written() - 1;
        }
        try (TableSink sink = sink(kind, data, 0))
        {
            final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            final long cpuStart = threads.getCurrentThreadCpuTime();
            final long start = System.nanoTime();
            while (sink.progress().changeNumber() < last)
            {
                sink.work(System.currentTimeMillis());
                check(sink.progress().trouble());
            }
            return new double[]{
                written * NS_PER_S / (System.nanoTime() - start),
                written * NS_PER_S / (threads.getCurrentThreadCpuTime() - cpuStart)};
        }
    }

    private void steady(final String kind, final Path data, final double[] filled)
    {
        final Histogram lag = new Histogram(LONGEST_LAG_NS, 3);
        final long changeSets = (long)seconds * rate * 10 / ChangeFeed.CHANGES_OF_TEN;
        final long[] writtenNs = new long[(int)changeSets + WRITE_BATCH];
        final long behind;
        final double caughtUpS;
        try (ChangeFeed feed = new ChangeFeed(data))
        {
            final SinkAgent agent = new SinkAgent(sink(kind, data, 1), data, SystemEpochClock.INSTANCE);
            try (AgentRunner runner =
                new AgentRunner(new BackoffIdleStrategy(), Throwable::printStackTrace, null, agent))
            {
                AgentRunner.startOnThread(runner);
                final long startNs = System.nanoTime();
                long seen = -1;
                while (feed.written() < changeSets)
                {
                    final double elapsedS = (System.nanoTime() - startNs) / NS_PER_S;
                    final long due = Math.min(changeSets, (long)(elapsedS * rate * 10 / ChangeFeed.CHANGES_OF_TEN));
                    while (feed.written() < due)
                    {
                        for (int i = 0; i < WRITE_BATCH; i++)
                        {
                            feed.write();
                            writtenNs[(int)feed.written() - 1] = System.nanoTime();
                        }
                        seen = look(agent, seen, writtenNs, lag);
                    }
                    seen = look(agent, seen, writtenNs, lag);
                    LockSupport.parkNanos(PAUSE_NS);
                }
                final long endNs = System.nanoTime();
                behind = feed.written() - 1 - agent.progress().changeNumber();
                while (seen < feed.written() - 1)
                {
                    seen = look(agent, seen, writtenNs, lag);
                    check(agent.progress().trouble());
                    LockSupport.parkNanos(PAUSE_NS);
                }
                caughtUpS = (System.nanoTime() - endNs) / NS_PER_S;
            }
        }
        line("%-10s %,16.0f %,16.0f %,12.2f %,12.2f %,12.2f %,14d %,14.2f", kind, filled[0], filled[1],
            lag.getValueAtPercentile(50) / NS_PER_MS, lag.getValueAtPercentile(99) / NS_PER_MS,
            lag.getMaxValue() / NS_PER_MS, behind, caughtUpS);
    }

    private static long look(final SinkAgent agent, final long seen, final long[] writtenNs, final Histogram lag)
    {
        final long number = agent.progress().changeNumber();
        if (number > seen)
        {
            final long nowNs = System.nanoTime();
            for (long i = seen + 1; i <= number; i++)
            {
                lag.recordValue(Math.min(LONGEST_LAG_NS, Math.max(0, nowNs - writtenNs[(int)i])));
            }
        }
        return Math.max(seen, number);
    }

    private static void check(final String trouble)
    {
        if (!trouble.isEmpty())
        {
            throw new IllegalStateException(trouble);
        }
    }

    private void line(final String format, final Object... values)
    {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
