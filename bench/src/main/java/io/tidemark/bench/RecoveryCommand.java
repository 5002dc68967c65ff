package io.tidemark.bench;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventAppender;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.CheckpointSettings;
import io.tidemark.operator.worker.CheckpointStats;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RecoveryReport;
import io.tidemark.operator.worker.RuntimeContext;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * What checkpoints of a large state cost, and how long a start takes from the newest one with a tail behind it. All on
 * real logs.
 */
@Command(
    name = "recovery",
    mixinStandardHelpOptions = true,
    description = "Fills a state, takes checkpoints with all, about 1 %% and none of its pages changed, processes a " +
        "tail, is killed and starts again; reports bytes, pauses and times.")
final class RecoveryCommand implements Callable<Integer>
{
    private static final int SLOTS = 256;
    private static final long MAX_PAGES = 4_000_000;
    private static final long HOUR_NS = 3_600_000_000_000L;
    private static final int NAME_LENGTH = 200;
    private static final int TAIL_KEYS = 1_000;
    private static final double NS_PER_MS = 1e6;

    @Spec
    private CommandSpec spec;

    @Option(names = "--state-mib", defaultValue = "1024", description = "Size of the state; 1024 unless given.")
    private int stateMib;

    @Option(names = "--tail", defaultValue = "1000000", description = "Events behind the checkpoint; a million.")
    private int tail;

    @Option(names = "--durability", defaultValue = "process", description = "process or power.")
    private String durability;

    @Option(names = "--dir", description = "On the disk that is to be measured.")
    private Path directory;

    private final Topology topology =
        Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
    private long nowNs = EventFeed.FIRST_ARRIVAL_NS;
    private long rows;
    private PrintWriter out;

    @Override
    public Integer call()
    {
        out = spec.commandLine().getOut();
        try (ScratchDirectory scratch = new ScratchDirectory(directory))
        {
            measureCheckpoints(scratch.path());
            recover(scratch.path());
        }
        return 0;
    }

    private void measureCheckpoints(final Path data)
    {
        try (PipelineRuntime runtime = open(data))
        {
            while (runtime.operator().stateBytes() < (long)stateMib << 20)
            {
                append(data, 100_000, true, 0);
                runtime.runUntilCaughtUp();
            }
            line("state: %,d MiB, %,d rows", runtime.operator().stateBytes() >> 20, runtime.operator().rows());
            checkpoint(runtime, "all pages changed");
            append(data, (int)(rows / 80), false, 1);
            runtime.runUntilCaughtUp();
            checkpoint(runtime, "few pages changed");
            append(data, 1, false, 2);
            runtime.runUntilCaughtUp();
            checkpoint(runtime, "one event");
            append(data, tail, true, 0);
            runtime.runUntilCaughtUp();
        }
    }

    private void checkpoint(final PipelineRuntime runtime, final String what)
    {
        runtime.checkpoint();
        final CheckpointStats stats = runtime.checkpointStats();
        line("checkpoint, %s: %,d KiB (%.1f %% of the state) in %.0f ms, events held up for %.3f ms", what,
            stats.bytes() >> 10, 100.0 * stats.bytes() / runtime.operator().stateBytes(), stats.writeNs() / NS_PER_MS,
            stats.pauseNs() / NS_PER_MS);
    }

    private void recover(final Path data)
    {
        try (PipelineRuntime runtime = open(data))
        {
            runtime.runUntilCaughtUp();
            final RecoveryReport report = runtime.recovery();
            line("recovery of %,d MiB and %,d events of tail: %.0f ms (open %.0f, load %.0f, order %.0f, repeat %.0f)",
                report.stateBytes() >> 20, report.tailPositions(), report.totalNs() / NS_PER_MS,
                report.openNs() / NS_PER_MS, report.loadNs() / NS_PER_MS, report.orderNs() / NS_PER_MS,
                report.replayNs() / NS_PER_MS);
        }
    }

    private PipelineRuntime open(final Path data)
    {
        final JoinRule rule =
            new JoinRule(1, false, 1_000, 1_000, 0, 0, Unmatched.FINAL, true, false, HOUR_NS, false, 0);
        final PipelineSpec pipeline =
            new PipelineSpec(topology, 0, rule, WatermarkSpec.DEFAULT, SLOTS, Integer.MAX_VALUE);
        return PipelineRuntime.open(new RuntimeContext()
            .dataDirectory(data)
            .spec(pipeline)
            .checkpoints(new CheckpointSettings(
                Long.MAX_VALUE, Long.MAX_VALUE, 3, durability.equals("power"), true, ""))
            .epochClock(SystemEpochClock.INSTANCE)
            .nanoClock(new SystemEpochNanoClock())
            .operatorFactory(new PagedOperatorFactory(data, pipeline, MAX_PAGES)));
    }

    /** Appends payments: new rows, of keys of their own or of few, or corrections of the first rows there are. */
    private void append(final Path data, final int events, final boolean isNew, final int revision)
    {
        try (SourceLogs sources = SourceLogs.open(data, topology))
        {
            final EventAppender appender = sources.appender(0);
            for (int i = 0; i < events; i++)
            {
                nowNs += Workload.STEP_NS;
                final long number = isNew ? rows++ : i;
                final boolean isTail = isNew && revision == 0 && events == tail;
                final String name = name(isTail ? number % TAIL_KEYS : number);
                appender.upsert(isNew ? nowNs : EventFeed.FIRST_ARRIVAL_NS + (number + 1) * Workload.STEP_NS)
                    .key(name).id(isTail ? "t" + number : name).revision(revision).value(number).arrival(nowNs)
                    .append();
            }
        }
    }

    private static String name(final long number)
    {
        final String digits = Long.toString(number);
        return "-".repeat(NAME_LENGTH - digits.length()) + digits;
    }

    private void line(final String format, final Object... values)
    {
        out.println(String.format(Locale.ROOT, format, values));
        out.flush();
    }
}
