package io.tidemark.sink.repair.build;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.Membership;
import io.tidemark.sink.candidate.Region;
import io.tidemark.sink.candidate.RowName;
import io.tidemark.sink.candidate.Totals;
import io.tidemark.sink.export.RowIdText;

/**
 * Rebuilds the sessions that late events touch: cuts the sorted members where they are more than a gap apart. A region
 * is a stretch of time in which sessions as they are, sessions as they should be and late events hang together, and
 * around which there is more than a gap of silence in both; stretches between which a row with a late event has moved
 * are one.
 */
public final class SessionBuilder
{
    /** A session as it should be. */
    private record Right(SessionRow row, TreeSet<Utf8> members)
    {
    }

    /** A stretch of time, and the late events in it. */
    private static final class Stretch
    {
        private long from;
        private long to;
        private final TreeSet<RowName> rows = new TreeSet<>();
        private final TreeSet<Long> late = new TreeSet<>();

        private Stretch(final long from, final long to)
        {
            this.from = from;
            this.to = to;
        }

        private boolean has(final long time)
        {
            return from <= time && time <= to;
        }
    }

    private final SessionRule rule;
    private final KeyHistory history;
    private final Map<Utf8, List<RawEvent>> byId = new HashMap<>();
    private final List<SessionRow> current = new ArrayList<>();
    private final List<Right> right = new ArrayList<>();

    private SessionBuilder(final SessionRule rule, final KeyHistory history)
    {
        this.rule = rule;
        this.history = history;
    }

    /**
     * Builds one draft for each region of a key.
     *
     * @param rule    of the sessions.
     * @param history of the key.
     * @return drafts, in order of time.
     */
    public static List<Draft> build(final SessionRule rule, final KeyHistory history)
    {
        return new SessionBuilder(rule, history).build();
    }

    private List<Draft> build()
    {
        history.events().forEach(event -> byId.computeIfAbsent(event.id(), id -> new ArrayList<>()).add(event));
        history.table().forEach(row -> current.add((SessionRow)row));
        cutSessions();
        final List<Draft> drafts = new ArrayList<>();
        for (final Stretch stretch : stretches())
        {
            if (!stretch.late.isEmpty())
            {
                drafts.add(draft(stretch));
            }
        }
        return drafts;
    }

    private void cutSessions()
    {
        final List<RawEvent> members = new ArrayList<>();
        byId.values().forEach(events ->
        {
            final RawEvent highest = events.stream().reduce((a, b) -> b.supersedes(a) ? b : a).orElseThrow();
            if (!highest.isRetraction())
            {
                members.add(highest);
            }
        });
        members.sort(Comparator.comparingLong(RawEvent::time));
        int first = 0;
        for (int i = 1; i <= members.size(); i++)
        {
            if (i == members.size() || isApart(members.get(i - 1).time(), members.get(i).time()))
            {
                right.add(session(members.subList(first, i)));
                first = i;
            }
        }
    }

    private Right session(final List<RawEvent> members)
    {
        BigInteger sum = BigInteger.ZERO;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        final TreeSet<Utf8> ids = new TreeSet<>();
        for (final RawEvent member : members)
        {
            sum = sum.add(BigInteger.valueOf(member.value()));
            min = Math.min(min, member.value());
            max = Math.max(max, member.value());
            ids.add(member.id());
        }
        return new Right(new SessionRow(rule.version(), history.key(), members.get(0).time(),
            members.get(members.size() - 1).time(), members.size(), sum, min, max, true, 0), ids);
    }

    private boolean isApart(final long end, final long start)
    {
        return start > Times.plus(end, rule.gapNs());
    }

    /** Everything that lies or moves in time, and what of it hangs together. */
    private List<Stretch> stretches()
    {
        final List<Stretch> all = new ArrayList<>();
        current.forEach(session -> all.add(new Stretch(session.start(), session.end())));
        right.forEach(session -> all.add(new Stretch(session.row.start(), session.row.end())));
        byId.forEach((id, events) ->
        {
            if (events.stream().anyMatch(event -> history.due().contains(event.position())))
            {
                all.add(stretch(id, events));
            }
        });
        all.sort(Comparator.comparingLong(stretch -> stretch.from));
        final List<Stretch> merged = new ArrayList<>();
        for (final Stretch stretch : all)
        {
            final Stretch last = merged.isEmpty() ? null : merged.get(merged.size() - 1);
            if (last == null || isApart(last.to, stretch.from))
            {
                merged.add(stretch);
            }
            else
            {
                last.to = Math.max(last.to, stretch.to);
                last.rows.addAll(stretch.rows);
                last.late.addAll(stretch.late);
            }
        }
        return merged;
    }

    private Stretch stretch(final Utf8 id, final List<RawEvent> events)
    {
        final Stretch stretch = new Stretch(Long.MAX_VALUE, Long.MIN_VALUE);
        stretch.rows.add(new RowName(SessionRule.INPUT, id));
        for (final RawEvent event : events)
        {
            stretch.from = Math.min(stretch.from, event.time());
            stretch.to = Math.max(stretch.to, event.time());
            if (history.due().contains(event.position()))
            {
                stretch.late.add(event.position());
            }
        }
        return stretch;
    }

    private Draft draft(final Stretch stretch)
    {
        final SortedMap<Long, SessionRow> before = new TreeMap<>();
        current.stream().filter(session -> stretch.has(session.start()))
            .forEach(session -> before.put(session.start(), session));
        final List<ResultRow> insertions = new ArrayList<>();
        final List<ResultRow> retractions = new ArrayList<>();
        final SortedMap<Long, SessionRow> after = new TreeMap<>();
        final SortedMap<Long, TreeSet<Utf8>> members = new TreeMap<>();
        for (final Right session : right)
        {
            if (stretch.has(session.row.start()))
            {
                after.put(session.row.start(), session.row);
                members.put(session.row.start(), session.members);
                if (!isSame(before.get(session.row.start()), session.row))
                {
                    insertions.add(session.row);
                }
            }
        }
        before.forEach((start, session) ->
        {
            if (!isSame(session, after.get(start)))
            {
                retractions.add(session);
            }
        });
        return new Draft(
            new Region(history.key(), stretch.from, stretch.to, List.copyOf(stretch.rows), List.copyOf(stretch.late)),
            RowIdText.sorted(retractions), RowIdText.sorted(insertions), Totals.of(after.values()),
            Membership.digest(members), needs(stretch), Times.MINUS_INFINITY);
    }

    /** The same but for when it was published. */
    private static boolean isSame(final SessionRow one, final SessionRow other)
    {
        return one != null && other != null && one.start() == other.start() && one.end() == other.end() &&
            one.count() == other.count() && one.sum().equals(other.sum()) && one.min() == other.min() &&
            one.max() == other.max() && one.isFinal() == other.isFinal();
    }

    /** Past this time all its sessions are final, and no record of a row that was ever in it is known. */
    private long needs(final Stretch stretch)
    {
        long needs = Times.plus(Times.plus(stretch.to, rule.gapNs()), rule.latenessNs());
        for (final List<RawEvent> events : byId.values())
        {
            if (events.stream().anyMatch(event -> stretch.has(event.time())))
            {
                final long latest = events.stream().mapToLong(RawEvent::time).max().orElseThrow();
                needs = Math.max(needs, Times.plus(Times.plus(latest, rule.latenessNs()), rule.maxMoveNs()));
            }
        }
        return needs;
    }
}
