package io.tidemark.ops.example;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RuntimeContext;
import io.tidemark.sink.ChangeLogTailer;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.view.ViewReader;
import io.tidemark.sink.view.ViewSink;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * The four things that a service does with Tidemark inside it: appends events, runs a pipeline, tails the change log,
 * and reads the current table. In a real service each of them is on a thread of its own, or in a process of its own;
 * here they come one after the other.
 * <p>
 * Needs the JVM flags in {@code ops/build/jvm-flags}; a missing one is named.
 */
public final class EmbeddedPipeline
{
    private static final long MINUTE_NS = 60_000_000_000L;
    private static final long NOON_NS = 1_767_268_800L * 1_000_000_000L;
    private static final int PAYMENTS = 0;
    private static final int SIGNALS = 1;

    private final Topology topology =
        Topology.of(List.of(new StreamSpec("payments", 1), new StreamSpec("signals", 1)));
    /** A signal matches from 47 minutes before a payment to 8 minutes after it; three minutes late is not too late. */
    private final JoinRule rule = new JoinRule(
        1, false, 47 * MINUTE_NS, 8 * MINUTE_NS, 0, 0, Unmatched.FINAL, true, false, 3 * MINUTE_NS, false,
        3 * MINUTE_NS);
    private final PipelineSpec spec =
        new PipelineSpec(topology, PAYMENTS, rule, WatermarkSpec.DEFAULT, 256, 1_000_000);
    private final Path dataDirectory;
    private final PrintStream out;

    /**
     * @param dataDirectory empty, or that of an earlier run.
     * @param out           for what it sees.
     */
    public EmbeddedPipeline(final Path dataDirectory, final PrintStream out)
    {
        this.dataDirectory = dataDirectory;
        this.out = out;
    }

    /**
     * Runs the example.
     *
     * @param args the data directory.
     */
    public static void main(final String[] args)
    {
        new EmbeddedPipeline(Path.of(args[0]), System.out).run();
    }

    /** Does all four. */
    public void run()
    {
        append();
        process();
        tail();
        read();
    }

    /** Appends events; the appender is reused and allocates nothing for an event. */
    private void append()
    {
        try (SourceLogs sources = SourceLogs.open(dataDirectory, topology))
        {
            final int payments = topology.sourceOf(PAYMENTS, 0);
            final int signals = topology.sourceOf(SIGNALS, 0);
            sources.appender(signals).upsert(NOON_NS - 30 * MINUTE_NS).key("merchant-17").id("s1").value(90)
                .arrival(NOON_NS).append();
            sources.appender(payments).upsert(NOON_NS).key("merchant-17").id("p1").value(4_999)
                .arrival(NOON_NS + 1).append();
            // a correction of the signal: the pair goes, and one with its new revision comes, in one change-set
            sources.appender(signals).upsert(NOON_NS - 30 * MINUTE_NS).key("merchant-17").id("s1").revision(1).value(95)
                .arrival(NOON_NS + 2).append();
            sources.appendEndOfInput();
        }
    }

    /** Runs the pipeline until it has processed what is there; {@code runUntil} runs it until it is told to stop. */
    private void process()
    {
        try (PipelineRuntime pipeline = PipelineRuntime.open(new RuntimeContext()
            .dataDirectory(dataDirectory)
            .spec(spec)
            .epochClock(SystemEpochClock.INSTANCE)
            .nanoClock(new SystemEpochNanoClock())
            .operatorFactory(new PagedOperatorFactory(dataDirectory, spec, 1 << 16))))
        {
            pipeline.runUntilCaughtUp();
        }
    }

    /** Tails the change log; who remembers the last identity goes on after it with {@code moveAfter}. */
    private void tail()
    {
        try (ChangeLogTailer tailer = ChangeLogTailer.open(dataDirectory))
        {
            tailer.poll(this::show, 100);
        }
    }

    private void show(final ChangeSetCursor changeSet)
    {
        while (changeSet.next())
        {
            out.println(changeSet.identity() + (changeSet.change().isRetraction() ? " - " : " + ") +
                changeSet.change().key() + " " + changeSet.change().left().id() + " " +
                changeSet.change().right().id() + "@" + changeSet.change().right().revision());
        }
    }

    /** Keeps a view, as a pipeline with {@code sink: {type: view}} does, and reads it as any process here can. */
    private void read()
    {
        try (ViewSink sink = new ViewSink(dataDirectory))
        {
            while (sink.work(SystemEpochClock.INSTANCE.time()) > 0)
            {
                // until it has caught up
            }
            try (ViewReader view = ViewReader.open(dataDirectory))
            {
                view.forEachRow("merchant-17", row -> out.println(row.rowId() + " risk " + row.rightValue()));
            }
        }
    }
}
