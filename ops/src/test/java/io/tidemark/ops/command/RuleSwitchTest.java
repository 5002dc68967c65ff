package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.DataLock;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.sql.PostgresServer;
import io.tidemark.sink.sql.SqlTables;
import io.tidemark.sink.sql.SqlTarget;
import io.tidemark.sink.view.ViewTables;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The table of one version of the rule is replaced by that of another: the last good one is readable throughout, in
 * every sink, whatever becomes of the process that builds the new one. A share of the places to die at here; all with
 * {@code -Dtidemark.crashes=all}.
 */
class RuleSwitchTest
{
    private static final int SHARE = 4;
    private static final boolean IS_ALL = "all".equals(System.getProperty("tidemark.crashes"));
    private static final List<String> PLACES = List.of(
        "sql.tables-made", "sql.before-change-set:1", "sql.before-commit:1", "sql.after-commit:1",
        "checkpoint.before-capture:1", "rule.built", "rule.checked", "rule.served");
    private static final String YAML = """
        pipeline: versions
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
               lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        """;
    private static final int ROWS = 2_000;

    @TempDir
    private Path directory;
    private CommandFixture pipeline;
    private String url = "";

    private void process(final String sink)
    {
        url = sink.equals("postgres") ? PostgresServer.shared().newDatabase() : "";
        pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML + "sink: {type: " + sink +
            (url.isEmpty() ? "" : ", url: '" + url + "', user: tidemark") + "}\n");
        final StringBuilder feed = new StringBuilder("stream,id,key,time\n");
        for (int i = 0; i < ROWS; i++)
        {
            feed.append("payments,P").append(i).append(",k").append(i).append(",2026-03-31T12:00:00Z\n");
            feed.append("signals,S").append(i).append(",k").append(i).append(",2026-03-31T12:0")
                .append(i % 2 == 0 ? 7 : 9).append(":00Z\n");
        }
        pipeline.done("ingest", pipeline.write("feed.csv", feed.toString()).toString());
        pipeline.done("run", "--until-caught-up");
        assertEquals(ROWS / 2, pairs(sink));
    }

    private void changeRule()
    {
        pipeline.write("old.yaml", pipeline.read("tidemark.yaml"));
        pipeline.replaceInYaml("look_ahead: 8m", "look_ahead: 9m");
        pipeline.replaceInYaml("version: 1", "version: 2");
    }

    /** What readers of version 1 see. */
    private long pairs(final String sink)
    {
        final long[] pairs = {0};
        try (TableSource source = switch (sink)
        {
            case "sqlite" -> SqlTables.open(SqlTarget.sqlite(directory.resolve("data")), "versions");
            case "postgres" -> SqlTables.open(SqlTarget.postgres(url, "tidemark", null), "versions");
            default -> ViewTables.open(directory.resolve("data"));
        })
        {
            source.forEach(TableSource.Kind.PAIRS, null, row -> pairs[0]++);
        }
        return pairs[0];
    }

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldLetReadersHaveTheOldTableWhileTheNewOneIsBuilt(final String sink) throws InterruptedException
    {
        process(sink);
        changeRule();
        final AtomicBoolean isBuilt = new AtomicBoolean();
        final AtomicLong looks = new AtomicLong();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final Thread reader = new Thread(() ->
        {
            while (!isBuilt.get())
            {
                assertEquals(ROWS / 2, pairs(sink));
                looks.incrementAndGet();
            }
        });
        reader.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
        reader.start();
        try
        {
            pipeline.done("run", "--until-caught-up");
        }
        finally
        {
            isBuilt.set(true);
            reader.join();
        }
        assertNull(failure.get());
        assertTrue(looks.get() > 5, looks + " looks");
        assertEquals(ROWS, pipeline.done("export", "pairs").lines().count());
        assertEquals(ROWS / 2, pipeline.done("export", "pairs", "--generation", "1").lines().count());
        assertEquals(ROWS / 2, pairs(sink), "readable until it is pruned");
    }

    static Stream<String> places()
    {
        return IS_ALL ? PLACES.stream() : Stream.iterate(2, i -> i < PLACES.size(), i -> i + SHARE).map(PLACES::get);
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldServeTheOldTableWhereverTheBuildDiesAndGoOnWithIt(final String place)
        throws IOException, InterruptedException
    {
        process("sqlite");
        changeRule();

        assertEquals(CrashPoint.EXIT_CODE,
            CrashedCommand.run(directory, place, "run", "-c", pipeline.yaml().toString(), "--until-caught-up"),
            "the place is not reached");

        final boolean serves = place.equals("rule.served");
        assertEquals(ROWS / 2, pairs("sqlite"));
        assertEquals(0, pipeline.runPlain("", "export", "-c", directory.resolve("old.yaml").toString(), "pairs"));
        assertEquals(ROWS / 2, pipeline.lines().size());
        assertEquals(serves ? 0 : 2, pipeline.run("export", "pairs"), pipeline.err());
        assertTrue(pipeline.done("generation", "list").contains("rule version 1  " + (serves ? "readable" : "serving")),
            pipeline.out());

        pipeline.done("run", "--until-caught-up");
        assertEquals(ROWS, pipeline.done("export", "pairs").lines().count());
        assertEquals(0, pipeline.run("verify"), pipeline.out());
    }

    @Test
    void shouldSayThatTheOldPipelineIsToBeStoppedFirst()
    {
        process("sqlite");
        changeRule();
        try (DataLock lock = DataLock.acquire(directory.resolve("data")))
        {
            assertEquals(directory.resolve("data"), lock.directory());
            assertEquals(1, pipeline.run("run", "--until-caught-up"));
        }
        assertTrue(pipeline.err().contains("rule version 2 is built by the process that owns the data: stop the " +
            "pipeline of version 1 first"), pipeline.err());
        assertEquals(ROWS / 2, pairs("sqlite"));
        pipeline.done("run", "--until-caught-up");
        assertEquals(ROWS, pipeline.done("export", "pairs").lines().count());
    }
}
