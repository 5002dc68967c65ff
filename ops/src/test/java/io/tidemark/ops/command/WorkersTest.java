package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The number of workers changes no result, also when it changes between two runs (kinds 37 and 38 of FAULTS.md). More
 * than one is not built yet, which is said; one does the work of all.
 */
class WorkersTest
{
    private static final String YAML = """
        pipeline: workers
        data: ./data
        rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
          lateness: 3m}
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        workers: 1
        """;
    private static final String HEADER = "stream,kind,id,revision,key,time,value,arrival\n";
    private static final String FIRST = HEADER + """
        payments,upsert,P1,0,k1,2026-03-31T12:00:00Z,500,2026-03-31T12:00:01Z
        payments,upsert,P2,0,k2,2026-03-31T12:10:00Z,600,2026-03-31T12:10:01Z
        signals,upsert,S1,0,k1,2026-03-31T12:05:00Z,7,2026-03-31T12:11:00Z
        """;
    private static final String SECOND = HEADER + """
        payments,upsert,P3,0,k2,2026-03-31T15:00:00Z,700,2026-03-31T15:00:01Z
        signals,upsert,S2,0,k2,2026-03-31T15:00:00Z,8,2026-03-31T15:00:02Z
        signals,upsert,S3,0,k1,2026-03-31T12:01:00Z,9,2026-03-31T15:00:03Z
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldGiveTheSameResultsWithAnotherNumberOfWorkersFromACheckpointOn()
    {
        final List<String> withOne = process("1");
        final List<String> withMore = process("4");
        assertEquals(withOne, withMore);
    }

    private List<String> process(final String workersOfSecondRun)
    {
        final Path own = directory.resolve("workers-" + workersOfSecondRun);
        assertTrue(own.toFile().mkdir());
        final CommandFixture pipeline = new CommandFixture(own);
        pipeline.write("tidemark.yaml", YAML);
        pipeline.done("ingest", pipeline.write("first.csv", FIRST).toString());
        pipeline.done("run", "--until-caught-up");
        pipeline.replaceInYaml("workers: 1", "workers: " + workersOfSecondRun);
        pipeline.done("ingest", pipeline.write("second.csv", SECOND).toString());
        pipeline.done("run", "--until-caught-up");
        assertTrue(pipeline.out().contains("Went on from checkpoint 3"), pipeline.out());
        assertEquals(!workersOfSecondRun.equals("1"),
            pipeline.err().contains("one does the work of all, with the same results"), pipeline.err());
        pipeline.done("verify");
        return List.of(pipeline.done("export", "pairs"), pipeline.done("export", "unmatched"),
            pipeline.done("export", "order", "--format", "csv").replaceAll(",[0-9]{10,},", ",index,"));
    }
}
