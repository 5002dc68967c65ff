package io.tidemark.sink.verify;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.RowName;

/**
 * Judges a draft of a join: applies it to the current rows, and holds what comes out to the relation of the highest
 * revisions, every row of the region against every other row of the key.
 */
final class JoinCheck
{
    private final PipelineSpec spec;
    private final JoinRule rule;
    private final Draft draft;
    private final Complaints complaints = new Complaints();
    private final Map<RowName, LoggedEvent> highest = new TreeMap<>();
    private final Set<RowName> rows;
    private final Set<RowName> partners = new TreeSet<>();

    JoinCheck(final PipelineSpec spec, final JoinRule rule, final Draft draft)
    {
        this.spec = spec;
        this.rule = rule;
        this.draft = draft;
        rows = new HashSet<>(draft.region().rows());
    }

    List<String> complaints(final List<LoggedEvent> events, final Collection<ResultRow> table)
    {
        final Set<Long> late = new HashSet<>(draft.region().late());
        final Set<RowName> concerned = new TreeSet<>();
        for (final LoggedEvent event : events)
        {
            final RowName name = nameOf(event);
            if (late.contains(event.position()))
            {
                concerned.add(name);
            }
            highest.merge(name, event, RepairCheck::higher);
        }
        if (!concerned.equals(rows))
        {
            complaints.add("says that its late events concern " + draft.region().rows() + ", but they concern " +
                concerned);
        }
        highest.values().removeIf(event -> event.kind() == LoggedEvent.RETRACT);
        final Map<RowId, ResultRow> applied = complaints.apply(draft, table);
        final Map<RowId, PairRow> pairs = expectedPairs();
        table.forEach(this::notePartners);
        comparePairs(pairs, applied);
        final Map<RowName, UnmatchedRow> unmatched = compareUnmatched(applied);
        requireInside();
        requireOneOfEach(applied);
        if (draft.totals() != null)
        {
            compareTotals(pairs.values(), unmatched.values());
        }
        return complaints.list();
    }

    private Map<RowId, PairRow> expectedPairs()
    {
        final Map<RowId, PairRow> pairs = new HashMap<>();
        for (final RowName name : rows)
        {
            final LoggedEvent row = highest.get(name);
            if (row == null)
            {
                continue;
            }
            highest.forEach((otherName, other) ->
            {
                if (otherName.side() != name.side() && matches(name, row, other))
                {
                    partners.add(otherName);
                    final boolean isLeft = name.side() == JoinRule.LEFT;
                    final PairRow pair = new PairRow(rule.version(), draft.region().key(),
                        image(isLeft ? row : other), image(isLeft ? other : row));
                    pairs.put(pair.id(), pair);
                }
            });
        }
        return pairs;
    }

    private boolean matches(final RowName name, final LoggedEvent row, final LoggedEvent other)
    {
        final boolean isLeft = name.side() == JoinRule.LEFT;
        final LoggedEvent left = isLeft ? row : other;
        final LoggedEvent right = isLeft ? other : row;
        if (rule.overlap())
        {
            return left.start() <= right.end() && right.start() <= left.end();
        }
        return !ValidityRules.isFurther(right.time(), left.time(), rule.lookBackNs()) &&
            !ValidityRules.isFurther(left.time(), right.time(), rule.lookAheadNs());
    }

    private void notePartners(final ResultRow row)
    {
        if (row instanceof final PairRow pair && isInside(pair))
        {
            partners.add(left(pair));
            partners.add(right(pair));
        }
    }

    private boolean isInside(final PairRow pair)
    {
        return rows.contains(left(pair)) || rows.contains(right(pair));
    }

    private boolean isInside(final RowName name)
    {
        return rows.contains(name) || partners.contains(name);
    }

    private void comparePairs(final Map<RowId, PairRow> expected, final Map<RowId, ResultRow> applied)
    {
        final Map<RowId, ResultRow> found = new HashMap<>();
        applied.forEach((id, row) ->
        {
            if (row instanceof final PairRow pair && isInside(pair))
            {
                found.put(id, row);
            }
        });
        complaints.compare(expected, found);
    }

    private Map<RowName, UnmatchedRow> compareUnmatched(final Map<RowId, ResultRow> applied)
    {
        final Map<RowId, ResultRow> found = new HashMap<>();
        applied.forEach((id, row) ->
        {
            if (row instanceof final UnmatchedRow alone && isInside(nameOf(alone)))
            {
                found.put(id, row);
            }
        });
        final Map<RowId, ResultRow> expected = new HashMap<>();
        final Map<RowName, UnmatchedRow> byName = new TreeMap<>();
        final TreeSet<RowName> inside = new TreeSet<>(rows);
        inside.addAll(partners);
        for (final RowName name : inside)
        {
            final LoggedEvent row = highest.get(name);
            if (row != null && rule.publishesUnmatched(name.side()) && hasNoMatch(name, row))
            {
                final UnmatchedRow alone =
                    new UnmatchedRow(rule.version(), draft.region().key(), name.side(), image(row), true);
                expected.put(alone.id(), alone);
                byName.put(name, alone);
            }
        }
        complaints.compare(expected, found);
        return byName;
    }

    private boolean hasNoMatch(final RowName name, final LoggedEvent row)
    {
        for (final Map.Entry<RowName, LoggedEvent> other : highest.entrySet())
        {
            if (other.getKey().side() != name.side() && matches(name, row, other.getValue()))
            {
                return false;
            }
        }
        return true;
    }

    private void requireInside()
    {
        final List<ResultRow> changed = new ArrayList<>(draft.retractions());
        changed.addAll(draft.insertions());
        for (final ResultRow row : changed)
        {
            final boolean isInside = row instanceof final PairRow pair ? isInside(pair) :
                row instanceof final UnmatchedRow alone && isInside(nameOf(alone));
            if (!isInside || !row.key().equals(draft.region().key()))
            {
                complaints.add("changes a row outside its region: " + RowText.of(row));
            }
        }
    }

    /** Of each logical result at most one row is current, and who has a pair is not unmatched. */
    private void requireOneOfEach(final Map<RowId, ResultRow> applied)
    {
        final Set<List<RowName>> logicalPairs = new HashSet<>();
        final Set<RowName> alone = new HashSet<>();
        final Set<RowName> paired = new HashSet<>();
        for (final ResultRow row : applied.values())
        {
            if (row instanceof final PairRow pair)
            {
                paired.add(left(pair));
                paired.add(right(pair));
                if (isInside(pair) && !logicalPairs.add(List.of(left(pair), right(pair))))
                {
                    complaints.add("leaves two current pairs of " + pair.left().id() + " and " + pair.right().id());
                }
            }
            else if (row instanceof final UnmatchedRow single && isInside(nameOf(single)) &&
                !alone.add(nameOf(single)))
            {
                complaints.add("leaves two current unmatched rows of " + single.row().id());
            }
        }
        alone.retainAll(paired);
        alone.forEach(name -> complaints.add("leaves " + name.id() + " both unmatched and in a pair"));
    }

    private void compareTotals(final Collection<PairRow> pairs, final Collection<UnmatchedRow> unmatched)
    {
        BigInteger leftSum = BigInteger.ZERO;
        BigInteger rightSum = BigInteger.ZERO;
        for (final PairRow pair : pairs)
        {
            leftSum = leftSum.add(BigInteger.valueOf(pair.left().value()));
            rightSum = rightSum.add(BigInteger.valueOf(pair.right().value()));
        }
        BigInteger aloneSum = BigInteger.ZERO;
        for (final UnmatchedRow alone : unmatched)
        {
            aloneSum = aloneSum.add(BigInteger.valueOf(alone.row().value()));
        }
        complaints.compareTotal("pairs", draft.totals().pairs(), pairs.size());
        complaints.compareTotal("values of left rows", draft.totals().leftSum(), leftSum);
        complaints.compareTotal("values of right rows", draft.totals().rightSum(), rightSum);
        complaints.compareTotal("unmatched rows", draft.totals().unmatched(), unmatched.size());
        complaints.compareTotal("values of unmatched rows", draft.totals().unmatchedSum(), aloneSum);
    }

    private SourceRow image(final LoggedEvent event)
    {
        return event.image(spec.topology().partitionOf(event.source()));
    }

    private RowName nameOf(final LoggedEvent event)
    {
        return new RowName(spec.side(spec.topology().streamOf(event.source())), event.id());
    }

    private static RowName nameOf(final UnmatchedRow row)
    {
        return new RowName(row.side(), row.row().id());
    }

    private static RowName left(final PairRow pair)
    {
        return new RowName(JoinRule.LEFT, pair.left().id());
    }

    private static RowName right(final PairRow pair)
    {
        return new RowName(JoinRule.RIGHT, pair.right().id());
    }
}
