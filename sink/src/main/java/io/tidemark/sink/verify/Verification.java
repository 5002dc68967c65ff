package io.tidemark.sink.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.RejectEntry;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.TableException;
import io.tidemark.sink.Utf8;

/**
 * Recomputes the answer of a pipeline from the raw source logs and the order log and compares it with what the pipeline
 * has published: current table, late and rejected events, counters. Uses the logs read-only; on the heap it holds the
 * events and results of as many keys as fit a portion.
 */
public final class Verification
{
    /** An event, or a row both as it is and as it should be, and as much again for the collector. */
    private static final long BYTES_AN_OBJECT = 1_000;

    private final PipelineSpec spec;
    private final Path dataDirectory;
    private final Path resultsDirectory;
    private final long lastPosition;
    private final ReportedCounters counters;

    /**
     * @param spec             what the pipeline computes.
     * @param dataDirectory    that has its source and order logs.
     * @param resultsDirectory that has what is verified.
     * @param lastPosition     up to which the pipeline has processed the order.
     * @param counters         what it had counted by then.
     */
    public Verification(
        final PipelineSpec spec,
        final Path dataDirectory,
        final Path resultsDirectory,
        final long lastPosition,
        final ReportedCounters counters)
    {
        this.spec = spec;
        this.dataDirectory = dataDirectory;
        this.resultsDirectory = resultsDirectory;
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
        final OrderedInput input = new LoggedInput(dataDirectory, spec.topology(), lastPosition);
        final Recomputation recomputation = new Recomputation(spec, input);
        recomputation.readClocks();
        final OutcomeComparison outcomes = new OutcomeComparison(spec.topology());
        outcomes.expectRejected(recomputation.invalid());
        final TableComparison tables = new TableComparison();
        final Differences changeLog = new Differences();
        final PublishedRepairs repairs = new PublishedRepairs();
        final int portions = portions(recomputation.events());
        for (int portion = 0; portion < portions; portion++)
        {
            final SortedMap<Utf8, List<LoggedEvent>> events = recomputation.read(portion, portions);
            final Predicate<Utf8> keys = keysOf(portion, portions);
            final int shares = portions(countChanges(keys));
            for (int i = 0; i < shares; i++)
            {
                progress.accept("comparing rows, part " + (portion * shares + i + 1) + " of " + portions * shares);
                final RowShare share = new RowShare(i, shares);
                repairs.clearRows();
                final CurrentTable table = table(keys, share, changeLog, repairs);
                events.forEach((key, ofKey) ->
                {
                    final KeyOutcome outcome = recomputation.recompute(ofKey, share);
                    repairs.apply(key, outcome.rows);
                    tables.compare(outcome.rows, table.remove(key));
                    if (share.share() == 0)
                    {
                        outcomes.expect(outcome);
                    }
                });
                table.keys().forEach(key -> tables.compareUnknown(table.remove(key)));
            }
        }
        progress.accept("comparing late and rejected events");
        final List<LateEntry> late = new ArrayList<>();
        OutcomeLogs.forEachLate(resultsDirectory, spec.topology(), late::add);
        final List<RejectEntry> rejects = new ArrayList<>();
        OutcomeLogs.forEachReject(resultsDirectory, rejects::add);
        final List<Check> checks = new ArrayList<>();
        checks.add(changeLog.toCheck("change log", "each retraction repeats the row that was inserted"));
        checks.addAll(tables.checks(spec.rule()));
        checks.add(outcomes.compareLate(late));
        checks.add(outcomes.compareRejects(rejects));
        checks.add(outcomes.compareCounters(recomputation.events(), counters));
        checks.add(repairs.check(spec, input, resultsDirectory, late, rejects));
        return checks;
    }

    private CurrentTable table(
        final Predicate<Utf8> keys,
        final RowShare share,
        final Differences changeLog,
        final PublishedRepairs repairs)
    {
        final CurrentTable table = new CurrentTable();
        try (ChangeLogReader reader = ChangeLogReader.open(resultsDirectory).only(keys).only(share))
        {
            reader.pollAll(changeSet ->
            {
                repairs.onChangeSet(changeSet);
                table.apply(changeSet);
            });
        }
        catch (final TableException e)
        {
            changeLog.add(e.getMessage());
        }
        return table;
    }

    private long countChanges(final Predicate<Utf8> keys)
    {
        try (ChangeLogReader reader = ChangeLogReader.open(resultsDirectory).only(keys))
        {
            return reader.countChanges();
        }
    }

    private static Predicate<Utf8> keysOf(final int portion, final int portions)
    {
        return portions == 1 ? key -> true : key -> Recomputation.portionOf(key, portions) == portion;
    }

    /** So many portions that each of them fits into memory. */
    private static int portions(final long objects)
    {
        return Math.toIntExact(1 + objects / Math.max(1, Runtime.getRuntime().maxMemory() / BYTES_AN_OBJECT));
    }
}
