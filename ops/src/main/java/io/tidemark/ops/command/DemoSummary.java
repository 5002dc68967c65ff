package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.export.TimeText;

/**
 * What the demo did, for somebody who has read nothing yet.
 */
abstract class DemoSummary
{
    private final Console console;
    private final Configuration configuration;
    private final ExpectedAnswer expected;

    DemoSummary(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        this.console = console;
        this.configuration = configuration;
        this.expected = expected;
    }

    static DemoSummary of(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        return switch (configuration.ruleType())
        {
            case "session" -> new SessionSummary(console, configuration, expected);
            case "overlap-join" -> new OverlapSummary(console, configuration, expected);
            default -> new PaymentRiskSummary(console, configuration, expected);
        };
    }

    /** What the rule does, in two lines. */
    abstract void headline();

    /** What came out. */
    abstract void results(CurrentTable table);

    /** The tables that were compared, as a sentence begins. */
    abstract String tables();

    /** Commands that show more of it. */
    abstract void nextResults(String program);

    void print(final Path directory)
    {
        final PipelineStatus status = PipelineStatus.read(configuration, System.currentTimeMillis());
        final CurrentTable table = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(configuration.dataDirectory()))
        {
            reader.pollAll(table::apply);
        }

        headline();
        line("");
        cameIn(status);
        results(table);
        late();
        clocks(status);
        fact("Check", expected.isMet() ?
            tables() + " and late equal the expected answer that comes with the feed." :
            "These differ from the expected answer that comes with the feed: " + String.join(", ", expected.wrong()));
        line("");
        next(directory);
    }

    private void cameIn(final PipelineStatus status)
    {
        final Map<String, Long> byStream = new TreeMap<>();
        for (final PipelineStatus.Partition partition : status.partitions())
        {
            byStream.merge(partition.stream(), partition.logged(), Long::sum);
        }
        final List<String> counts = new ArrayList<>();
        byStream.forEach((stream, count) -> counts.add(count(count) + " of " + stream));
        fact("Came in", count(status.events()) + " events (" + String.join(", ", counts) + ") in " +
            status.partitions().size() + " partitions, put into one order.");
        more(count(status.accepted()) + " took effect; " + count(status.duplicates()) +
            " had been delivered before and changed nothing; " + count(status.late()) + " came too late.");
    }

    private void late()
    {
        final List<LateEntry> entries = new ArrayList<>();
        OutcomeLogs.forEachLate(configuration.dataDirectory(), configuration.topology(), entries::add);
        fact("Late", entries.size() + (entries.size() == 1 ? " event was" : " events were") + " more than " +
            duration(configuration.spec().rule().latenessNs()) + " behind the stream's clock, kept for repair:");
        for (final LateEntry entry : entries)
        {
            final String what = entry.kind() == 1 ? "withdrawal" : entry.revision() > 0 ? "correction" : "insert";
            more(String.format(Locale.ROOT, "  %-13s %-11s for %s, when the clock stood at %s",
                entry.id(), what, time(entry.time()), time(entry.acceptanceClock())));
        }
    }

    private void clocks(final PipelineStatus status)
    {
        fact("Clocks", "A stream's clock is that of its slowest partition: one that stalls delays what is final,");
        more("but can make nothing late. At the end of the feed:");
        for (final PipelineStatus.Input input : status.inputs())
        {
            final StringBuilder text = new StringBuilder();
            for (final PipelineStatus.Partition partition : status.partitions())
            {
                if (partition.stream().equals(input.name()))
                {
                    text.append(text.length() == 0 ? "" : ", ").append("partition ").append(partition.partition())
                        .append(' ').append(time(partition.clock()));
                }
            }
            more(String.format(Locale.ROOT, "  %-9s %s   (%s)", input.name(), time(input.watermark()), text));
        }
    }

    private void next(final Path directory)
    {
        final String program = program();
        line("Feed, configuration, logs and exports are all in one directory. To look further:");
        line("  cd " + quoted(directory.toAbsolutePath().toString()));
        next(program, " status", "clocks, lag, counts");
        nextResults(program);
        next(program, " verify", "recomputes all by brute force and compares");
        next(program, " run --end-of-input", "ends the input: everything becomes final");
        next(program, " init mine --rule " + configuration.ruleType(), "begins a pipeline of your own");
    }

    final void next(final String program, final String arguments, final String why)
    {
        line(String.format(Locale.ROOT, "  %s%-34s  # %s", program, arguments, why));
    }

    private String program()
    {
        final String home = System.getProperty("tidemark.home");
        return home == null ? "tidemark" : quoted(Path.of(home, "ops", "bin", "tidemark").toString());
    }

    private static String quoted(final String path)
    {
        return path.matches("[A-Za-z0-9_./+:@-]+") ? path : "'" + path.replace("'", "'\\''") + "'";
    }

    static String time(final long time)
    {
        final String text = TimeText.ofClock(time);
        return text == null ? "not started" : text.replaceFirst(".*T(.*)Z", "$1");
    }

    static String duration(final long durationNs)
    {
        final long minutes = TimeUnit.NANOSECONDS.toMinutes(durationNs);
        return minutes > 0 ? minutes + " minutes" : durationNs + " ns";
    }

    static String count(final long number)
    {
        return String.format(Locale.ROOT, "%,d", number);
    }

    final void fact(final String name, final String text)
    {
        line(String.format(Locale.ROOT, "%-11s%s", name, text));
    }

    final void more(final String text)
    {
        fact("", text);
    }

    final void line(final String text)
    {
        console.line(text);
    }
}
