package io.tidemark.sink.verify;

import java.util.HashMap;
import java.util.Map;

import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.Utf8;

/**
 * Sections 4 and 7 of SEMANTICS.md for one key, by brute force: every member is held until its session is final, also
 * where the engine keeps old ones as sums; what is open or known is asked of the clock when it matters. The positions
 * at which sessions become final are searched for in the history of the clocks.
 */
final class SessionModel
{
    private final SessionRule rule;
    private final ClockHistory history;
    private final KeyClocks clocks;
    private final SessionTable sessions;
    private final Map<Utf8, Entry> entries = new HashMap<>();
    private final KeyOutcome outcome = new KeyOutcome();
    private long settled;

    /** What is remembered of one row: its content while it stands, its revision and the largest time seen for it. */
    private static final class Entry
    {
        private int revision;
        private int kind;
        private long time;
        private long value;
        private long largestTime = Long.MIN_VALUE;

        boolean isLive()
        {
            return kind == LoggedEvent.UPSERT;
        }
    }

    SessionModel(final PipelineSpec spec, final ClockHistory history)
    {
        this.history = history;
        rule = spec.session();
        clocks = new KeyClocks(spec, history);
        sessions = new SessionTable(rule);
    }

    /** The key's next valid event, in order. */
    void onEvent(final LoggedEvent event)
    {
        settle(event.position() - 1);
        clocks.moveBefore(event.position());
        final boolean isAccepted = judge(event);
        final boolean movesClock = isAccepted && event.kind() == LoggedEvent.UPSERT;
        clocks.moveAfter(event.position(), movesClock ? event.source() : -1, event.time());
        publishFinal(event.position());
        settled = event.position();
    }

    /** No more events: what stands. Of the rows only a share is taken, all else is counted whole. */
    KeyOutcome finish(final RowShare share)
    {
        settle(history.position());
        clocks.moveToEnd();
        for (final SessionRow row : sessions.rows())
        {
            outcome.sessions += row.isFinal() ? 0 : 1;
            if (share.has(row) && (rule.provisional() || row.isFinal()))
            {
                final ResultRow result = row;
                outcome.rows.put(row.id(), result);
            }
        }
        for (final Entry entry : entries.values())
        {
            final boolean isKnown = isKnown(entry);
            outcome.open += entry.isLive() && isOpen(entry) ? 1 : 0;
            outcome.records += isKnown ? 1 : 0;
            outcome.tombstones += isKnown && !entry.isLive() ? 1 : 0;
        }
        outcome.keyClocks += clocks.holds(0) ? 1 : 0;
        return outcome;
    }

    private boolean judge(final LoggedEvent event)
    {
        final Entry existing = entries.get(event.id());
        final Entry known = existing != null && isKnown(existing) ? existing : null;
        if (known != null && isFurther(known.largestTime, event.time()))
        {
            outcome.rejected.add(event);
            return false;
        }
        if (known != null && (event.revision() < known.revision ||
            (event.revision() == known.revision && event.kind() <= known.kind)))
        {
            final boolean isOther = known.time != event.time() || known.value != event.value();
            final boolean isSameRevision = event.kind() == LoggedEvent.UPSERT && known.isLive() &&
                event.revision() == known.revision;
            outcome.duplicates++;
            outcome.conflicts += isSameRevision && isOther && isOpen(known) ? 1 : 0;
            known.largestTime = Math.max(known.largestTime, event.time());
            return false;
        }
        final String lateness = lateness(event, known);
        if (lateness != null)
        {
            outcome.late.add(new KeyOutcome.Late(event, clocks.acceptance(0), lateness));
            return false;
        }
        outcome.accepted++;
        apply(event, known);
        return true;
    }

    /** Null when the event is on time. */
    private String lateness(final LoggedEvent event, final Entry known)
    {
        final boolean isBehind = event.time() < Times.minus(clocks.acceptance(0), rule.latenessNs());
        if (known == null || !known.isLive())
        {
            return isBehind ? KeyOutcome.BEFORE_CLOCK : null;
        }
        if (!isOpen(known))
        {
            return KeyOutcome.NOT_OPEN;
        }
        final boolean isMove = event.kind() == LoggedEvent.UPSERT && known.time != event.time();
        return isMove && isBehind ? KeyOutcome.MOVED_TOO_EARLY : null;
    }

    private void apply(final LoggedEvent event, final Entry known)
    {
        final Entry entry = known != null ? known : new Entry();
        sessions.begin(event.key());
        if (known != null && known.isLive())
        {
            sessions.remove(known.time, known.value);
        }
        entry.revision = event.revision();
        entry.kind = event.kind();
        entry.time = event.time();
        entry.value = event.value();
        entry.largestTime = Math.max(entry.largestTime, event.time());
        entries.put(event.id(), entry);
        if (entry.isLive())
        {
            sessions.add(entry.time, entry.value);
        }
        sessions.publish(event.position());
    }

    /** Publishes what became final from the last position that was looked at to another, at which the key has none. */
    private void settle(final long toPosition)
    {
        while (settled < toPosition)
        {
            final long stop = clocks.holds(0) ? Math.min(toPosition, nextChange()) : toPosition;
            final long reached = firstFinal(stop);
            settled = Math.min(reached, stop);
            clocks.moveAfter(settled, -1, Times.MINUS_INFINITY);
            publishFinal(settled);
        }
    }

    /** First position behind the last one at which a key's own clock may move without an event of the key. */
    private long nextChange()
    {
        int low = 0;
        int high = history.changes().size();
        while (low < high)
        {
            final int middle = (low + high) >>> 1;
            if (history.changes().get(middle).moment >> 1 <= settled)
            {
                low = middle + 1;
            }
            else
            {
                high = middle;
            }
        }
        return low == history.changes().size() ? Long.MAX_VALUE : history.changes().get(low).moment >> 1;
    }

    /** First position up to a limit at which the fallback clock makes the first open session final, or beyond. */
    private long firstFinal(final long limit)
    {
        if (!sessions.hasOpen())
        {
            return Long.MAX_VALUE;
        }
        long low = settled + 1;
        long high = limit + 1;
        while (low < high)
        {
            final long middle = (low + high) >>> 1;
            if (isFinal(sessions.firstEnd(), history.fallbackAfter(0, middle)))
            {
                high = middle;
            }
            else
            {
                low = middle + 1;
            }
        }
        return low;
    }

    private void publishFinal(final long position)
    {
        while (sessions.hasOpen() && isFinal(sessions.firstEnd(), clocks.acceptance(0)))
        {
            sessions.firstIsFinal(position);
        }
    }

    private boolean isFinal(final long end, final long clock)
    {
        return Times.minus(clock, rule.latenessNs()) > Times.plus(end, rule.gapNs());
    }

    private boolean isOpen(final Entry entry)
    {
        final long clock = clocks.acceptance(0);
        if (rule.aggregate())
        {
            return Times.minus(clock, rule.latenessNs()) <= entry.time;
        }
        final SessionRow session = sessions.openAt(entry.time);
        return session != null && !isFinal(session.end(), clock);
    }

    private boolean isKnown(final Entry entry)
    {
        final long forgetting = Times.minus(Times.minus(clocks.acceptance(0), rule.latenessNs()), rule.maxMoveNs());
        return forgetting <= entry.largestTime || (entry.isLive() && isOpen(entry));
    }

    private boolean isFurther(final long one, final long other)
    {
        return ValidityRules.isFurther(one, other, rule.maxMoveNs()) ||
            ValidityRules.isFurther(other, one, rule.maxMoveNs());
    }
}
