package io.tidemark.sink.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.RejectEntry;
import io.tidemark.sink.TableException;
import io.tidemark.sink.Utf8;

/**
 * Recomputes the answer of a join from the raw source logs and the order log and compares it with what the pipeline
 * has published: current table, late and rejected events, counters. Uses the logs read-only; on the heap it holds the
 * events and results of as many keys as fit a portion.
 */
public final class Verification
{
    private static final long RECORDS_A_PORTION = 2_000_000;

    private final PipelineSpec spec;
    private final Path dataDirectory;
    private final long lastPosition;
    private final ReportedCounters counters;

    /**
     * @param spec          what the pipeline computes.
     * @param dataDirectory of the pipeline.
     * @param lastPosition  up to which the pipeline has processed the order.
     * @param counters      what it had counted by then.
     */
    public Verification(
        final PipelineSpec spec, final Path dataDirectory, final long lastPosition, final ReportedCounters counters)
    {
        this.spec = spec;
        this.dataDirectory = dataDirectory;
        this.lastPosition = lastPosition;
        this.counters = counters;
    }

    /**
     * Does the work.
     *
     * @param progress is told what is being done.
     * @return all checks, those that hold too.
     */
    public List<Check> run(final Consumer<String> progress)
    {
        progress.accept("recomputing the clocks of " + lastPosition + " positions");
        final Recomputation recomputation =
            new Recomputation(spec, new LoggedInput(dataDirectory, spec.topology(), lastPosition));
        recomputation.readClocks();
        final OutcomeComparison outcomes = new OutcomeComparison(spec.topology());
        outcomes.expectRejected(recomputation.invalid());
        final TableComparison tables = new TableComparison();
        final Differences changeLog = new Differences();
        final int portions = portions(recomputation.events());
        for (int portion = 0; portion < portions; portion++)
        {
            progress.accept("recomputing keys, portion " + (portion + 1) + " of " + portions);
            compare(portion, portions, recomputation, tables, outcomes, changeLog);
        }
        progress.accept("comparing late and rejected events");
        final List<LateEntry> late = new ArrayList<>();
        OutcomeLogs.forEachLate(dataDirectory, spec.topology(), late::add);
        final List<RejectEntry> rejects = new ArrayList<>();
        OutcomeLogs.forEachReject(dataDirectory, rejects::add);
        return List.of(
            changeLog.toCheck("change log", "each retraction repeats the row that was inserted"),
            tables.pairs(), tables.unmatched(), outcomes.compareLate(late), outcomes.compareRejects(rejects),
            outcomes.compareCounters(recomputation.events(), counters));
    }

    private void compare(
        final int portion,
        final int portions,
        final Recomputation recomputation,
        final TableComparison tables,
        final OutcomeComparison outcomes,
        final Differences changeLog)
    {
        final CurrentTable table = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(dataDirectory)
            .only(key -> Recomputation.portionOf(key, portions) == portion))
        {
            reader.pollAll(table::apply);
        }
        catch (final TableException e)
        {
            changeLog.add(e.getMessage());
        }
        recomputation.forEachKey(portion, portions, (key, outcome) ->
        {
            tables.compare(outcome.rows, table.remove(key));
            outcomes.expect(outcome);
        });
        for (final Utf8 key : table.keys())
        {
            tables.compareUnknown(table.remove(key));
        }
    }

    private int portions(final long events)
    {
        try (Log changes = Log.openReadOnly(dataDirectory.resolve("changes")))
        {
            return Math.toIntExact(1 + (events + 4 * changes.lastNumber()) / RECORDS_A_PORTION);
        }
    }
}
