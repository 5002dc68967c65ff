package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.sink.RowId;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.Utf8;

/**
 * Section 4 of SEMANTICS.md for one key, by brute force: nothing is ever forgotten, what is open, ghost or known is
 * asked of the clocks when it matters, and pairs are taken at the end from all rows whose intervals meet. That this
 * gives the engine's answer, which forgets as much as it may, is the claim of section 5.
 */
final class KeyModel
{
    private record Identity(int side, Utf8 id)
    {
    }

    private final PipelineSpec spec;
    private final JoinRule rule;
    private final KeyClocks clocks;
    private final IntervalIndex[] rows;
    private final Map<Identity, RowRecord> records = new HashMap<>();
    private final List<RowRecord> reborn = new ArrayList<>();
    private final Set<RowId> erased = new HashSet<>();
    private final KeyOutcome outcome = new KeyOutcome();

    KeyModel(final PipelineSpec spec, final ClockHistory history)
    {
        this.spec = spec;
        rule = spec.join();
        clocks = new KeyClocks(spec, history);
        rows = new IntervalIndex[]{new IntervalIndex(longest(0)), new IntervalIndex(longest(1))};
    }

    /** The key's next valid event, in order. */
    void onEvent(final LoggedEvent event)
    {
        final int side = spec.side(spec.topology().streamOf(event.source()));
        clocks.moveBefore(event.position());
        final Identity identity = new Identity(side, event.id());
        final RowRecord existing = records.get(identity);
        final RowRecord known = existing != null && isKnown(existing) ? existing : null;
        final boolean isAccepted = judge(event, side, identity, existing, known);
        final boolean movesClock = isAccepted && event.kind() == LoggedEvent.UPSERT;
        clocks.moveAfter(event.position(), movesClock ? event.source() : -1, event.time());
        reborn.forEach(this::noteProvisional);
    }

    /** No more events: what stands. Of the rows only a share is taken, all else is counted whole. */
    KeyOutcome finish(final RowShare share)
    {
        clocks.moveToEnd();
        new KeyTable(rule, clocks, rows, erased, outcome.rows, share).fill();
        for (final RowRecord row : records.values())
        {
            count(row);
        }
        outcome.keyClocks += clocks.holds(0) ? 1 : 0;
        outcome.keyClocks += clocks.holds(1) ? 1 : 0;
        return outcome;
    }

    private boolean judge(
        final LoggedEvent event,
        final int side,
        final Identity identity,
        final RowRecord existing,
        final RowRecord known)
    {
        if (known != null && known.isFurtherThan(event.time(), rule.maxMoveNs()))
        {
            outcome.rejected.add(event);
            return false;
        }
        if (known != null && !known.isOlderThan(event))
        {
            outcome.duplicates++;
            outcome.conflicts += isConflict(event, known) ? 1 : 0;
            known.saw(event.time());
            return false;
        }
        final String lateness = lateness(event, side, known);
        if (lateness != null)
        {
            outcome.late.add(new KeyOutcome.Late(event, clocks.acceptance(side), lateness));
            return false;
        }
        outcome.accepted++;
        apply(event, side, identity, existing, known);
        return true;
    }

    /** Null when the event is on time. */
    private String lateness(final LoggedEvent event, final int side, final RowRecord known)
    {
        final boolean isBehind = event.time() < Times.minus(clocks.acceptance(side), rule.latenessNs());
        if (known == null || !known.isLive())
        {
            return isBehind ? KeyOutcome.BEFORE_CLOCK : null;
        }
        if (!isOpen(known))
        {
            return KeyOutcome.NOT_OPEN;
        }
        final boolean isMove = event.kind() == LoggedEvent.UPSERT &&
            (known.start() != start(side, event) || known.end() != end(side, event));
        return isMove && isBehind ? KeyOutcome.MOVED_TOO_EARLY : null;
    }

    private void apply(
        final LoggedEvent event,
        final int side,
        final Identity identity,
        final RowRecord existing,
        final RowRecord known)
    {
        RowRecord row = known;
        if (row == null)
        {
            row = new RowRecord(side);
            records.put(identity, row);
            if (existing != null && existing.isLive())
            {
                // Only a producer that breaks its promise reuses an id: the old row's results stand until replaced.
                existing.supersede();
                row.rise();
                reborn.add(row);
            }
        }
        withdraw(row);
        row.saw(event.time());
        if (event.kind() == LoggedEvent.UPSERT)
        {
            row.put(event, spec.topology().partitionOf(event.source()), start(side, event), end(side, event));
            rows[side].add(row);
        }
        else
        {
            row.retract(event.revision());
        }
    }

    private void withdraw(final RowRecord row)
    {
        if (!row.isLive())
        {
            return;
        }
        rows[row.side()].remove(row);
        if (row.isReborn())
        {
            rows[1 - row.side()].forEachMeeting(row.start(), row.end(), partner ->
            {
                if (partner.isReborn())
                {
                    erased.add(KeyTable.pair(rule, row, partner).id());
                }
                return true;
            });
        }
    }

    /** Provisional rows of a row that came again replace the final row of its predecessor, and can be withdrawn. */
    private void noteProvisional(final RowRecord row)
    {
        if (row.isLive() && rule.unmatched() == Unmatched.PROVISIONAL && rule.publishesUnmatched(row.side()) &&
            !rows[1 - row.side()].meetsAny(row))
        {
            erased.add(KeyTable.unmatched(rule, row, false).id());
        }
    }

    private boolean isConflict(final LoggedEvent event, final RowRecord known)
    {
        return event.kind() == LoggedEvent.UPSERT && known.isLive() && event.revision() == known.revision() &&
            !known.hasContentOf(event, start(known.side(), event), end(known.side(), event)) &&
            (isOpen(known) || isGhost(known));
    }

    private boolean isKnown(final RowRecord row)
    {
        final long clock = clocks.acceptance(row.side());
        final long forgetting = Times.minus(Times.minus(clock, rule.latenessNs()), rule.maxMoveNs());
        return forgetting <= row.largestTime() || (row.isLive() && (isOpen(row) || isGhost(row)));
    }

    private boolean isOpen(final RowRecord row)
    {
        return isOpen(rule, clocks, row);
    }

    static boolean isOpen(final JoinRule rule, final KeyClocks clocks, final RowRecord row)
    {
        final int opposite = 1 - row.side();
        final long ownHorizon = Times.minus(clocks.acceptance(row.side()), rule.latenessNs());
        final long matchHorizon = Times.minus(
            Times.minus(clocks.acceptance(opposite), rule.latenessNs()), rule.beforeNs(opposite));
        return matchHorizon <= row.end() || ownHorizon <= row.image().time();
    }

    private boolean isGhost(final RowRecord row)
    {
        return !isOpen(row) &&
            !rows[1 - row.side()].forEachMeeting(row.start(), row.end(), partner -> !isOpen(partner));
    }

    private void count(final RowRecord row)
    {
        if (row.isLive())
        {
            outcome.open += isOpen(row) ? 1 : 0;
            outcome.ghosts += isGhost(row) ? 1 : 0;
        }
        if (isKnown(row))
        {
            outcome.records++;
            outcome.tombstones += row.isLive() ? 0 : 1;
        }
    }

    private long start(final int side, final LoggedEvent event)
    {
        if (rule.overlap())
        {
            return event.start();
        }
        return side == JoinRule.LEFT ? Times.minus(event.time(), rule.lookBackNs()) : event.time();
    }

    private long end(final int side, final LoggedEvent event)
    {
        if (rule.overlap())
        {
            return event.end();
        }
        return side == JoinRule.LEFT ? Times.plus(event.time(), rule.lookAheadNs()) : event.time();
    }

    private long longest(final int side)
    {
        if (rule.overlap())
        {
            return rule.maxLengthNs();
        }
        return side == JoinRule.LEFT ? Times.plus(rule.lookBackNs(), rule.lookAheadNs()) : 0;
    }
}
