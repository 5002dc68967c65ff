package io.tidemark.operator.session;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.store.Aggregate;
import io.tidemark.store.Slot;
import io.tidemark.store.SlotAudit;

/**
 * Looks at all that an engine holds, between two positions, and throws at the first thing that is not as it must be:
 * what {@link SlotAudit} knows of trees and memory, and what sessions need: that their aggregates are those of their
 * members, that they are as far apart as they must be, and that whatever waits for the clock will be met by it.
 */
final class SessionAudit
{
    private record Entry(long due, int key, boolean cleanUp)
    {
    }

    private record Held(long time, long value)
    {
    }

    private final SessionEngine engine;
    private final Settings settings;
    private final Slot slot;
    private final SlotAudit audit;
    private final Set<Entry> entries = new HashSet<>();
    private long rows;

    private SessionAudit(final SessionEngine engine, final Settings settings, final Slot slot)
    {
        this.engine = engine;
        this.settings = settings;
        this.slot = slot;
        this.audit = new SlotAudit(slot);
    }

    /** Audits everything. */
    static void of(final SessionEngine engine, final Settings settings)
    {
        long rows = 0;
        for (int number = 0; number < engine.slots().count(); number++)
        {
            final Slot slot = engine.slots().existing(number);
            if (slot != null)
            {
                final SessionAudit audit = new SessionAudit(engine, settings, slot);
                audit.run();
                rows += audit.rows;
            }
        }
        require(rows == engine.rows(), rows + " rows, counted as " + engine.rows());
    }

    private void run()
    {
        final Calendar calendar = engine.calendar();
        final long now = engine.clocks().fallback(0);
        calendar.forEach((due, number, ref, note) ->
        {
            require(due >= now, "an entry that was due is still there");
            require(due >= calendar.firstDue(), "a calendar that is looked into too late");
            if (number == slot.number())
            {
                entries.add(new Entry(due, ref, note == Calendar.CLEAN_UP));
            }
        });
        final KeyRefs all = new KeyRefs();
        engine.keyed().forEach(all);
        for (int i = 0; i < all.size(); i++)
        {
            if (all.slot(i) == slot.number())
            {
                key(all.key(i));
            }
        }
        all.close();
        audit.finish();
    }

    private void key(final int ref)
    {
        final long key = slot.arena().address(ref);
        audit.block(ref, KeyDescriptor.sizeClass(key));
        if (KeyDescriptor.clocks(key) != 0)
        {
            audit.block(KeyDescriptor.clocks(key), engine.clocksOfKeys().sizeClass());
        }
        final long cleanUp = Trees.cleanUpDue(key);
        require(cleanUp == Calendar.NOTHING_DUE || entries.contains(new Entry(cleanUp, ref, true)),
            "a clean-up that is not in the calendar");
        require(cleanUp != Calendar.NOTHING_DUE || Trees.finalityDue(key) != Calendar.NOTHING_DUE,
            "no entry will ever reach a key");
        final long finality = Trees.finalityDue(key);
        require(finality == Calendar.NOTHING_DUE || entries.contains(new Entry(finality, ref, false)),
            "a finality that is not in the calendar");
        trees(ref, key);
    }

    private void trees(final int ref, final long key)
    {
        final long clock = engine.clocksOfKeys().clock(slot.arena(), key, 0);
        final SessionPolicy policy = new SessionPolicy(Specs.of(settings).session());
        final List<Held> members = new ArrayList<>();
        final int memberCount = audit.tree(Trees.membersRoot(key), ref, cursor ->
        {
            require(MemberDescriptor.largestTime(cursor.body()) >= cursor.start(), "the largest time is not");
            members.add(new Held(cursor.start(), MemberDescriptor.value(cursor.body())));
        });
        final int tombstones = audit.tree(Trees.tombstonesRoot(key), ref, cursor -> require(
            MemberDescriptor.largestTime(cursor.body()) == cursor.start(), "a tombstone out of its place"));
        rows += memberCount + tombstones;
        require(memberCount + tombstones == 0 || Trees.cleanUpDue(key) != Calendar.NOTHING_DUE,
            "rows that no clean-up will reach");
        final long[] lastEnd = {Long.MIN_VALUE};
        audit.tree(Trees.sessionsRoot(key), ref, cursor ->
        {
            final long session = cursor.body();
            final long end = SessionDescriptor.end(session);
            require(cursor.hash() == SessionChanges.hash(cursor.start()), "hash of a session");
            require(cursor.start() == SessionDescriptor.start(session), "start of a session");
            require(!SessionDescriptor.isChanged(session), "a session that is still changing");
            require(end >= cursor.start(), "a session that ends before it starts");
            require(!policy.isFinal(end, clock), "a final session that is still there");
            require(lastEnd[0] == Long.MIN_VALUE || policy.isGap(lastEnd[0], cursor.start()), "sessions that touch");
            require(Trees.finalityDue(key) <= policy.finalAfter(end), "a session that the clock will miss");
            lastEnd[0] = end;
            aggregate(session, members);
        });
    }

    private void aggregate(final long session, final List<Held> members)
    {
        long count = 0;
        long min = Long.MAX_VALUE;
        long max = Long.MIN_VALUE;
        BigInteger sum = BigInteger.ZERO;
        if (settings.session().aggregate() && Aggregate.count(SessionDescriptor.base(session)) > 0)
        {
            final long base = SessionDescriptor.base(session);
            count = Aggregate.count(base);
            min = Aggregate.min(base);
            max = Aggregate.max(base);
            sum = sum(base);
        }
        for (final Held member : members)
        {
            if (member.time >= SessionDescriptor.start(session) && member.time <= SessionDescriptor.end(session))
            {
                count++;
                min = Math.min(min, member.value);
                max = Math.max(max, member.value);
                sum = sum.add(BigInteger.valueOf(member.value));
            }
        }
        final long aggregate = SessionDescriptor.aggregate(session);
        require(Aggregate.count(aggregate) == count && Aggregate.min(aggregate) == min &&
            Aggregate.max(aggregate) == max && sum(aggregate).equals(sum), "aggregates of a session");
    }

    private static BigInteger sum(final long aggregate)
    {
        return new BigInteger(Long.toUnsignedString(Aggregate.low(aggregate)))
            .add(BigInteger.valueOf(Aggregate.high(aggregate)).shiftLeft(64));
    }

    private static void require(final boolean condition, final String what)
    {
        if (!condition)
        {
            throw new AssertionError(what);
        }
    }
}
