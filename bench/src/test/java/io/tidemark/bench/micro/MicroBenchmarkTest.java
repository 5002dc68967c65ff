package io.tidemark.bench.micro;

import org.junit.jupiter.api.Test;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

import java.io.IOException;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What JMH calls does what it says, and JMH knows all of it. */
class MicroBenchmarkTest
{
    private static final int TIMES = 10_000;

    @Test
    void shouldBeKnownToJmh()
    {
        final List<String> names = BenchmarkList.defaultList()
            .getAll(OutputFormatFactory.createFormatInstance(System.out, VerboseMode.SILENT), List.of()).stream()
            .map((entry) -> entry.getUsername().replaceFirst(".*micro\\.", "")).sorted().toList();

        assertEquals(List.of(
            "ChangeSetBenchmark.encode",
            "EngineBenchmark.onBatch",
            "LogBenchmark.append",
            "LogBenchmark.poll",
            "TimeIndexBenchmark.insertAndRemoveOldest",
            "TimeIndexBenchmark.seek"), names);
    }

    @Test
    void shouldAppendAndPollRecords() throws IOException
    {
        final LogBenchmark benchmark = new LogBenchmark();
        final LogBenchmark.Target target = new LogBenchmark.Target();
        target.open();
        final long first = benchmark.append(target);
        assertEquals(first + 1, benchmark.append(target));
        target.close();

        final LogBenchmark.Recorded recorded = new LogBenchmark.Recorded();
        recorded.write();
        for (int i = 0; i < TIMES; i++)
        {
            assertEquals(i, benchmark.poll(recorded));
        }
        recorded.close();
    }

    @Test
    void shouldKeepTheNumberOfRows() throws IOException
    {
        final TimeIndexBenchmark benchmark = new TimeIndexBenchmark();
        benchmark.rows = 100;
        benchmark.open();
        for (int i = 0; i < TIMES; i++)
        {
            benchmark.insertAndRemoveOldest();
            assertTrue(benchmark.seek() >= 0);
        }
        benchmark.close();
    }

    @Test
    void shouldEncodeChangeSets()
    {
        final ChangeSetBenchmark benchmark = new ChangeSetBenchmark();
        benchmark.pairs = 8;
        benchmark.makeRows();
        final long length = benchmark.encode();
        assertEquals(2 * length, benchmark.encode());
    }

    @Test
    void shouldAcceptTheSameEventsLapAfterLap() throws IOException
    {
        final EngineBenchmark benchmark = new EngineBenchmark();
        benchmark.fillWindow();
        final long first = benchmark.onBatch();
        assertTrue(benchmark.onBatch() > first);
        // throws when one was not accepted
        benchmark.close();
    }
}
