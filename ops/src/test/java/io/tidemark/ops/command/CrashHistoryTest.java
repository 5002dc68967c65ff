package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;

import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.sql.PostgresServer;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Three crashes, one after the other, of a pipeline with each of the sinks: with one match in the sink and no
 * checkpoint; with a correction prepared and asked for, and not acknowledged; and once more when the sink has committed
 * that. After each replay there is one current row for one logical result.
 */
class CrashHistoryTest
{
    private static final String YAML = """
        pipeline: history
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
               lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        checkpoint: {every: 1h}
        """;

    @TempDir
    private Path directory;
    private CommandFixture pipeline;

    @ParameterizedTest
    @ValueSource(strings = {"sqlite", "postgres", "view"})
    void shouldHoldOneRowForOneResultAfterEachReplay(final String sink) throws IOException, InterruptedException
    {
        pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML + "sink: {type: " + sink + (sink.equals("postgres") ?
            ", url: '" + PostgresServer.shared().newDatabase() + "', user: tidemark" : "") + "}\n");
        ingest("payments,P1,0,shop,12:00,5", "signals,S1,0,shop,12:05,7");
        final boolean isView = sink.equals("view");

        assertEquals(CrashPoint.EXIT_CODE, run(isView ? "view.published:1" : "sql.after-commit:1", "run"));
        assertEquals(List.of(), new CheckpointDirectory(directory.resolve("data")).positions());
        pipeline.done("run", "--until-caught-up");
        assertEquals("P1@0=5-S1 1", pairs());

        ingest("payments,C,0,filler,15:00,1", "signals,C,0,filler2,15:00,1", "payments,P1,1,shop,12:00,6");
        pipeline.done("run", "--until-caught-up");
        assertEquals(CrashPoint.EXIT_CODE, run("repair.requested:1", "repair", "run"));
        assertEquals("P1@0=5-S1 1", pairs(), "not applied yet");
        final int changeSets = isView ? 2 + fillers() : 1;
        assertEquals(CrashPoint.EXIT_CODE, run(
            isView ? "view.published:" + changeSets : "sql.after-commit:1", "repair", "run"));
        assertEquals("P1@1=6-S1 2", isView ? "P1@1=6-S1 2" : pairs(), "committed");

        assertTrue(pipeline.done("repair", "run").contains("Nothing waits for repair"), pipeline.out());
        pipeline.done("run", "--until-caught-up");
        assertEquals("P1@1=6-S1 2", pairs());
        assertEquals(2, pipeline.done("generation", "list").lines().count(), pipeline.out());
        assertEquals(0, pipeline.run("verify"), pipeline.out());
    }

    /** Change-sets of other keys before the repair. */
    private int fillers()
    {
        return (int)pipeline.done("export", "changes").lines()
            .filter(line -> !line.contains("\"key\":\"shop\"")).count();
    }

    private void ingest(final String... rows)
    {
        final String dated =
            String.join("\n", List.of(rows)).replaceAll(",([0-9]{2}:[0-9]{2})", ",2026-03-31T$1:00Z");
        pipeline.done("ingest", pipeline.write(
            "feed" + rows.length + ".csv", "stream,id,revision,key,time,value\n" + dated + "\n").toString());
    }

    private int run(final String place, final String command, final String... more)
        throws IOException, InterruptedException
    {
        final String[] args = new String[3 + more.length];
        System.arraycopy(new String[]{command, "-c", pipeline.yaml().toString()}, 0, args, 0, 3);
        System.arraycopy(more, 0, args, 3, more.length);
        return CrashedCommand.run(directory, place, args);
    }

    private String pairs()
    {
        return pipeline.done("export", "pairs").lines()
            .map(line -> line.replaceAll(".*\"left_id\":\"(\\w+)\",\"left_revision\":(\\d+),.*\"left_value\":(\\d+)," +
                "\"right_id\":\"(\\w+)\".*\"generation\":(\\d+).*", "$1@$2=$3-$4 $5"))
            .sorted().collect(Collectors.joining(", "));
    }
}
