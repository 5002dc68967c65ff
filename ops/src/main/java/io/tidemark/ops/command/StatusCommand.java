package io.tidemark.ops.command;

import java.io.IOException;
import java.time.Instant;
import java.util.Locale;
import java.util.concurrent.Callable;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.sink.export.TimeText;
import org.agrona.concurrent.SystemEpochClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParentCommand;

/**
 * Shows how a pipeline is.
 */
@Command(
    name = "status",
    description = "Shows clocks, lag, rows and what became of events; from files, whether the pipeline runs or not.")
final class StatusCommand implements Callable<Integer>
{
    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Option(names = "--json", description = "As one JSON object.")
    private boolean isJson;

    @Override
    public Integer call() throws IOException
    {
        final Configuration configuration = option.read();
        new DataFormat(configuration).check();
        final PipelineSpec spec = configuration.spec();
        final PipelineStatus status = PipelineStatus.read(configuration, SystemEpochClock.INSTANCE.time());
        if (isJson)
        {
            writeJson(configuration, status);
        }
        else
        {
            write(configuration, status, spec);
        }
        return ExitCode.DONE;
    }

    private void write(final Configuration configuration, final PipelineStatus status, final PipelineSpec spec)
    {
        final Console console = root.console();
        final PipelineStatus.LastRun run = status.lastRun();
        console.line(configuration.pipeline() + ": " + switch (run.state())
        {
            case NEVER_RUN -> "has not run yet";
            case RUNNING -> (run.isReplaying() ? "repeating what an earlier run did" : "running") + ", pid " +
                run.pid() + ", since " + at(run.startedMs());
            case NOT_RESPONDING -> "pid " + run.pid() + " has not answered since " + at(run.lastSeenMs());
            case ENDED -> "ended in order at " + at(run.lastSeenMs());
            case KILLED -> "pid " + run.pid() + " is gone without an orderly end; last seen " +
                at(run.lastSeenMs());
        });
        console.line("");
        row("position", "%,d of %,d ordered; %,d events wait", status.position(), status.ordered(), status.waiting());
        row("events", "%,d: %,d accepted, %,d duplicates (%,d in conflict), %,d late, %,d rejected", status.events(),
            status.accepted(), status.duplicates(), status.conflicts(), status.late(), status.rejected());
        row("change-sets", "%,d", status.changeSets());
        row("state", "%,d rows in %,d KiB; at most %,d rows", status.rows(), status.stateBytes() >> 10, spec.maxRows());
        row("checkpoint", "%s", status.checkpoint().text());
        if (run.state() != PipelineStatus.State.NEVER_RUN)
        {
            row("last start", "%s", status.checkpoint().start());
        }
        row("generation", String.valueOf(status.generation()));
        row("sink", "%s", SinkStatus.read(configuration).line());
        console.line("");
        console.line(String.format(Locale.ROOT, "%-20s %-30s %12s %10s  %s",
            "stream, partition", "clock", "processed", "waiting", "last arrival"));
        for (final PipelineStatus.Input input : status.inputs())
        {
            console.line(String.format(Locale.ROOT, "%-20s %-30s", input.name(), clock(input.watermark())) +
                (input.watermark() == input.acceptance() ? "" : " accepts from " + clock(input.acceptance())));
            for (final PipelineStatus.Partition partition : status.partitions())
            {
                if (partition.stream().equals(input.name()))
                {
                    console.line(String.format(Locale.ROOT, "  %-18d %-30s %,12d %,10d  %s%s", partition.partition(),
                        clock(partition.clock()), partition.processed(), partition.waiting(),
                        clock(partition.lastArrival()), partition.isActive() ? "" : " (idle)"));
                }
            }
        }
    }

    private void row(final String name, final String format, final Object... values)
    {
        root.console().line(String.format(Locale.ROOT, "%-12s ", name) + String.format(Locale.ROOT, format, values));
    }

    private static String clock(final long clock)
    {
        final String text = TimeText.ofClock(clock);
        return text == null ? "not started" : text;
    }

    private static String at(final long epochMs)
    {
        return Instant.ofEpochMilli(epochMs).toString();
    }

    private void writeJson(final Configuration configuration, final PipelineStatus status) throws IOException
    {
        try (JsonGenerator json = new JsonFactory().createGenerator(root.console().out()))
        {
            json.writeStartObject();
            json.writeStringField("pipeline", configuration.pipeline());
            writeProcess(json, status.lastRun());
            json.writeNumberField("position", status.position());
            json.writeNumberField("ordered_position", status.ordered());
            json.writeNumberField("waiting", status.waiting());
            json.writeObjectFieldStart("counters");
            json.writeNumberField("events", status.events());
            json.writeNumberField("accepted", status.accepted());
            json.writeNumberField("duplicates", status.duplicates());
            json.writeNumberField("conflicts", status.conflicts());
            json.writeNumberField("late", status.late());
            json.writeNumberField("rejected", status.rejected());
            json.writeNumberField("change_sets", status.changeSets());
            json.writeEndObject();
            json.writeObjectFieldStart("state");
            json.writeNumberField("rows", status.rows());
            json.writeNumberField("bytes", status.stateBytes());
            json.writeEndObject();
            status.checkpoint().write(json);
            json.writeNumberField("generation", status.generation());
            SinkStatus.read(configuration).write(json);
            if (configuration.unsafeRetention())
            {
                json.writeStringField("warning", UnsafeRetention.warning(configuration));
            }
            json.writeObjectFieldStart("streams");
            for (final PipelineStatus.Input input : status.inputs())
            {
                writeInput(json, input, status);
            }
            json.writeEndObject();
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void writeProcess(final JsonGenerator json, final PipelineStatus.LastRun run) throws IOException
    {
        json.writeObjectFieldStart("process");
        json.writeStringField("state", run.state().name().toLowerCase(Locale.ROOT));
        if (run.state() != PipelineStatus.State.NEVER_RUN)
        {
            json.writeNumberField("pid", run.pid());
            json.writeStringField("started", at(run.startedMs()));
            json.writeStringField("last_seen", at(run.lastSeenMs()));
            json.writeBooleanField("replaying", run.isReplaying());
        }
        json.writeEndObject();
    }

    private static void writeInput(
        final JsonGenerator json, final PipelineStatus.Input input, final PipelineStatus status) throws IOException
    {
        json.writeObjectFieldStart(input.name());
        json.writeStringField("watermark", TimeText.ofClock(input.watermark()));
        json.writeStringField("acceptance_clock", TimeText.ofClock(input.acceptance()));
        json.writeArrayFieldStart("partitions");
        for (final PipelineStatus.Partition partition : status.partitions())
        {
            if (partition.stream().equals(input.name()))
            {
                json.writeStartObject();
                json.writeNumberField("partition", partition.partition());
                json.writeStringField("clock", TimeText.ofClock(partition.clock()));
                json.writeBooleanField("active", partition.isActive());
                json.writeNumberField("processed", partition.processed());
                json.writeNumberField("waiting", partition.waiting());
                json.writeStringField("last_arrival", TimeText.ofClock(partition.lastArrival()));
                json.writeEndObject();
            }
        }
        json.writeEndArray();
        json.writeEndObject();
    }
}
