package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.tidemark.ingest.log.CrashPoint;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A repair of many rows, whose process is halted between any two of its steps, and halted again when it is made up for:
 * after the next run each repair is published once. A share of the places here; all with
 * {@code -Dtidemark.crashes=all}.
 */
class RepairCrashTest
{
    private static final int SHARE = 5;
    private static final boolean IS_ALL = "all".equals(System.getProperty("tidemark.crashes"));
    private static final List<String> PLACES = List.of(
        "repair.candidate-unnamed:1", "repair.candidate-unnamed:2", "repair.candidate-kept:1",
        "repair.candidate-kept:2", "repair.before-request:1", "repair.requested:1", "repair.before-request:2",
        "repair.requested:2", "publication.read:1", "publication.part-appended:1", "publication.part-appended:2",
        "publication.appended:1", "publication.read:2", "publication.appended:2", "sql.before-commit:1",
        "sql.after-commit:1", "repair.before-acknowledged");
    private static final int SIGNALS = 700;
    private static final String YAML = """
        pipeline: crashes
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
               lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        """;

    @TempDir
    private Path directory;

    static Stream<String> places()
    {
        return IS_ALL ? PLACES.stream() : Stream.iterate(1, i -> i < PLACES.size(), i -> i + SHARE).map(PLACES::get);
    }

    @ParameterizedTest
    @MethodSource("places")
    void shouldPublishEachRepairOnceWhereverItDies(final String place) throws IOException, InterruptedException
    {
        final CommandFixture pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML);
        feed(pipeline, "a", "payments,upsert,P1,0,shop,12:00,5", "payments,upsert,P1,0,cafe,12:00,5");
        feed(pipeline, "b", "payments,upsert,P1,1,shop,12:00,6", "signals,upsert,S9999,0,cafe,12:01,6");

        assertEquals(CrashPoint.EXIT_CODE, run(place), "the place is not reached");
        run("sql.after-commit:1");
        pipeline.done("repair", "run");
        pipeline.done("run", "--until-caught-up");

        final List<String> pairs = pipeline.done("export", "pairs").lines().toList();
        assertEquals(SIGNALS + 1, pairs.size());
        assertEquals(SIGNALS, pairs.stream().filter(line -> line.contains("shop|P1@1|")).count());
        assertEquals(2, pipeline.done("export", "late").lines().filter(line -> line.contains("repaired")).count());
        assertEquals("generation 1 generation 2 generation 3", pipeline.done("generation", "list").lines()
            .map(line -> line.substring(0, 12)).collect(Collectors.joining(" ")));
        assertEquals(0, pipeline.run("verify"), pipeline.out());
    }

    /** The first one with all the signals that make the repair a large one, and clocks that leave it behind. */
    private void feed(final CommandFixture pipeline, final String name, final String... lines)
    {
        final StringBuilder feed = new StringBuilder("stream,kind,id,revision,key,time,value\n");
        for (final String line : lines)
        {
            feed.append(line).append('\n');
        }
        if (name.equals("a"))
        {
            for (int i = 0; i < SIGNALS; i++)
            {
                feed.append("signals,upsert,S").append(1_000 + i).append(",0,shop,12:01,1\n");
            }
            feed.append("payments,upsert,C,0,filler,15:00,1\nsignals,upsert,C,0,filler2,15:00,1\n");
        }
        final String dated = feed.toString().replaceAll(",([0-9]{2}:[0-9]{2})", ",2026-03-31T$1:00Z");
        pipeline.done("ingest", pipeline.write(name + ".csv", dated).toString());
        pipeline.done("run", "--until-caught-up");
    }

    private int run(final String place) throws IOException, InterruptedException
    {
        return CrashedCommand.run(
            directory, place, "repair", "-c", directory.resolve("tidemark.yaml").toString(), "run");
    }
}
