package io.tidemark.operator.worker;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.spec.PipelineSpec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A join whose days are counted by hand: of each there are a few events, and a run that ends with a checkpoint. */
final class DayPipeline
{
    static final long DAY_MS = 86_400_000L;
    static final long DAY_NS = DAY_MS * 1_000_000;

    private final PipelineFixture fixture;
    private final Path directory;
    private Path results;
    private List<Path> otherResults = List.of();
    private long horizonNs;
    private int keep = 1;

    DayPipeline(final Path directory, final long horizonNs)
    {
        this.directory = directory;
        this.results = directory;
        this.horizonNs = horizonNs;
        fixture = PipelineFixture.in(directory);
    }

    DayPipeline keep(final int checkpoints)
    {
        keep = checkpoints;
        return this;
    }

    DayPipeline horizon(final long ns)
    {
        horizonNs = ns;
        return this;
    }

    /** A table of its own beside others. */
    DayPipeline results(final Path own, final Path... others)
    {
        results = own;
        otherResults = List.of(others);
        return this;
    }

    PipelineSpec spec()
    {
        return fixture.spec();
    }

    DayPipeline append(final int day)
    {
        try (SourceLogs sources =
            SourceLogs.open(directory, fixture.spec().topology(), () -> day * DAY_MS, () -> day * DAY_NS))
        {
            sources.appender(PipelineFixture.PAYMENTS_0).upsert(day * DAY_NS).key("k").id("p" + day).append();
            sources.appender(PipelineFixture.PAYMENTS_1).upsert(day * DAY_NS).key("l").id("p" + day).append();
            sources.appender(PipelineFixture.SIGNALS).upsert(day * DAY_NS).key("k").id("s" + day).append();
        }
        return this;
    }

    RuntimeContext context(final int day)
    {
        return fixture.context()
            .resultsDirectory(results)
            .otherResults(() -> otherResults)
            .epochClock(() -> day * DAY_MS)
            .repairHorizonNs(horizonNs)
            .checkpoints(new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, keep, false, false, ""))
            .operatorFactory(new PagedOperatorFactory(results, fixture.spec(), 10_000));
    }

    long run(final int day)
    {
        try (PipelineRuntime runtime = PipelineRuntime.open(context(day)))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
            return runtime.position();
        }
    }

    /** By log, the days that have a file. */
    Map<String, String> days()
    {
        final Map<String, String> days = new TreeMap<>();
        for (final String name :
            List.of("sources/payments-0", "sources/payments-1", "sources/signals-0", PipelineRuntime.ORDER))
        {
            try (Log log = Log.openReadOnly(directory.resolve(name)))
            {
                final List<Integer> each = new ArrayList<>();
                for (final int cycle : log.cycles())
                {
                    each.add(cycle);
                }
                days.put(name, each.toString());
            }
        }
        return days;
    }

    /** All results, with the days that their records were written on. */
    List<String> outcome()
    {
        final List<String> outcome = new ArrayList<>();
        for (final String name : RandomPipeline.RESULTS)
        {
            try (Log log = Log.openReadOnly(results.resolve(name)); LogTailer tailer = log.tailer())
            {
                while (tailer.poll())
                {
                    final byte[] record = new byte[tailer.length()];
                    tailer.buffer().getBytes(tailer.offset(), record);
                    outcome.add(name + " " + Long.toHexString(tailer.index()) + " " + HexFormat.of().formatHex(record));
                }
            }
        }
        return outcome;
    }
}
