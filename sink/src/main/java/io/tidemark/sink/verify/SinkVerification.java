package io.tidemark.sink.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.tidemark.ingest.Topology;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.ChangeLogTailer;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.RowId;
import io.tidemark.sink.TableException;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.TableSource;
import io.tidemark.sink.Utf8;

/**
 * Compares the tables of a sink with what the change log makes of them, row by row, and its repair queue with the late
 * log. On the heap it holds as many keys as fit a portion.
 */
public final class SinkVerification
{
    private static final long BYTES_A_CHANGE = 1_000;

    private final Path dataDirectory;
    private final Topology topology;
    private final TableSource source;
    private final Differences tables = new Differences();
    private final Differences late = new Differences();
    private long rows;
    private long lateEvents;

    /**
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     * @param source        the tables of the sink.
     */
    public SinkVerification(final Path dataDirectory, final Topology topology, final TableSource source)
    {
        this.dataDirectory = dataDirectory;
        this.topology = topology;
        this.source = source;
    }

    /**
     * Does the work.
     *
     * @return all checks, those that hold too.
     */
    public List<Check> run()
    {
        final long newest;
        try (ChangeLogTailer log = ChangeLogTailer.open(dataDirectory))
        {
            newest = log.newestNumber();
        }
        if (source.changeNumber() != newest)
        {
            tables.add("the sink is at record " + source.changeNumber() + " of the change log, which ends with " +
                newest + "; run the pipeline again to bring it up");
        }
        final int portions =
            Math.toIntExact(1 + (newest + 1) / Math.max(1, Runtime.getRuntime().maxMemory() / BYTES_A_CHANGE));
        for (int portion = 0; portion < portions; portion++)
        {
            compare(portion, portions);
        }
        final List<Check> checks = new ArrayList<>();
        checks.add(tables.toCheck("sink tables", TableComparison.count(rows, "row")));
        final Map<Long, String> states = new HashMap<>();
        if (source.forEachLate(states::put))
        {
            compareLate(states);
            checks.add(late.toCheck("sink's late", TableComparison.count(lateEvents, "event")));
        }
        return checks;
    }

    private void compare(final int portion, final int portions)
    {
        final CurrentTable logged = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(dataDirectory)
            .only(key -> Recomputation.portionOf(key, portions) == portion))
        {
            reader.pollAll(logged::apply);
        }
        catch (final TableException e)
        {
            tables.add(e.getMessage());
        }
        final CurrentTable found = new CurrentTable();
        for (final TableSource.Kind kind : TableSource.Kind.values())
        {
            source.forEach(kind, null, row ->
            {
                if (Recomputation.portionOf(row.row().key(), portions) == portion)
                {
                    found.add(row);
                }
            });
        }
        for (final Utf8 key : logged.keys())
        {
            compare(logged.remove(key), found.remove(key));
        }
        for (final Utf8 key : found.keys())
        {
            compare(Map.of(), found.remove(key));
        }
    }

    private void compare(final Map<RowId, TableRow> logged, final Map<RowId, TableRow> found)
    {
        rows += logged.size();
        logged.forEach((id, row) ->
        {
            final TableRow current = found.get(id);
            if (!row.equals(current))
            {
                tables.add(current == null ? "missing from the sink: " + row :
                    "the change log has " + row + ", but the sink has " + current);
            }
        });
        found.forEach((id, row) ->
        {
            if (!logged.containsKey(id))
            {
                tables.add("in the sink, but not in the change log: " + row);
            }
        });
    }

    private void compareLate(final Map<Long, String> states)
    {
        OutcomeLogs.forEachLate(dataDirectory, topology, entry ->
        {
            lateEvents++;
            if (states.remove(entry.position()) == null)
            {
                late.add("missing from the sink's table 'late': the event at position " + entry.position());
            }
        });
        states.keySet().stream().sorted()
            .forEach(position -> late.add("in the sink's table 'late', but not late: position " + position));
    }
}
