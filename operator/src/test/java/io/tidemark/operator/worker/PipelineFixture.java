package io.tidemark.operator.worker;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A small pipeline on real logs: two partitions of payments, one of signals, lateness 100 ns. */
final class PipelineFixture
{
    static final int PAYMENTS_0 = 0;
    static final int PAYMENTS_1 = 1;
    static final int SIGNALS = 2;

    private static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", 2), new StreamSpec("signals", 1)));

    private final Path dataDirectory;
    private final PipelineSpec spec;
    private long nowNs = 1;

    PipelineFixture(final Path dataDirectory, final PipelineSpec spec)
    {
        this.dataDirectory = dataDirectory;
        this.spec = spec;
    }

    PipelineFixture(final Path dataDirectory, final long idleAfterNs)
    {
        this.dataDirectory = dataDirectory;
        final JoinRule rule =
            new JoinRule(1, false, 1_000, 1_000, 0, 0, Unmatched.FINAL, true, false, 100, false, 100);
        spec = new PipelineSpec(
            TOPOLOGY, 0, rule, new WatermarkSpec(false, 0, idleAfterNs, WatermarkSpec.OFF, 0), 16, 1_000);
    }

    static PipelineFixture in(final Path dataDirectory)
    {
        return new PipelineFixture(dataDirectory, WatermarkSpec.NEVER);
    }

    Path dataDirectory()
    {
        return dataDirectory;
    }

    PipelineSpec spec()
    {
        return spec;
    }

    /** Appends upserts of one partition, ids from a number on, a nanosecond of time and arrival apart. */
    void append(final int source, final int firstId, final int count)
    {
        append(source, firstId, count, nowNs);
    }

    /** As above, from a time on; arrivals go on from the last. */
    void append(final int source, final int firstId, final int count, final long firstTime)
    {
        try (SourceLogs sources = SourceLogs.open(dataDirectory, TOPOLOGY))
        {
            for (int i = 0; i < count; i++)
            {
                sources.appender(source).upsert(firstTime + i).key("k").id("e" + (firstId + i)).value(i)
                    .arrival(nowNs++).append();
            }
        }
    }

    void appendWatermark(final int source, final long time)
    {
        try (SourceLogs sources = SourceLogs.open(dataDirectory, TOPOLOGY))
        {
            sources.appender(source).watermark(time).arrival(nowNs++).append();
        }
    }

    void clock(final long now)
    {
        nowNs = now;
    }

    RuntimeContext context()
    {
        return new RuntimeContext()
            .dataDirectory(dataDirectory)
            .spec(spec)
            .epochClock(() -> 0)
            .nanoClock(() -> nowNs)
            .operatorFactory((changes, outcomes) -> new EchoOperator(spec, changes, outcomes));
    }

    PipelineRuntime open()
    {
        return PipelineRuntime.open(context());
    }

    /** Opens, runs to the end of the logs and closes. */
    long runUntilCaughtUp()
    {
        try (PipelineRuntime runtime = open())
        {
            runtime.runUntilCaughtUp();
            return runtime.position();
        }
    }

    /** The ids of the change log's rows, with the watermark that they saw. */
    List<String> changes()
    {
        final List<String> changes = new ArrayList<>();
        final ChangeSetDecoder decoder = new ChangeSetDecoder();
        try (Log log = Log.openReadOnly(dataDirectory.resolve(PipelineRuntime.CHANGES));
            LogTailer tailer = log.tailer())
        {
            while (tailer.poll())
            {
                decoder.wrap(tailer.buffer(), tailer.offset()).next();
                changes.add(decoder.row().id() + " " + decoder.epoch());
            }
        }
        return changes;
    }

    long records(final String name)
    {
        try (Log log = Log.openReadOnly(dataDirectory.resolve(name)))
        {
            return log.lastNumber() + 1;
        }
    }
}
