package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** After a loss of power logs may end where they ended when they were synced last; who had read on is told so. */
class SinkAheadTest
{
    private static final String YAML = """
        pipeline: ahead
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
          lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        checkpoint: {durability: power}
        """;
    private static final String HEADER = "stream,kind,id,revision,key,time,value\n";
    private static final List<String> LOST = List.of("changes", "late", "rejects", "order", "sources", "checkpoints");

    @TempDir
    private Path directory;

    @Test
    void shouldSayThatTheSinkHasGotFurtherThanTheLogNowGoes() throws IOException, InterruptedException
    {
        final CommandFixture pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML);
        process(pipeline, "a", "12");
        final Path data = directory.resolve("data");
        final Path synced = directory.resolve("synced");
        copy(data, synced);
        process(pipeline, "b", "15");
        for (final String log : LOST)
        {
            assertEquals(0, new ProcessBuilder("rm", "-r", data.resolve(log).toString()).start().waitFor());
            copy(synced.resolve(log), data.resolve(log));
        }
        assertEquals(1, pipeline.run("run", "--until-caught-up"));
        assertTrue(pipeline.err().contains("is ahead of the logs: it has record 1, and the change log ends with " +
            "record 0"), pipeline.err());
        Files.delete(data.resolve("tables.sqlite"));
        pipeline.done("run", "--until-caught-up");
        assertEquals(1, pipeline.done("export", "pairs").lines().count());
        pipeline.done("verify");
    }

    private static void process(final CommandFixture pipeline, final String name, final String hour)
    {
        pipeline.done("ingest", pipeline.write(name + ".csv", HEADER +
            "payments,upsert,P" + name + ",0,k,2026-03-31T" + hour + ":00:00Z,1\n" +
            "signals,upsert,S" + name + ",0,k,2026-03-31T" + hour + ":01:00Z,1\n").toString());
        pipeline.done("run", "--until-caught-up");
    }

    private static void copy(final Path from, final Path to) throws IOException, InterruptedException
    {
        assertEquals(0, new ProcessBuilder("cp", "-a", from.toString(), to.toString()).start().waitFor());
    }
}
