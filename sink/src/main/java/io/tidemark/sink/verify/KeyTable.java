package io.tidemark.sink.verify;

import java.util.Map;
import java.util.Set;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.UnmatchedRow;

/**
 * Section 6 of SEMANTICS.md for one key at the end of its events: every two rows whose intervals meet are a pair, and
 * who has none is unmatched.
 */
final class KeyTable
{
    private final JoinRule rule;
    private final KeyClocks clocks;
    private final IntervalIndex[] rows;
    private final Set<RowId> erased;
    private final Map<RowId, ResultRow> table;
    private final RowShare share;

    KeyTable(
        final JoinRule rule,
        final KeyClocks clocks,
        final IntervalIndex[] rows,
        final Set<RowId> erased,
        final Map<RowId, ResultRow> table,
        final RowShare share)
    {
        this.share = share;
        this.rule = rule;
        this.clocks = clocks;
        this.rows = rows;
        this.erased = erased;
        this.table = table;
    }

    /** Rows whose id was taken by a later one come first, so that the later one replaces what they left. */
    void fill()
    {
        fill(true);
        fill(false);
    }

    private void fill(final boolean superseded)
    {
        rows[JoinRule.LEFT].forEach(left ->
            rows[JoinRule.RIGHT].forEachMeeting(left.start(), left.end(), right ->
            {
                if (superseded == (left.isSuperseded() && right.isSuperseded()))
                {
                    put(pair(rule, left, right), superseded);
                }
                return true;
            }));
        for (int side = 0; side < 2; side++)
        {
            if (rule.publishesUnmatched(side))
            {
                final IntervalIndex opposite = rows[1 - side];
                rows[side].forEach(row ->
                {
                    if (superseded == row.isSuperseded() && !opposite.meetsAny(row))
                    {
                        putUnmatched(row);
                    }
                });
            }
        }
    }

    private void putUnmatched(final RowRecord row)
    {
        final boolean isFinal = !KeyModel.isOpen(rule, clocks, row);
        if (isFinal || rule.unmatched() == Unmatched.PROVISIONAL)
        {
            put(unmatched(rule, row, isFinal), row.isSuperseded());
        }
    }

    private void put(final ResultRow row, final boolean canBeErased)
    {
        if (share.has(row))
        {
            final RowId id = row.id();
            if (!canBeErased || !erased.contains(id))
            {
                table.put(id, row);
            }
        }
    }

    static PairRow pair(final JoinRule rule, final RowRecord one, final RowRecord other)
    {
        final RowRecord left = one.side() == JoinRule.LEFT ? one : other;
        final RowRecord right = left == one ? other : one;
        return new PairRow(rule.version(), left.key(), left.image(), right.image());
    }

    static UnmatchedRow unmatched(final JoinRule rule, final RowRecord row, final boolean isFinal)
    {
        return new UnmatchedRow(rule.version(), row.key(), row.side(), row.image(), isFinal);
    }
}
