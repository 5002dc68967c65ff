package io.tidemark.sink.verify;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.Utf8;

/**
 * The sessions of one key. A member that comes joins what it touches; when one goes, its session is put together anew
 * from the members that are left.
 */
final class SessionTable
{
    private final SessionRule rule;
    private final TreeMap<Long, List<Long>> valuesByTime = new TreeMap<>();
    private final TreeMap<Long, SessionRow> open = new TreeMap<>();
    private final List<SessionRow> finals = new ArrayList<>();
    private final Map<Long, SessionRow> earlier = new HashMap<>();
    private final TreeSet<Long> made = new TreeSet<>();
    private Utf8 key;

    SessionTable(final SessionRule rule)
    {
        this.rule = rule;
    }

    /** An event begins to change sessions. */
    void begin(final Utf8 ofKey)
    {
        key = ofKey;
        earlier.clear();
        made.clear();
    }

    void add(final long time, final long value)
    {
        valuesByTime.computeIfAbsent(time, t -> new ArrayList<>()).add(value);
        final BigInteger sum = BigInteger.valueOf(value);
        SessionRow row = new SessionRow(rule.version(), key, time, time, 1, sum, value, value, false, 0);
        final Map.Entry<Long, SessionRow> left = open.floorEntry(time);
        if (left != null && touches(left.getValue().end(), time))
        {
            row = join(take(left.getKey()), row);
        }
        final Map.Entry<Long, SessionRow> right = open.ceilingEntry(time);
        if (right != null && touches(time, right.getKey()))
        {
            row = join(row, take(right.getKey()));
        }
        make(row);
    }

    void remove(final long time, final long value)
    {
        final SessionRow session = take(open.floorKey(time));
        final List<Long> values = valuesByTime.get(time);
        values.remove(Long.valueOf(value));
        if (values.isEmpty())
        {
            valuesByTime.remove(time);
        }
        SessionRow last = null;
        for (final Map.Entry<Long, List<Long>> left :
            valuesByTime.subMap(session.start(), true, session.end(), true).entrySet())
        {
            for (final long each : left.getValue())
            {
                final long at = left.getKey();
                final SessionRow one = new SessionRow(
                    rule.version(), key, at, at, 1, BigInteger.valueOf(each), each, each, false, 0);
                if (last != null && !touches(last.end(), at))
                {
                    make(last);
                    last = null;
                }
                last = last == null ? one : join(last, one);
            }
        }
        if (last != null)
        {
            make(last);
        }
    }

    /** The event is done: what it made is published at its position, but what came out the same. */
    void publish(final long position)
    {
        for (final long start : made)
        {
            final SessionRow row = open.get(start);
            final SessionRow was = earlier.get(start);
            final boolean isSame = was != null && published(row, false, was.publication()).equals(was);
            open.put(start, isSame ? was : published(row, false, position));
        }
    }

    boolean hasOpen()
    {
        return !open.isEmpty();
    }

    /** End of the first session that is open. */
    long firstEnd()
    {
        return open.firstEntry().getValue().end();
    }

    /** The first open session stands for ever from a position on. */
    void firstIsFinal(final long position)
    {
        final SessionRow row = open.pollFirstEntry().getValue();
        finals.add(published(row, true, position));
        valuesByTime.headMap(row.end(), true).clear();
    }

    /** The open session that spans a time, or null. */
    SessionRow openAt(final long time)
    {
        final Map.Entry<Long, SessionRow> floor = open.floorEntry(time);
        return floor == null || floor.getValue().end() < time ? null : floor.getValue();
    }

    /** All sessions, open ones last. */
    List<SessionRow> rows()
    {
        final List<SessionRow> rows = new ArrayList<>(finals);
        rows.addAll(open.values());
        return rows;
    }

    private void make(final SessionRow row)
    {
        open.put(row.start(), row);
        made.add(row.start());
    }

    private SessionRow take(final Long start)
    {
        final SessionRow row = open.remove(start);
        made.remove(start);
        if (row.publication() != 0)
        {
            earlier.put(start, row);
        }
        return row;
    }

    private boolean touches(final long earlierTime, final long laterTime)
    {
        return laterTime <= earlierTime || !ValidityRules.isFurther(earlierTime, laterTime, rule.gapNs());
    }

    private static SessionRow join(final SessionRow a, final SessionRow b)
    {
        return new SessionRow(
            a.rule(), a.key(), Math.min(a.start(), b.start()), Math.max(a.end(), b.end()), a.count() + b.count(),
            a.sum().add(b.sum()), Math.min(a.min(), b.min()), Math.max(a.max(), b.max()), false, 0);
    }

    private static SessionRow published(final SessionRow row, final boolean isFinal, final long position)
    {
        return new SessionRow(
            row.rule(), row.key(), row.start(), row.end(), row.count(), row.sum(), row.min(), row.max(), isFinal,
            position);
    }
}
