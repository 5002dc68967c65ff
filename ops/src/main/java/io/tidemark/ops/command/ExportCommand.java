package io.tidemark.ops.command;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.Predicate;

import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.worker.CheckpointPlaces;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationException;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.RuleTables;
import io.tidemark.ops.config.Suggestion;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.ChangeSetHandler;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.repair.RepairQueue;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.TurnedAwayLine;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.export.ExportFormat;
import io.tidemark.sink.export.LogExport;
import io.tidemark.sink.export.RecordWriter;
import io.tidemark.sink.export.TableExport;
import io.tidemark.sink.verify.OrderStart;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Writes results to standard output.
 */
@Command(
    name = "export",
    description = {
        "Writes results to standard output, sorted by key, then times, then ids.",
        "pairs: what matched. unmatched: rows without a partner. sessions: events of a key that belong together. " +
        "changes: the change log in order. late: events that came too late, and why. rejects: what was no valid " +
        "event, and why. order: the total order of all events."})
final class ExportCommand implements Callable<Integer>
{
    private static final List<String> KINDS = List.of(
        "pairs", "unmatched", "sessions", "changes", "late", "rejects", "order");
    private static final Map<String, List<String>> COLUMNS = Map.of(
        "pairs", TableExport.PAIR_COLUMNS,
        "unmatched", TableExport.UNMATCHED_COLUMNS,
        "sessions", TableExport.SESSION_COLUMNS,
        "changes", LogExport.CHANGE_COLUMNS,
        "late", LogExport.LATE_COLUMNS,
        "rejects", LogExport.REJECT_COLUMNS,
        "order", LogExport.ORDER_COLUMNS);

    @ParentCommand
    private RootCommand root;

    @Mixin
    private ConfigurationOption option;

    @Parameters(paramLabel = "WHAT", description = "pairs, unmatched, sessions, changes, late, rejects or order.")
    private String what;

    @Option(names = "--format", paramLabel = "jsonl|csv", description = "jsonl unless given.")
    private String format = "jsonl";

    @Option(names = "--key", paramLabel = "K", description = "Only what concerns this key.")
    private String key;

    @Option(names = "--generation", paramLabel = "G", description = "As of this generation, the newest unless given.")
    private Long generation;

    private Path data;
    private Path results;
    private RuleTables tables;
    private Predicate<Utf8> keys;

    @Override
    public Integer call() throws IOException
    {
        if (!KINDS.contains(what))
        {
            throw new ConfigurationException("there is nothing called '" + what + "' to export" +
                Suggestion.of(what, KINDS));
        }
        final Configuration configuration = option.read();
        new DataFormat(configuration).check();
        data = configuration.dataDirectory();
        results = configuration.resultsDirectory();
        tables = new RuleTables(configuration);
        tables.requireReadable();
        final Utf8 wanted = key == null ? null : Utf8.of(key);
        keys = wanted == null ? any -> true : wanted::equals;
        try (RecordWriter writer = UnsafeRetention.marking(configuration, exportFormat().writer(
            root.console().out(), UnsafeRetention.columns(configuration, COLUMNS.get(what)))))
        {
            final LogExport log = new LogExport(configuration.topology(), writer);
            switch (what)
            {
                case "pairs" -> new TableExport(writer).write(table(configuration, TableSource.Kind.PAIRS).pairs());
                case "unmatched" -> new TableExport(writer).write(
                    table(configuration, TableSource.Kind.UNMATCHED).unmatched());
                case "sessions" -> new TableExport(writer).write(
                    table(configuration, TableSource.Kind.SESSIONS).sessions());
                case "changes" -> forEachChangeSet(log::write);
                case "late" -> late(configuration, log);
                case "rejects" -> rejects(log);
                default -> order(configuration, log);
            }
        }
        return ExitCode.DONE;
    }

    private ExportFormat exportFormat()
    {
        return switch (format)
        {
            case "jsonl" -> ExportFormat.JSONL;
            case "csv" -> ExportFormat.CSV;
            default -> throw new ConfigurationException("--format is jsonl or csv, not '" + format + "'");
        };
    }

    /** What is current comes from the sink; what was, from the change log. */
    private CurrentTable table(final Configuration configuration, final TableSource.Kind kind)
    {
        final CurrentTable table = new CurrentTable();
        if (generation != null)
        {
            forEachChangeSet(table::apply);
        }
        else if (Sinks.exists(configuration))
        {
            try (TableSource source = Sinks.read(configuration))
            {
                source.forEach(kind, key == null ? null : Utf8.of(key), table::add);
            }
        }
        else if (hasChanges())
        {
            throw new FailedException("there is no " + Sinks.describe(configuration) +
                ", but there are results; make it again: tidemark run -c " + option.file() + " --until-caught-up");
        }
        else
        {
            nothingYet();
        }
        return table;
    }

    private boolean hasChanges()
    {
        if (!ChangeLogReader.exists(results))
        {
            return false;
        }
        try (Log changes = Log.openReadOnly(results.resolve(PipelineRuntime.CHANGES)))
        {
            return changes.lastNumber() >= 0;
        }
    }

    private void nothingYet()
    {
        root.console().note("nothing has been computed yet; run the pipeline first: tidemark run -c " +
            option.file() + " --until-caught-up");
    }

    private void forEachChangeSet(final ChangeSetHandler handler)
    {
        if (generation != null && generation < 1)
        {
            throw new ConfigurationException("--generation starts at 1, not " + generation);
        }
        final Path directory = tableDirectory();
        if (!ChangeLogReader.exists(directory))
        {
            nothingYet();
            return;
        }
        final long[] newest = {tables.firstGeneration()};
        try (ChangeLogReader reader = ChangeLogReader.open(directory).only(keys))
        {
            reader.pollAll(changeSet ->
            {
                newest[0] = Math.max(newest[0], changeSet.generation());
                if (generation == null || changeSet.generation() <= generation)
                {
                    handler.onChangeSet(changeSet);
                }
            });
        }
        if (generation != null && generation > newest[0] && key == null)
        {
            throw new ConfigurationException("there is no generation " + generation + "; the newest is " + newest[0]);
        }
    }

    /** Generations before those of this rule version are those of the table before it. */
    private Path tableDirectory()
    {
        return generation == null ? results : tables.ofGeneration(generation).directory();
    }

    private void late(final Configuration configuration, final LogExport log)
    {
        if (!PipelineRun.hasEarlier(configuration))
        {
            return;
        }
        for (final RepairQueue.Item item : RepairCommand.repairs(configuration).queue().items())
        {
            if (keys.test(item.event().key()))
            {
                log.write(item.event(), item.state().text());
            }
        }
    }

    /** First the lines that ingest turned away, which have no key that could be trusted; then those of the order. */
    private void rejects(final LogExport log) throws IOException
    {
        if (key == null)
        {
            TurnedAwayLine.forEach(data, log::write);
        }
        OutcomeLogs.forEachReject(results, entry ->
        {
            if (keys.test(entry.key()))
            {
                log.write(entry);
            }
        });
    }

    private void order(final Configuration configuration, final LogExport log)
    {
        final Path directory = data.resolve("order");
        if (!Log.exists(directory))
        {
            return;
        }
        final RetentionHold hold = RetentionHold.acquire(data);
        try
        {
            orderHeld(configuration, log, directory);
        }
        finally
        {
            hold.close();
        }
    }

    private void orderHeld(final Configuration configuration, final LogExport log, final Path directory)
    {
        final EventView event = new EventView();
        try (SourceLogs sources = SourceLogs.openReadOnly(data, configuration.topology());
            Log orderLog = Log.openReadOnly(directory);
            OrderedEvents events = new OrderedEvents(sources, orderLog))
        {
            toOldest(configuration, sources, orderLog, events);
            while (events.next())
            {
                if (!events.isEvent())
                {
                    if (key == null)
                    {
                        log.writeOrder(
                            events.position(), -1, 0, events.isTick() ? events.nowNs() : LogExport.NO_ARRIVAL);
                    }
                    continue;
                }
                event.wrap(events.buffer(), events.offset());
                if (key == null || keys.test(Utf8.of(event.buffer(), event.keyOffset(), event.keyLength())))
                {
                    log.writeOrder(events.position(), events.source(), events.index(), event.arrival());
                }
            }
        }
    }

    /** What was pruned is not there to be shown. */
    private void toOldest(
        final Configuration configuration, final SourceLogs sources, final Log orderLog, final OrderedEvents events)
    {
        if (OrderHistory.firstDay(data) != OrderHistory.WHOLE)
        {
            final List<CheckpointPlaces.Place> places =
                CheckpointPlaces.upTo(results, configuration.spec(), Long.MAX_VALUE);
            final OrderStart start =
                OrderStart.oldest(orderLog, sources, places.isEmpty() ? null : places.get(0).mark());
            events.moveAfter(start.position(), start.ordered());
            root.console().note("positions up to " + start.position() + " were pruned; the order begins behind them");
        }
    }
}
