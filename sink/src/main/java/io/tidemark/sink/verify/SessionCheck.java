package io.tidemark.sink.verify;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.candidate.Membership;
import io.tidemark.sink.candidate.RowName;

/**
 * Judges a draft of sessions: applies it to the current rows, and holds what comes out to the sessions that the highest
 * revisions make, which are put together one member after the other, each joining the sessions within a gap of it.
 */
final class SessionCheck
{
    /** A session while it grows. */
    private static final class Growing
    {
        private long start;
        private long end;
        private BigInteger sum = BigInteger.ZERO;
        private long min = Long.MAX_VALUE;
        private long max = Long.MIN_VALUE;
        private final TreeSet<Utf8> ids = new TreeSet<>();

        private void take(final Growing other)
        {
            start = Math.min(start, other.start);
            end = Math.max(end, other.end);
            sum = sum.add(other.sum);
            min = Math.min(min, other.min);
            max = Math.max(max, other.max);
            ids.addAll(other.ids);
        }
    }

    private final SessionRule rule;
    private final Draft draft;
    private final Complaints complaints = new Complaints();
    private final TreeMap<Long, Growing> sessions = new TreeMap<>();

    SessionCheck(final SessionRule rule, final Draft draft)
    {
        this.rule = rule;
        this.draft = draft;
    }

    List<String> complaints(final List<LoggedEvent> events, final Collection<ResultRow> table)
    {
        final Map<Utf8, LoggedEvent> highest = new HashMap<>();
        final Set<Long> late = new HashSet<>(draft.region().late());
        final Set<RowName> concerned = new TreeSet<>();
        for (final LoggedEvent event : events)
        {
            highest.merge(event.id(), event, RepairCheck::higher);
            if (late.contains(event.position()))
            {
                concerned.add(new RowName(SessionRule.INPUT, event.id()));
                requireInside(event.time(), "late event at position " + event.position());
            }
        }
        if (!concerned.equals(new HashSet<>(draft.region().rows())))
        {
            complaints.add("says that its late events concern " + draft.region().rows() + ", but they concern " +
                concerned);
        }
        highest.values().stream().filter(event -> event.kind() == LoggedEvent.UPSERT).forEach(this::add);
        final Map<RowId, ResultRow> applied = complaints.apply(draft, table);
        compare(applied);
        requireGaps(applied);
        draft.retractions().forEach(row -> requireInside((SessionRow)row));
        draft.insertions().forEach(row -> requireInside((SessionRow)row));
        if (draft.totals() != null)
        {
            compareTotals();
        }
        return complaints.list();
    }

    private void add(final LoggedEvent event)
    {
        final Growing grown = new Growing();
        grown.start = event.time();
        grown.end = event.time();
        grown.sum = BigInteger.valueOf(event.value());
        grown.min = event.value();
        grown.max = event.value();
        grown.ids.add(event.id());
        final Map.Entry<Long, Growing> earlier = sessions.floorEntry(event.time());
        if (earlier != null && !isFurther(earlier.getValue().end, event.time()))
        {
            sessions.remove(earlier.getKey());
            grown.take(earlier.getValue());
        }
        final Map.Entry<Long, Growing> later = sessions.ceilingEntry(event.time());
        if (later != null && !isFurther(event.time(), later.getKey()))
        {
            sessions.remove(later.getKey());
            grown.take(later.getValue());
        }
        sessions.put(grown.start, grown);
    }

    private boolean isFurther(final long from, final long to)
    {
        return ValidityRules.isFurther(from, to, rule.gapNs());
    }

    private boolean isInside(final long time)
    {
        return draft.region().fromTime() <= time && time <= draft.region().toTime();
    }

    private void requireInside(final long time, final String what)
    {
        if (!isInside(time))
        {
            complaints.add(what + " lies outside its region");
        }
    }

    private void requireInside(final SessionRow row)
    {
        if (!isInside(row.start()) || !isInside(row.end()) || !row.key().equals(draft.region().key()))
        {
            complaints.add("changes a row outside its region: " + RowText.of(row));
        }
    }

    private void compare(final Map<RowId, ResultRow> applied)
    {
        final Map<RowId, SessionRow> expected = new HashMap<>();
        final TreeMap<Long, TreeSet<Utf8>> members = new TreeMap<>();
        sessions.forEach((start, session) ->
        {
            if (session.end >= draft.region().fromTime() && start <= draft.region().toTime())
            {
                final SessionRow row = new SessionRow(rule.version(), draft.region().key(), session.start, session.end,
                    session.ids.size(), session.sum, session.min, session.max, true, 0);
                expected.put(row.id(), row);
                members.put(start, session.ids);
            }
        });
        final Map<RowId, SessionRow> found = new HashMap<>();
        applied.forEach((id, row) ->
        {
            final SessionRow session = (SessionRow)row;
            if (session.end() >= draft.region().fromTime() && session.start() <= draft.region().toTime())
            {
                found.put(id, unpublished(session));
            }
        });
        complaints.compare(expected, found);
        if (draft.totals() != null && !Membership.digest(members).equals(draft.membership()))
        {
            complaints.add("puts other members into its sessions than belong there: " + members);
        }
    }

    /** When a session was published says nothing of what it is. */
    private static SessionRow unpublished(final SessionRow row)
    {
        return new SessionRow(row.rule(), row.key(), row.start(), row.end(), row.count(), row.sum(), row.min(),
            row.max(), row.isFinal(), 0);
    }

    private void requireGaps(final Map<RowId, ResultRow> applied)
    {
        final List<SessionRow> rows = new ArrayList<>();
        applied.values().forEach(row -> rows.add((SessionRow)row));
        rows.sort(Comparator.comparingLong(SessionRow::start));
        for (int i = 1; i < rows.size(); i++)
        {
            final SessionRow earlier = rows.get(i - 1);
            final SessionRow later = rows.get(i);
            if ((isInside(earlier.end()) || isInside(later.start())) && !isFurther(earlier.end(), later.start()))
            {
                complaints.add("leaves sessions that are not more than a gap apart: " + RowText.of(earlier) + " and " +
                    RowText.of(later));
            }
        }
    }

    private void compareTotals()
    {
        long count = 0;
        long members = 0;
        BigInteger sum = BigInteger.ZERO;
        for (final Growing session : sessions.values())
        {
            if (isInside(session.start))
            {
                count++;
                members += session.ids.size();
                sum = sum.add(session.sum);
            }
        }
        complaints.compareTotal("sessions", draft.totals().sessions(), count);
        complaints.compareTotal("members", draft.totals().members(), members);
        complaints.compareTotal("values", draft.totals().sessionSum(), sum);
    }
}
