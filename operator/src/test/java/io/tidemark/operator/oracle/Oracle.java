package io.tidemark.operator.oracle;

import static io.tidemark.operator.oracle.OracleTime.minus;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.RowName;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.operator.oracle.ChangeSet.Cause;
import io.tidemark.operator.oracle.OracleRow.Published;
import io.tidemark.operator.oracle.Outcome.LateReason;
import io.tidemark.operator.oracle.Outcome.RejectReason;

/**
 * A join by the definitions of SEMANTICS.md sections 4 to 6 and 9, one position at a time. Rows are never forgotten
 * here: whether one is open, a ghost or gone is asked of the clocks whenever it matters.
 */
public final class Oracle
{
    private final Settings settings;
    private final Reach reach;
    private final OracleClocks clocks;
    private final Map<RowName, OracleRecord> records = new HashMap<>();
    private final List<OracleRow> rows = new ArrayList<>();
    private final List<ChangeSet> changeSets = new ArrayList<>();
    private final TreeMap<String, ResultRow> table = new TreeMap<>(ResultRow::compareUtf8);
    private final List<Outcome.Late> late = new ArrayList<>();
    private final List<Outcome.Rejected> rejected = new ArrayList<>();
    private long position;
    private long events;
    private long accepted;
    private long duplicates;
    private long conflicts;

    /** What is remembered of a row besides its content; without a row it is a tombstone. */
    private static final class OracleRecord
    {
        private int revision;
        private long largestTime;
        private OracleRow row;
    }

    /** A join with these settings that has seen nothing. */
    public Oracle(final Settings settings)
    {
        this.settings = settings;
        reach = new Reach(settings);
        clocks = new OracleClocks(settings);
    }

    /** The next position is a tick. */
    public void tick(final long nowNs)
    {
        position++;
        clocks.tick(nowNs);
        publishFinalRows();
    }

    /** The next position is an event, which stands at an index in its source log. */
    public void event(final FeedEvent event, final long index)
    {
        final int source = settings.source(event.stream(), event.partition());
        position++;
        events++;
        clocks.beforeEvent(source, event.arrival());

        final var broken = Validity.brokenRules(settings, event);
        if (!broken.isEmpty())
        {
            rejected.add(new Outcome.Rejected(position, source, index, broken));
        }
        else if (event.kind() == Kind.WATERMARK)
        {
            clocks.afterPromise(source, event.time());
        }
        else
        {
            final boolean isAccepted = decide(event, source, index);
            if (event.kind() == Kind.UPSERT)
            {
                if (isAccepted)
                {
                    clocks.afterAcceptedUpsert(source, event.time(), event.key());
                }
                else
                {
                    clocks.afterValidUpsert(source, event.time());
                }
            }
        }
        publishFinalRows();
    }

    /** Steps 1 (what takes state to see) to 4. */
    private boolean decide(final FeedEvent event, final int source, final long index)
    {
        final int side = settings.sideOf(source);
        final long onTimeFrom = minus(clocks.acceptance(side, event.key()), settings.latenessNs());
        final OracleRecord known = knownRecord(event.row(), side);

        if (known != null && OracleTime.furtherApartThan(settings.maxMoveNs(), event.time(), known.largestTime))
        {
            final var reasons = EnumSet.of(RejectReason.MOVED_TOO_FAR);
            rejected.add(new Outcome.Rejected(position, source, index, reasons));
            return false;
        }
        if (known != null && !isGreater(event, known))
        {
            duplicates++;
            known.largestTime = Math.max(known.largestTime, event.time());
            if (event.kind() == Kind.UPSERT && event.revision() == known.revision && known.row != null &&
                (isOpen(known.row) || isGhost(known.row)) && !known.row.hasContentOf(event))
            {
                conflicts++;
            }
            return false;
        }
        final LateReason reason = lateness(event, side, known, onTimeFrom);
        if (reason != null)
        {
            final long clock = clocks.acceptance(side, event.key());
            final long dueDay = Math.floorDiv(event.time(), 86_400_000_000_000L);
            late.add(new Outcome.Late(position, source, index, clock, reason, dueDay));
            return false;
        }
        accepted++;
        apply(event, source, index, known);
        return true;
    }

    private static boolean isGreater(final FeedEvent event, final OracleRecord known)
    {
        return event.revision() != known.revision ? event.revision() > known.revision :
            event.kind() == Kind.RETRACT && known.row != null;
    }

    private LateReason lateness(
        final FeedEvent event, final int side, final OracleRecord known, final long onTimeFrom)
    {
        final boolean isBefore = event.time() < onTimeFrom;
        if (known == null || known.row == null)
        {
            return isBefore ? LateReason.BEFORE_CLOCK : null;
        }
        if (!isOpen(known.row))
        {
            return LateReason.NOT_OPEN;
        }
        final boolean moves = event.kind() == Kind.UPSERT &&
            !known.row.hasInterval(reach.start(event, side), reach.end(event, side));
        return moves && isBefore ? LateReason.MOVED_BEFORE_CLOCK : null;
    }

    /** Step 4: one change-set. */
    private void apply(final FeedEvent event, final int source, final long index, final OracleRecord known)
    {
        final int side = settings.sideOf(source);
        final OracleRecord record = known != null ? known : new OracleRecord();
        final OracleRow before = record.row;
        final List<ResultRow> retractions = new ArrayList<>();
        final List<ResultRow> insertions = new ArrayList<>();
        final List<OracleRow> touched = new ArrayList<>();

        if (before != null)
        {
            for (final OracleRow partner : before.partners)
            {
                retractions.add(pair(before, partner));
                partner.partners.remove(before);
                touched.add(partner);
            }
            if (before.published == Published.PROVISIONAL)
            {
                retractions.add(unmatched(before, false));
            }
            rows.remove(before);
        }
        record.largestTime = known == null ? event.time() : Math.max(known.largestTime, event.time());
        record.revision = event.revision();
        record.row = null;
        if (event.kind() == Kind.UPSERT)
        {
            final OracleRow row = new OracleRow(
                event, side, reach.start(event, side), reach.end(event, side), settings.streamOf(source), index);
            for (final OracleRow other : rows)
            {
                if (other.side != side && other.key.equals(row.key) && other.intersects(row) &&
                    (isOpen(other) || touched.contains(other)))
                {
                    row.partners.add(other);
                    other.partners.add(row);
                    insertions.add(pair(row, other));
                    touched.add(other);
                }
            }
            record.row = row;
            rows.add(row);
            touched.add(row);
        }
        records.put(event.row(), record);
        touched.stream().distinct().forEach(row -> updateProvisional(row, retractions, insertions));
        emit(true, event.key(), new Cause(source, index), retractions, insertions);
    }

    private void updateProvisional(
        final OracleRow row, final List<ResultRow> retractions, final List<ResultRow> insertions)
    {
        if (settings.unmatched() != Unmatched.PROVISIONAL || !settings.publishesUnmatched(row.side))
        {
            return;
        }
        if (row.partners.isEmpty() && row.published == Published.NOT)
        {
            final boolean isFinal = !isOpen(row);
            insertions.add(unmatched(row, isFinal));
            row.published = isFinal ? Published.FINAL : Published.PROVISIONAL;
        }
        else if (!row.partners.isEmpty() && row.published == Published.PROVISIONAL)
        {
            retractions.add(unmatched(row, false));
            row.published = Published.NOT;
        }
    }

    /** The end of step 5: rows that are not open and have no current pair, each of them once. */
    private void publishFinalRows()
    {
        rows.stream()
            .filter(row -> settings.publishesUnmatched(row.side) && row.published != Published.FINAL)
            .filter(row -> row.partners.isEmpty() && !isOpen(row))
            .sorted(Comparator.comparingLong((OracleRow row) -> row.end)
                .thenComparing(row -> row.key, ResultRow::compareUtf8)
                .thenComparing(row -> unmatched(row, true), ResultRow.BY_ROW_ID))
            .forEach(row ->
            {
                final boolean wasProvisional = row.published == Published.PROVISIONAL;
                row.published = Published.FINAL;
                emit(false, row.key, Cause.CLOCK,
                    wasProvisional ? List.of(unmatched(row, false)) : List.of(), List.of(unmatched(row, true)));
            });
    }

    private void emit(
        final boolean direct,
        final String key,
        final Cause cause,
        final List<ResultRow> retractions,
        final List<ResultRow> insertions)
    {
        if (retractions.isEmpty() && insertions.isEmpty())
        {
            return;
        }
        final List<ResultRow> going = new ArrayList<>(retractions);
        final List<ResultRow> coming = new ArrayList<>(insertions);
        going.sort(ResultRow.BY_ROW_ID);
        coming.sort(ResultRow.BY_ROW_ID);
        changeSets.add(new ChangeSet(position, direct, key, cause, going, coming));
        going.forEach(row -> table.remove(row.rowId()));
        coming.forEach(row -> table.put(row.rowId(), row));
    }

    private boolean isMatchable(final OracleRow row)
    {
        final long clock = clocks.acceptance(1 - row.side, row.key);
        return minus(minus(clock, settings.latenessNs()), reach.before(1 - row.side)) <= row.end;
    }

    private boolean isOpen(final OracleRow row)
    {
        return isMatchable(row) ||
            minus(clocks.acceptance(row.side, row.key), settings.latenessNs()) <= row.time;
    }

    private boolean isGhost(final OracleRow row)
    {
        return !isOpen(row) && row.partners.stream().anyMatch(this::isOpen);
    }

    /** The record of a row, or null when it isn't known. */
    private OracleRecord knownRecord(final RowName name, final int side)
    {
        final OracleRecord record = records.get(name);
        if (record == null)
        {
            return null;
        }
        final long clock = clocks.acceptance(side, name.key());
        final boolean isRecent =
            minus(minus(clock, settings.latenessNs()), settings.maxMoveNs()) <= record.largestTime;
        final boolean isHeld = record.row != null && (isOpen(record.row) || isGhost(record.row));
        return isRecent || isHeld ? record : null;
    }

    private ResultRow pair(final OracleRow a, final OracleRow b)
    {
        return new ResultRow.Pair(
            settings.ruleVersion(), a.key, a.side == 0 ? a.image : b.image, a.side == 0 ? b.image : a.image);
    }

    private ResultRow unmatched(final OracleRow row, final boolean isFinal)
    {
        return new ResultRow.Unmatched(settings.ruleVersion(), row.key, row.side, row.image, isFinal);
    }

    /** Positions so far. */
    public long position()
    {
        return position;
    }

    /** All change-sets so far: per position the direct one, then those of the clock by end, key and row id. */
    public List<ChangeSet> changeSets()
    {
        return changeSets;
    }

    /** The current table, by row id. */
    public TreeMap<String, ResultRow> table()
    {
        return table;
    }

    /** Late events so far. */
    public List<Outcome.Late> late()
    {
        return late;
    }

    /** Rejected events so far. */
    public List<Outcome.Rejected> rejected()
    {
        return rejected;
    }

    /** What was counted so far. */
    public Outcome.Counters counters()
    {
        return new Outcome.Counters(events, accepted, duplicates, conflicts, late.size(), rejected.size());
    }

    /** What is held now. */
    public Outcome.Census census()
    {
        final List<OracleRecord> known = records.entrySet().stream()
            .filter(e -> knownRecord(e.getKey(), e.getKey().stream().equals(settings.left()) ? 0 : 1) != null)
            .map(Map.Entry::getValue).toList();
        return new Outcome.Census(
            rows.stream().filter(this::isOpen).count(),
            rows.stream().filter(this::isGhost).count(),
            known.size(),
            known.stream().filter(record -> record.row == null).count(),
            0,
            clocks.keyClocks());
    }

    /** P(s,p) of a source. */
    public long partitionClock(final int source)
    {
        return clocks.partitionClock(source);
    }

    /** W(s) of a side. */
    public long watermark(final int side)
    {
        return clocks.watermark(side);
    }

    /** A(s) of a side; scope partition only. */
    public long acceptance(final int side)
    {
        return clocks.acceptance(side);
    }

    /** A_k(s) of a side and key, in scope partition A(s). */
    public long acceptance(final int side, final String key)
    {
        return clocks.acceptance(side, key);
    }
}
