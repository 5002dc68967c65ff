package io.tidemark.operator.oracle;

import static io.tidemark.operator.oracle.OracleTime.minus;
import static io.tidemark.operator.oracle.OracleTime.plus;

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
import io.tidemark.operator.oracle.ChangeSet.Cause;
import io.tidemark.operator.oracle.Outcome.LateReason;
import io.tidemark.operator.oracle.Outcome.RejectReason;

/**
 * Sessions by the definitions of SEMANTICS.md sections 4, 7 and 9, one position at a time: after every position the
 * sessions of a key are taken anew from all its members but those of final sessions, which stand. Members are never
 * forgotten here: whether one is open is asked of the clock whenever it matters. All keys share slot 0.
 */
public final class OracleSessions implements OracleUnderTest
{
    private final Settings settings;
    private final OracleClocks clocks;
    private final long[] nextIndex;
    private final Map<RowName, Remembered> records = new HashMap<>();
    private final TreeMap<String, List<Member>> members = new TreeMap<>(ResultRow::compareUtf8);
    private final TreeMap<String, ResultRow> table = new TreeMap<>(ResultRow::compareUtf8);
    private final Map<String, TreeMap<Long, ResultRow.Session>> open = new HashMap<>();
    private List<Emitted> emitted = new ArrayList<>();
    private List<Outcome.Late> late = new ArrayList<>();
    private List<Outcome.Rejected> rejected = new ArrayList<>();
    private long position;
    private long events;
    private long accepted;
    private long duplicates;
    private long conflicts;
    private long lateCount;
    private long rejectedCount;

    /** A member of a session that is not final. */
    private static final class Member implements SessionRows.Member
    {
        private final long time;
        private long value;
        private boolean isOfFinal;

        Member(final long time, final long value)
        {
            this.time = time;
            this.value = value;
        }

        @Override
        public long time()
        {
            return time;
        }

        @Override
        public long value()
        {
            return value;
        }
    }

    /** What is remembered of a row besides its content; without a member it is a tombstone. */
    private static final class Remembered
    {
        private int revision;
        private long largestTime;
        private Member member;
    }

    /** Sessions that have seen nothing. */
    public OracleSessions(final Settings settings)
    {
        this.settings = settings;
        clocks = new OracleClocks(settings);
        nextIndex = new long[settings.sources()];
    }

    @Override
    public Effect next(final FeedEvent event)
    {
        position++;
        emitted = new ArrayList<>();
        late = new ArrayList<>();
        rejected = new ArrayList<>();
        if (event.kind() == Kind.TICK)
        {
            clocks.tick(event.time());
        }
        else
        {
            onEvent(event);
        }
        publishFinal();
        lateCount += late.size();
        rejectedCount += rejected.size();
        return new Effect(emitted, late, rejected);
    }

    private void onEvent(final FeedEvent event)
    {
        final int source = settings.source(event.stream(), event.partition());
        final long index = nextIndex[source]++;
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
            if (event.kind() == Kind.UPSERT && isAccepted)
            {
                clocks.afterAcceptedUpsert(source, event.time(), event.key());
            }
            else if (event.kind() == Kind.UPSERT)
            {
                clocks.afterValidUpsert(source, event.time());
            }
        }
    }

    /** Steps 1 (what takes state to see) to 4. */
    private boolean decide(final FeedEvent event, final int source, final long index)
    {
        final Remembered found = records.get(event.row());
        final Remembered known = found != null && isKnown(found, event.key()) ? found : null;
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
            if (event.kind() == Kind.UPSERT && event.revision() == known.revision && known.member != null &&
                isOpen(known.member, event.key()) &&
                (event.time() != known.member.time || event.value() != known.member.value))
            {
                conflicts++;
            }
            return false;
        }
        final LateReason reason = lateness(event, known);
        if (reason != null)
        {
            final long dueDay = Math.floorDiv(event.time(), 86_400_000_000_000L);
            late.add(new Outcome.Late(position, source, index, clock(event.key()), reason, dueDay));
            return false;
        }
        accepted++;
        apply(event, source, index, known);
        return true;
    }

    private static boolean isGreater(final FeedEvent event, final Remembered known)
    {
        return event.revision() != known.revision ? event.revision() > known.revision :
            event.kind() == Kind.RETRACT && known.member != null;
    }

    private LateReason lateness(final FeedEvent event, final Remembered known)
    {
        final boolean isBefore = event.time() < minus(clock(event.key()), settings.latenessNs());
        if (known == null || known.member == null)
        {
            return isBefore ? LateReason.BEFORE_CLOCK : null;
        }
        if (!isOpen(known.member, event.key()))
        {
            return LateReason.NOT_OPEN;
        }
        final boolean moves = event.kind() == Kind.UPSERT && event.time() != known.member.time;
        return moves && isBefore ? LateReason.MOVED_BEFORE_CLOCK : null;
    }

    private void apply(final FeedEvent event, final int source, final long index, final Remembered known)
    {
        final Remembered record = known != null ? known : new Remembered();
        final List<Member> ofKey = members.computeIfAbsent(event.key(), k -> new ArrayList<>());
        if (record.member != null)
        {
            ofKey.remove(record.member);
        }
        record.largestTime = known == null ? event.time() : Math.max(known.largestTime, event.time());
        record.revision = event.revision();
        record.member = null;
        if (event.kind() == Kind.UPSERT)
        {
            record.member = new Member(event.time(), event.value());
            ofKey.add(record.member);
        }
        records.put(event.row(), record);
        publishDirect(event.key(), new Cause(source, index));
    }

    /** The sessions that are there now, against those that were. */
    private void publishDirect(final String key, final Cause cause)
    {
        final TreeMap<Long, ResultRow.Session> before = open.getOrDefault(key, new TreeMap<>());
        final TreeMap<Long, ResultRow.Session> after = new TreeMap<>();
        final List<ResultRow> insertions = new ArrayList<>();
        for (final List<Member> session : sessions(key))
        {
            final ResultRow.Session row = SessionRows.row(settings, key, session);
            final ResultRow.Session was = before.get(row.start());
            // One that was open before and has become final without the event waits for step 5.
            final boolean isSame = was != null && row.published(was.publication(), false).equals(was);
            if (isSame)
            {
                after.put(row.start(), was);
                before.remove(row.start());
            }
            else if (isFinal(session, key))
            {
                session.forEach(member -> member.isOfFinal = true);
                insertions.add(row.published(position, true));
            }
            else
            {
                after.put(row.start(), row.published(position, false));
                insertions.add(row.published(position, false));
            }
        }
        open.put(key, after);
        emit(0, key, cause, List.copyOf(before.values()), insertions);
    }

    /** Step 5: sessions that the clock is past, by end, key and row id. */
    private void publishFinal()
    {
        final List<ResultRow.Session> finals = new ArrayList<>();
        for (final String key : List.copyOf(members.keySet()))
        {
            // A key whose first session is not final has no final one.
            final long first = members.get(key).stream().mapToLong(Member::time).min().orElse(Long.MAX_VALUE);
            if (minus(clock(key), settings.latenessNs()) <= plus(first, settings.session().gapNs()))
            {
                continue;
            }
            for (final List<Member> session : sessions(key))
            {
                if (isFinal(session, key))
                {
                    session.forEach(member -> member.isOfFinal = true);
                    finals.add(open.get(key).remove(session.get(0).time));
                }
            }
            forgetFinal(key);
        }
        finals.sort(Comparator.comparingLong(ResultRow.Session::end)
            .thenComparing(ResultRow.Session::key, ResultRow::compareUtf8)
            .thenComparing(ResultRow.BY_ROW_ID));
        long ordinal = 0;
        for (final ResultRow.Session row : finals)
        {
            emit(++ordinal, row.key(), Cause.CLOCK, List.of(row), List.of(row.published(position, true)));
        }
    }

    /** Members of final sessions are needed no more. */
    private void forgetFinal(final String key)
    {
        members.get(key).removeIf(member -> member.isOfFinal);
        if (members.get(key).isEmpty())
        {
            members.remove(key);
        }
    }

    private void emit(
        final long ordinal,
        final String key,
        final Cause cause,
        final List<ResultRow> retractions,
        final List<ResultRow> insertions)
    {
        final List<ResultRow> going = new ArrayList<>(settings.session().provisional() ? retractions : List.of());
        final List<ResultRow> coming = new ArrayList<>(insertions);
        if (!settings.session().provisional())
        {
            coming.removeIf(row -> !((ResultRow.Session)row).isFinal());
        }
        if (going.isEmpty() && coming.isEmpty())
        {
            return;
        }
        going.sort(ResultRow.BY_ROW_ID);
        coming.sort(ResultRow.BY_ROW_ID);
        emitted.add(new Emitted(0, ordinal, new ChangeSet(position, ordinal == 0, key, cause, going, coming)));
        going.forEach(row -> table.remove(row.rowId()));
        coming.forEach(row -> table.put(row.rowId(), row));
    }

    private List<List<Member>> sessions(final String key)
    {
        return SessionRows.cluster(
            settings, members.getOrDefault(key, List.of()).stream().filter(member -> !member.isOfFinal).toList());
    }

    private boolean isFinal(final List<Member> session, final String key)
    {
        final long end = session.get(session.size() - 1).time;
        return minus(clock(key), settings.latenessNs()) > plus(end, settings.session().gapNs());
    }

    private boolean isOpen(final Member member, final String key)
    {
        if (member.isOfFinal)
        {
            return false;
        }
        if (settings.session().aggregate())
        {
            return minus(clock(key), settings.latenessNs()) <= member.time;
        }
        return sessions(key).stream().anyMatch(session -> session.contains(member) && !isFinal(session, key));
    }

    private boolean isKnown(final Remembered record, final String key)
    {
        final long recent = minus(minus(clock(key), settings.latenessNs()), settings.maxMoveNs());
        return recent <= record.largestTime || (record.member != null && isOpen(record.member, key));
    }

    private long clock(final String key)
    {
        return clocks.acceptance(0, key);
    }

    @Override
    public long position()
    {
        return position;
    }

    @Override
    public TreeMap<String, ResultRow> table()
    {
        return table;
    }

    @Override
    public Outcome.Counters counters()
    {
        return new Outcome.Counters(events, accepted, duplicates, conflicts, lateCount, rejectedCount);
    }

    @Override
    public Outcome.Census census()
    {
        final List<Map.Entry<RowName, Remembered>> known =
            records.entrySet().stream().filter(e -> isKnown(e.getValue(), e.getKey().key())).toList();
        return new Outcome.Census(
            known.stream().filter(e -> e.getValue().member != null && isOpen(e.getValue().member, e.getKey().key()))
                .count(),
            0, known.size(),
            known.stream().filter(e -> e.getValue().member == null).count(),
            members.keySet().stream().mapToLong(key -> sessions(key).size()).sum(),
            clocks.keyClocks());
    }

    @Override
    public long partitionClock(final int source)
    {
        return clocks.partitionClock(source);
    }

    @Override
    public long watermark(final int side)
    {
        return clocks.watermark(side);
    }

    @Override
    public long acceptance(final int side)
    {
        return clocks.acceptance(side, "");
    }

    @Override
    public void close()
    {
        // Nothing outlives it.
    }
}
