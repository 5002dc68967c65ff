package io.tidemark.sink.verify;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.Change;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.ChangeSet;
import io.tidemark.sink.CurrentTable;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.RejectEntry;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.Membership;
import io.tidemark.sink.candidate.Region;
import io.tidemark.sink.candidate.RowName;

/**
 * The repairs that were published, as the change log has them. What the live path makes is one half of the expected
 * table; they are the other: each takes away rows that stand, and puts others in places that are free. Whether they
 * are right is asked of {@link RepairCheck}.
 */
final class PublishedRepairs
{
    private final Map<Utf8, List<ChangeSet>> byKey = new HashMap<>();
    private final Set<Long> late = new HashSet<>();
    private final Differences misfits = new Differences();
    private final Set<List<Long>> regions = new LinkedHashSet<>();

    /** Told of every change-set of the log; share by share the same ones come again. */
    void onChangeSet(final ChangeSet changeSet)
    {
        if (changeSet.repair() != null)
        {
            byKey.computeIfAbsent(changeSet.key(), key -> new ArrayList<>()).add(changeSet);
            late.addAll(changeSet.repair().late());
            regions.add(changeSet.repair().late());
        }
    }

    /**
     * Holds all that repairs concern, as it stands now, to the relation of all events but those that still wait.
     *
     * @param spec             of the pipeline.
     * @param input            all events.
     * @param resultsDirectory of the pipeline.
     * @param queue            all late events.
     * @param rejects          all events that were rejected.
     * @return what was found.
     */
    Check check(
        final PipelineSpec spec,
        final OrderedInput input,
        final Path resultsDirectory,
        final List<LateEntry> queue,
        final List<RejectEntry> rejects)
    {
        final Map<Long, LateEntry> byPosition = new HashMap<>();
        queue.forEach(event -> byPosition.put(event.position(), event));
        final Set<Long> leftOut = new HashSet<>(byPosition.keySet());
        leftOut.removeAll(late);
        rejects.forEach(event -> leftOut.add(event.position()));
        final List<Draft> standing = new ArrayList<>();
        final Set<Utf8> keys = new HashSet<>();
        regions.forEach(positions -> standing.add(standing(spec, positions.stream().map(byPosition::get).toList())));
        standing.forEach(draft -> keys.add(draft.region().key()));
        final CurrentTable table = new CurrentTable();
        if (!keys.isEmpty())
        {
            try (ChangeLogReader reader = ChangeLogReader.open(resultsDirectory).only(keys::contains))
            {
                reader.pollAll(table::apply);
            }
        }
        final Map<Utf8, List<ResultRow>> tables = new HashMap<>();
        keys.forEach(key -> tables.put(key, table.remove(key).values().stream().map(TableRow::row).toList()));
        new RepairCheck(spec, input).complaints(standing, leftOut::contains, tables::get)
            .forEach(complaints -> complaints.forEach(misfits::add));
        return misfits.toCheck("repairs", TableComparison.count(regions.size(), "published repair"));
    }

    /** A draft that changes nothing, of rows that should be right as they are. */
    private static Draft standing(final PipelineSpec spec, final List<LateEntry> events)
    {
        final TreeSet<RowName> rows = new TreeSet<>();
        events.forEach(event -> rows.add(new RowName(spec.side(event.stream()), event.id())));
        return new Draft(
            new Region(events.get(0).key(), events.stream().mapToLong(LateEntry::time).min().orElseThrow(),
                events.stream().mapToLong(LateEntry::time).max().orElseThrow(), List.copyOf(rows),
                events.stream().map(LateEntry::position).toList()),
            List.of(), List.of(), null, Membership.NONE, Times.MINUS_INFINITY, Times.MINUS_INFINITY);
    }

    /** What was collected for one share is done with. */
    void clearRows()
    {
        byKey.clear();
    }

    /** Changes what the live path makes of a key into what should be current. */
    void apply(final Utf8 key, final Map<RowId, ResultRow> rows)
    {
        for (final ChangeSet repair : byKey.getOrDefault(key, List.of()))
        {
            for (final Change change : repair.changes())
            {
                final ResultRow row = change.row();
                final ResultRow there = change.isInsertion() ? rows.putIfAbsent(row.id(), row) : rows.remove(row.id());
                if (change.isInsertion() ? there != null : !row.equals(there))
                {
                    misfits.add("generation " + repair.generation() + (change.isInsertion() ?
                        " inserts a row that the live path has made: " : " retracts a row that should not be there: ") +
                        RowText.of(row));
                }
            }
        }
    }
}
