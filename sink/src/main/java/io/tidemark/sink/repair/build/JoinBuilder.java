package io.tidemark.sink.repair.build;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.Membership;
import io.tidemark.sink.candidate.Region;
import io.tidemark.sink.candidate.RowName;
import io.tidemark.sink.candidate.Totals;
import io.tidemark.sink.export.RowIdText;

/**
 * Rebuilds what late events of a join concern. A row with a late event may have other pairs than it should; its
 * partners, now and as they should be, may be unmatched or not because of it. Rows that are linked so are one region,
 * for none of them can be put right without the others.
 */
public final class JoinBuilder
{
    /** What the events say of one row: as it should be, as the live path has it, and when it was. */
    private static final class Row
    {
        private RawEvent highest;
        private RawEvent live;
        private long earliest = Long.MAX_VALUE;
        private long latest = Long.MIN_VALUE;

        private void add(final RawEvent event)
        {
            highest = highest == null || event.supersedes(highest) ? event : highest;
            if (!event.isLate())
            {
                live = live == null || event.supersedes(live) ? event : live;
            }
            earliest = Math.min(earliest, event.time());
            latest = Math.max(latest, event.time());
        }
    }

    /** What is collected of one region. */
    private static final class Parts
    {
        private final TreeSet<RowName> rows = new TreeSet<>();
        private final TreeSet<RowName> partners = new TreeSet<>();
        private final TreeSet<Long> late = new TreeSet<>();
        private final Map<RowId, ResultRow> before = new HashMap<>();
        private final Map<RowId, ResultRow> after = new HashMap<>();
        private final long[] needs = {Times.MINUS_INFINITY, Times.MINUS_INFINITY};
    }

    private final JoinRule rule;
    private final KeyHistory history;
    private final Map<RowName, Row> rows = new HashMap<>();
    private final Map<RowName, JoinRow> standing = new HashMap<>();
    private final Map<RowName, JoinRow> living = new HashMap<>();
    private final Intervals[] intervals = new Intervals[2];
    private final Groups<RowName> groups = new Groups<>();
    private final TreeSet<RowName> dirty = new TreeSet<>();
    private final SortedMap<RowName, Parts> regions = new TreeMap<>();

    private JoinBuilder(final JoinRule rule, final KeyHistory history)
    {
        this.rule = rule;
        this.history = history;
    }

    /**
     * Builds one draft for each region of a key.
     *
     * @param rule    of the join.
     * @param history of the key.
     * @return drafts, by their first row.
     */
    public static List<Draft> build(final JoinRule rule, final KeyHistory history)
    {
        return new JoinBuilder(rule, history).build();
    }

    private List<Draft> build()
    {
        readEvents();
        formRegions();
        takeCurrentRows();
        putRightRows();
        final List<Draft> drafts = new ArrayList<>();
        regions.values().forEach(parts -> drafts.add(draft(parts)));
        return drafts;
    }

    private void readEvents()
    {
        for (final RawEvent event : history.events())
        {
            rows.computeIfAbsent(event.row(), name -> new Row()).add(event);
            if (history.due().contains(event.position()))
            {
                dirty.add(event.row());
            }
        }
        final List<List<JoinRow>> bySide = List.of(new ArrayList<>(), new ArrayList<>());
        rows.forEach((name, row) ->
        {
            if (!row.highest.isRetraction())
            {
                final JoinRow stands = JoinRow.of(rule, row.highest);
                standing.put(name, stands);
                bySide.get(name.side()).add(stands);
            }
            if (row.live != null && !row.live.isRetraction())
            {
                living.put(name, JoinRow.of(rule, row.live));
            }
        });
        intervals[0] = new Intervals(bySide.get(0));
        intervals[1] = new Intervals(bySide.get(1));
    }

    /** Links each row that has a late event to its partners, as they should be and as they are. */
    private void formRegions()
    {
        final TreeSet<RowName> partners = new TreeSet<>();
        dirty.forEach(name ->
        {
            groups.add(name);
            final JoinRow stands = standing.get(name);
            if (stands != null)
            {
                intervals[1 - name.side()].forEachMeeting(stands, partner -> link(name, partner.name(), partners));
            }
        });
        for (final ResultRow current : history.table())
        {
            if (current instanceof final PairRow pair)
            {
                final RowName left = new RowName(0, pair.left().id());
                final RowName right = new RowName(1, pair.right().id());
                if (dirty.contains(left) || dirty.contains(right))
                {
                    link(left, right, partners);
                    partners.add(left);
                }
            }
        }
        dirty.forEach(name -> regionOf(name).rows.add(name));
        partners.forEach(name -> regionOf(name).partners.add(name));
        for (final RawEvent event : history.events())
        {
            if (history.due().contains(event.position()))
            {
                regionOf(event.row()).late.add(event.position());
            }
        }
    }

    private void link(final RowName row, final RowName partner, final TreeSet<RowName> partners)
    {
        groups.join(row, partner);
        partners.add(partner);
    }

    private Parts regionOf(final RowName name)
    {
        return regions.computeIfAbsent(groups.of(name), first -> new Parts());
    }

    private boolean isTouched(final RowName name)
    {
        return groups.has(name);
    }

    private void takeCurrentRows()
    {
        for (final ResultRow current : history.table())
        {
            if (current instanceof final PairRow pair)
            {
                final RowName left = new RowName(0, pair.left().id());
                final RowName right = new RowName(1, pair.right().id());
                if (dirty.contains(left) || dirty.contains(right))
                {
                    regionOf(left).before.put(pair.id(), pair);
                }
            }
            else if (current instanceof final UnmatchedRow alone)
            {
                final RowName name = new RowName(alone.side(), alone.row().id());
                if (isTouched(name))
                {
                    regionOf(name).before.put(alone.id(), alone);
                }
            }
        }
    }

    private void putRightRows()
    {
        for (final Parts parts : regions.values())
        {
            final TreeSet<RowName> all = new TreeSet<>(parts.rows);
            all.addAll(parts.partners);
            for (final RowName name : all)
            {
                final JoinRow row = standing.get(name);
                if (row != null)
                {
                    putRightRows(parts, name, row);
                }
                waitFor(parts, name);
            }
        }
    }

    private void putRightRows(final Parts parts, final RowName name, final JoinRow row)
    {
        final boolean[] isMatched = {false};
        intervals[1 - name.side()].forEachMeeting(row, partner ->
        {
            isMatched[0] = true;
            if (dirty.contains(name) || dirty.contains(partner.name()))
            {
                final boolean isLeft = name.side() == JoinRule.LEFT;
                final PairRow pair = new PairRow(rule.version(), history.key(),
                    (isLeft ? row : partner).event().image(), (isLeft ? partner : row).event().image());
                parts.after.put(pair.id(), pair);
            }
            // Its other partners keep a partner of ours from being gone, while they are open.
            waitWhileOpen(parts, partner);
            waitWhileOpen(parts, living.get(partner.name()));
        });
        if (!isMatched[0] && rule.publishesUnmatched(name.side()))
        {
            final UnmatchedRow alone =
                new UnmatchedRow(rule.version(), history.key(), name.side(), row.event().image(), true);
            parts.after.put(alone.id(), alone);
        }
    }

    private void waitFor(final Parts parts, final RowName name)
    {
        waitWhileOpen(parts, standing.get(name));
        waitWhileOpen(parts, living.get(name));
        final Row row = rows.get(name);
        if (row != null)
        {
            need(parts, name.side(),
                Times.plus(Times.plus(row.latest, rule.latenessNs()), rule.maxMoveNs()));
        }
    }

    private void waitWhileOpen(final Parts parts, final JoinRow row)
    {
        if (row != null)
        {
            final int side = row.name().side();
            need(parts, side, Times.plus(row.event().time(), rule.latenessNs()));
            need(parts, 1 - side,
                Times.plus(Times.plus(row.end(), rule.beforeNs(1 - side)), rule.latenessNs()));
        }
    }

    private static void need(final Parts parts, final int side, final long time)
    {
        parts.needs[side] = Math.max(parts.needs[side], time);
    }

    private Draft draft(final Parts parts)
    {
        long from = Long.MAX_VALUE;
        long to = Long.MIN_VALUE;
        for (final RowName name : parts.rows)
        {
            from = Math.min(from, rows.get(name).earliest);
            to = Math.max(to, rows.get(name).latest);
        }
        for (final RowName name : parts.partners)
        {
            final Row row = rows.get(name);
            from = row == null ? from : Math.min(from, row.earliest);
            to = row == null ? to : Math.max(to, row.latest);
        }
        final List<ResultRow> retractions = new ArrayList<>();
        final List<ResultRow> insertions = new ArrayList<>();
        parts.before.forEach((id, row) ->
        {
            if (!row.equals(parts.after.get(id)))
            {
                retractions.add(row);
            }
        });
        parts.after.forEach((id, row) ->
        {
            if (!row.equals(parts.before.get(id)))
            {
                insertions.add(row);
            }
        });
        return new Draft(
            new Region(history.key(), from, to, List.copyOf(parts.rows), List.copyOf(parts.late)),
            RowIdText.sorted(retractions), RowIdText.sorted(insertions), Totals.of(parts.after.values()),
            Membership.NONE, parts.needs[0], parts.needs[1]);
    }
}
