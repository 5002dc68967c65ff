package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.export.TimeText;

/**
 * What the demo did, for somebody who has read nothing yet.
 */
final class DemoSummary
{
    private static final String EDGE_INSIDE = "edge-at-";
    private static final String EDGE = "edge-";

    private final Console console;
    private final Configuration configuration;
    private final ExpectedAnswer expected;
    private final JoinRule rule;

    DemoSummary(final Console console, final Configuration configuration, final ExpectedAnswer expected)
    {
        this.console = console;
        this.configuration = configuration;
        this.expected = expected;
        rule = configuration.spec().join();
    }

    void print(final Path directory)
    {
        final PipelineStatus status = PipelineStatus.read(configuration, System.currentTimeMillis());
        final CurrentTable table = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(configuration.dataDirectory()))
        {
            reader.pollAll(table::apply);
        }
        final List<TableRow> pairs = table.pairs();
        final List<TableRow> unmatched = table.unmatched();

        line("Payments meet risk signals: a payment matches the signals of its merchant from " +
            minutes(rule.lookBackNs()) + " before");
        line("it to " + minutes(rule.lookAheadNs()) +
            " after it, though events come out of order, twice, corrected, withdrawn and too late.");
        line("");
        cameIn(status);
        matched(pairs, unmatched);
        fact("Unmatched", count(unmatched.size()) +
            " payments without a signal, which is final: none can come in time any more.");
        late();
        clocks(status);
        fact("Check", expected.isMet() ?
            "Pairs, unmatched and late equal the expected answer that comes with the feed." :
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

    private void matched(final List<TableRow> pairs, final List<TableRow> unmatched)
    {
        final Map<String, Long> byKey = new TreeMap<>();
        pairs.forEach(row -> byKey.merge(row.row().key().toString(), 1L, Long::sum));
        final Map.Entry<String, Long> busiest =
            byKey.entrySet().stream().max(Map.Entry.comparingByValue()).orElseThrow();
        fact("Matched", count(pairs.size()) + " pairs of " + byKey.size() + " merchants; " + busiest.getKey() +
            " alone has " + count(busiest.getValue()) + ".");
        final PairRow example = pairs.stream().map(row -> (PairRow)row.row())
            .filter(pair -> pair.right().revision() > 0).findFirst().orElseThrow();
        more("One: " + example.left().id() + " of " + time(example.left().time()) + " with " + example.right().id() +
            " of " + time(example.right().time()) + ", a signal whose correction replaced its pairs.");
        final long inside = byKey.keySet().stream().filter(key -> key.startsWith(EDGE_INSIDE)).count();
        final long outside = unmatched.stream().map(row -> (UnmatchedRow)row.row())
            .filter(row -> row.key().toString().startsWith(EDGE)).count();
        more(inside + " signals exactly on an end of the span match, " + outside +
            " a second outside it do not, whoever came first.");
    }

    private void late()
    {
        final List<LateEntry> entries = new ArrayList<>();
        OutcomeLogs.forEachLate(configuration.dataDirectory(), configuration.topology(), entries::add);
        fact("Late", entries.size() + " events were more than " + minutes(rule.latenessNs()) +
            " behind their stream's clock. They are kept for repair:");
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
        next(program, " export pairs --format csv | head", "what matched");
        next(program, " export changes --key merchant-61", "how one merchant's results came about");
        next(program, " verify", "recomputes all by brute force and compares");
        next(program, " run --end-of-input", "ends the input: everything becomes final");
        next(program, " init mine --rule interval-join", "begins a pipeline of your own");
    }

    private void next(final String program, final String arguments, final String why)
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

    private static String time(final long time)
    {
        final String text = TimeText.ofClock(time);
        return text == null ? "not started" : text.replaceFirst(".*T(.*)Z", "$1");
    }

    private static String minutes(final long durationNs)
    {
        return TimeUnit.NANOSECONDS.toMinutes(durationNs) + " minutes";
    }

    private static String count(final long number)
    {
        return String.format(Locale.ROOT, "%,d", number);
    }

    private void fact(final String name, final String text)
    {
        line(String.format(Locale.ROOT, "%-11s%s", name, text));
    }

    private void more(final String text)
    {
        fact("", text);
    }

    private void line(final String text)
    {
        console.line(text);
    }
}
