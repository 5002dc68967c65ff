package io.tidemark.sink.repair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.Change;
import io.tidemark.sink.ChangeLogReader;
import io.tidemark.sink.ChangeSet;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.OutcomeLogs;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.repair.build.KeyHistory;
import io.tidemark.sink.repair.build.RawEvent;
import io.tidemark.sink.verify.OrderStart;

/**
 * What builders and judges are told, all as of one position: raw events and current rows of some keys, near their late
 * events. How near is enough follows from the promises of producers: all times of a row lie within {@code max_move},
 * and of a partner no further than the rule reaches.
 */
final class RepairInput
{
    private final PipelineSpec spec;
    private final Path dataDirectory;
    private final Path resultsDirectory;
    private final long position;
    private final long horizonNs;
    private final Map<Utf8, Map<RowId, ResultRow>> tables = new TreeMap<>();
    private final Map<Utf8, Set<Long>> due = new TreeMap<>();
    private final Set<Long> leftOut = new HashSet<>();
    private RawScan scan;

    RepairInput(
        final PipelineSpec spec,
        final Path dataDirectory,
        final Path resultsDirectory,
        final long position,
        final long horizonNs)
    {
        this.spec = spec;
        this.dataDirectory = dataDirectory;
        this.resultsDirectory = resultsDirectory;
        this.position = position;
        this.horizonNs = horizonNs;
    }

    /**
     * Reads all logs.
     *
     * @param keys to read.
     * @param late all late events.
     * @param open those that nothing has been done about, whether they have expired or not.
     */
    void read(final Set<Utf8> keys, final List<LateEntry> late, final List<LateEntry> open)
    {
        final Map<Utf8, TimeWindows> anchors = new HashMap<>();
        for (final LateEntry event : open)
        {
            if (keys.contains(event.key()))
            {
                anchors.computeIfAbsent(event.key(), key -> new TimeWindows()).add(event.time(), event.time());
            }
        }
        final Map<Utf8, TimeWindows> windows = new HashMap<>();
        if (spec.rule() instanceof final SessionRule sessions)
        {
            readTables(anchors, row -> true);
            anchors.forEach((key, times) -> windows.put(key, windowsOfSessions(sessions, key, times)));
        }
        else
        {
            anchors.forEach((key, times) -> windows.put(key, times.widened(reachNs(spec.join()))));
            readTables(windows, row -> isNear(row, windows.get(row.key())));
        }
        final Set<Long> latePositions = new HashSet<>();
        late.forEach(event -> latePositions.add(event.position()));
        OutcomeLogs.forEachReject(resultsDirectory, event ->
        {
            if (keys.contains(event.key()))
            {
                leftOut.add(event.position());
            }
        });
        final long fromTime = windows.values().stream().mapToLong(TimeWindows::from).min().orElse(Times.MAX);
        scan = new RawScan(spec, windows, latePositions, leftOut)
            .read(dataDirectory, resultsDirectory, position, fromTime);
        final long oldest = Times.minus(scan.largestTime(), horizonNs);
        for (final LateEntry event : open)
        {
            if (keys.contains(event.key()))
            {
                if (event.time() < oldest)
                {
                    leftOut.add(event.position());
                }
                else
                {
                    due.computeIfAbsent(event.key(), key -> new HashSet<>()).add(event.position());
                }
            }
        }
    }

    /** To the partners of partners, each of which may have moved. */
    private static long reachNs(final JoinRule join)
    {
        final long reach = join.overlap() ? Times.plus(join.maxLengthNs(), join.maxLengthNs()) :
            Times.plus(join.lookBackNs(), join.lookAheadNs());
        final long move = Times.plus(join.maxMoveNs(), join.maxMoveNs());
        return Times.plus(Times.plus(reach, reach), Times.plus(move, move));
    }

    /**
     * The sessions that late events touch, and what may have moved into them. Where only final sessions are published,
     * those that are still open don't show, and whatever comes after a late event may belong to one that it touches.
     */
    private TimeWindows windowsOfSessions(final SessionRule rule, final Utf8 key, final TimeWindows times)
    {
        final TimeWindows late = times.widened(rule.maxMoveNs());
        final TimeWindows chains = new TimeWindows();
        chains.addAll(late.widened(rule.gapNs()));
        tables.getOrDefault(key, Map.of()).values().forEach(row ->
        {
            final SessionRow session = (SessionRow)row;
            chains.add(session.start(), Times.plus(session.end(), rule.gapNs()));
        });
        return chains.meeting(late).widened(
            Times.plus(rule.gapNs(), Times.plus(rule.maxMoveNs(), rule.maxMoveNs())), !rule.provisional());
    }

    private void readTables(final Map<Utf8, TimeWindows> wanted, final Predicate<ResultRow> isWanted)
    {
        if (wanted.isEmpty() || !ChangeLogReader.exists(resultsDirectory))
        {
            return;
        }
        try (ChangeLogReader reader = ChangeLogReader.open(resultsDirectory).only(wanted::containsKey))
        {
            reader.pollAll(changeSet -> apply(changeSet, isWanted));
        }
    }

    private void apply(final ChangeSet changeSet, final Predicate<ResultRow> isWanted)
    {
        if (changeSet.identity().position() > position)
        {
            return;
        }
        final Map<RowId, ResultRow> table = tables.computeIfAbsent(changeSet.key(), key -> new HashMap<>());
        for (final Change change : changeSet.changes())
        {
            if (!isWanted.test(change.row()))
            {
                continue;
            }
            if (change.isInsertion())
            {
                table.put(change.row().id(), change.row());
            }
            else
            {
                table.remove(change.row().id());
            }
        }
    }

    private static boolean isNear(final ResultRow row, final TimeWindows windows)
    {
        if (row instanceof final PairRow pair)
        {
            return windows.has(pair.left().time()) || windows.has(pair.right().time());
        }
        return windows.has(((UnmatchedRow)row).row().time());
    }

    long position()
    {
        return position;
    }

    long leftClock()
    {
        return scan.acceptance(0);
    }

    long rightClock()
    {
        return scan.acceptance(1);
    }

    /** Where reading began: nothing before it matters. */
    OrderStart start()
    {
        return scan.start();
    }

    List<SourceRange> read()
    {
        return scan.read();
    }

    /** Positions of events that count for nothing: rejected ones, and late ones that have expired. */
    Set<Long> leftOut()
    {
        return leftOut;
    }

    Map<Utf8, Collection<ResultRow>> tables()
    {
        final Map<Utf8, Collection<ResultRow>> rows = new HashMap<>();
        tables.forEach((key, table) -> rows.put(key, table.values()));
        return rows;
    }

    List<KeyHistory> histories()
    {
        final List<KeyHistory> histories = new ArrayList<>();
        due.forEach((key, positions) ->
        {
            final List<RawEvent> events = scan.events(key).stream()
                .filter(event -> !leftOut.contains(event.position())).toList();
            histories.add(new KeyHistory(key, events, tables.getOrDefault(key, Map.of()).values(), positions));
        });
        return histories;
    }
}
