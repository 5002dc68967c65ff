package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.repair.build.KeyHistory;
import io.tidemark.sink.repair.build.RawEvent;
import io.tidemark.sink.repair.build.SessionBuilder;
import io.tidemark.sink.verify.PlannedInput;
import org.junit.jupiter.api.Test;

/**
 * Repairs of sessions that are all final: some events changed nothing because they were late. Gap 11, times small.
 */
class SessionRepairsTest
{
    private static final long SEEDS = Long.getLong("tidemark.seeds", 600);
    private static final Utf8 KEY = Utf8.of("shop");
    private static final SessionRule RULE = new SessionRule(1, 11, true, false, 3, false, 3);
    private static final PipelineSpec SPEC = new PipelineSpec(
        Topology.of(List.of(new StreamSpec("activity", 1))), 0, RULE,
        new WatermarkSpec(false, 0, WatermarkSpec.NEVER, WatermarkSpec.OFF, 0), 4, 100_000);

    private final List<RawEvent> events = new ArrayList<>();
    private final Set<Long> late = new HashSet<>();
    private final PlannedInput input = new PlannedInput();
    private Map<Long, SessionRow> table = new TreeMap<>();

    @Test
    void shouldJoinTheSessionsThatALateEventBridges()
    {
        on("e1", 0, 100, 5);
        on("e2", 0, 120, 7);
        late("e3", 0, 110, 1);

        final Draft draft = single();

        assertEquals("[-100..100 -120..120] [+100..120 #3 13]", changes(draft));
        assertEquals(131 + 3, draft.leftNeeds());
        assertValid(draft);
    }

    @Test
    void shouldSplitASessionWhoseBridgeWasWithdrawnTooLate()
    {
        on("e1", 0, 100, 5);
        on("e2", 0, 110, 7);
        on("e3", 0, 120, 1);
        lateRetraction("e2", 1, 110);

        assertEquals("[-100..120] [+100..100 #1 5 +120..120 #1 1]", changes(single()));
    }

    @Test
    void shouldCloseALateDuplicateWithoutAChange()
    {
        on("e1", 0, 100, 5);
        late("e1", 0, 100, 5);

        assertTrue(single().isEmpty());
        assertValid(single());
    }

    @Test
    void shouldMakeOneRegionOfLateEventsThatTouch()
    {
        late("e1", 0, 100, 5);
        late("e2", 0, 111, 5);
        late("e3", 0, 123, 5);
        table = sessions(events, false);

        final List<Draft> drafts = build();
        assertEquals(2, drafts.size());
        assertEquals("[] [+100..111 #2 10]", changes(drafts.get(0)));
        assertEquals("[] [+123..123 #1 5]", changes(drafts.get(1)));
    }

    @Test
    void shouldSayWhatIsWrongWithABrokenDraft()
    {
        on("e1", 0, 100, 5);
        on("e2", 0, 120, 7);
        on("e4", 0, 500, 7);
        late("e3", 0, 110, 1);
        final Draft good = single();

        // The merged session beside one of the two that it replaces.
        assertComplaint("not more than a gap apart",
            with(good, good.retractions().subList(0, 1), good.insertions()));
        assertComplaint("inserts a row that is current", with(good, List.of(), good.insertions()));
        assertComplaint("lacks", with(good, good.retractions(), List.of()));
        final List<ResultRow> tooMuch = new ArrayList<>(good.retractions());
        tooMuch.add(table.get(500L));
        assertComplaint("outside its region", with(good, tooMuch, good.insertions()));
        final SessionRow right = (SessionRow)good.insertions().get(0);
        assertComplaint("which should be", with(good, good.retractions(), List.of(new SessionRow(1, KEY, right.start(),
            right.end(), right.count(), right.sum().add(BigInteger.ONE), right.min(), right.max(), true, 0))));
        assertComplaint("retracts a row that is not current", with(good, List.of(right), List.of()));
        assertComplaint("other members", new Draft(good.region(), good.retractions(), good.insertions(), good.totals(),
            "0", good.leftNeeds(), good.rightNeeds()));
        assertValid(good);
    }

    @Test
    void shouldMakeOfRandomSessionsWhatTheyWouldBeHadNothingBeenLate()
    {
        for (long seed = 1; seed <= SEEDS; seed++)
        {
            final SessionRepairsTest feed = new SessionRepairsTest();
            feed.fill(new Random(seed));
            final List<Draft> drafts = feed.build();
            final List<List<String>> complaints = feed.input.complaints(
                SPEC, drafts, any -> false, key -> List.copyOf(feed.table.values()));
            for (int i = 0; i < drafts.size(); i++)
            {
                assertEquals(List.of(), complaints.get(i), "seed " + seed + " " + drafts.get(i));
            }
            for (final Draft draft : drafts)
            {
                draft.retractions().forEach(row -> assertEquals(row, feed.table.remove(((SessionRow)row).start())));
                draft.insertions().forEach(row -> feed.table.put(((SessionRow)row).start(), (SessionRow)row));
            }
            assertEquals(text(sessions(feed.events, true)), text(feed.table), "seed " + seed);
        }
    }

    private void fill(final Random random)
    {
        final Map<String, Long> baseTimes = new HashMap<>();
        for (int i = random.nextInt(60); i >= 0; i--)
        {
            final String id = "e" + random.nextInt(30);
            final long base = baseTimes.computeIfAbsent(id, any -> (long)random.nextInt(400));
            add(id, random.nextInt(3), base + random.nextInt(4), random.nextInt(50), random.nextInt(6) == 0,
                random.nextInt(4) == 0);
        }
        table = sessions(events, false);
    }

    private void on(final String id, final int revision, final long time, final long value)
    {
        add(id, revision, time, value, false, false);
        table = sessions(events, false);
    }

    private void late(final String id, final int revision, final long time, final long value)
    {
        add(id, revision, time, value, false, true);
    }

    private void lateRetraction(final String id, final int revision, final long time)
    {
        add(id, revision, time, 0, true, true);
    }

    private void add(
        final String id, final int revision, final long time, final long value, final boolean isRetraction,
        final boolean isLate)
    {
        final long position = events.size() + 1L;
        events.add(new RawEvent(
            position, 0, 0, position, isRetraction, Utf8.of(id), revision, time, 0, 0, value, isLate));
        input.add(0, position, position, isRetraction ? 1 : 0, "shop", id, revision, time, false, 0, 0, value);
        if (isLate)
        {
            late.add(position);
        }
    }

    private List<Draft> build()
    {
        return SessionBuilder.build(
            RULE, new KeyHistory(KEY, events, new ArrayList<ResultRow>(table.values()), late));
    }

    private Draft single()
    {
        final List<Draft> drafts = build();
        assertEquals(1, drafts.size());
        return drafts.get(0);
    }

    private static Draft with(final Draft draft, final List<ResultRow> retractions, final List<ResultRow> insertions)
    {
        return new Draft(draft.region(), retractions, insertions, draft.totals(), draft.membership(),
            draft.leftNeeds(), draft.rightNeeds());
    }

    private List<String> complaints(final Draft draft)
    {
        return input.complaints(SPEC, List.of(draft), any -> false, key -> List.copyOf(table.values())).get(0);
    }

    private void assertValid(final Draft draft)
    {
        assertEquals(List.of(), complaints(draft));
    }

    private void assertComplaint(final String part, final Draft draft)
    {
        final List<String> complaints = complaints(draft);
        assertFalse(complaints.stream().noneMatch(text -> text.contains(part)), complaints.toString());
    }

    /** Members one by one, each taking in every session within a gap of it. */
    private static Map<Long, SessionRow> sessions(final List<RawEvent> events, final boolean withLate)
    {
        final Map<Utf8, RawEvent> highest = new HashMap<>();
        for (final RawEvent event : events)
        {
            if (withLate || !event.isLate())
            {
                highest.merge(event.id(), event, (a, b) -> b.revision() > a.revision() ||
                    (b.revision() == a.revision() && b.isRetraction() && !a.isRetraction()) ? b : a);
            }
        }
        final List<List<RawEvent>> groups = new ArrayList<>();
        for (final RawEvent event : highest.values())
        {
            if (!event.isRetraction())
            {
                final List<RawEvent> group = new ArrayList<>(List.of(event));
                final List<List<RawEvent>> near = groups.stream().filter(other -> other.stream()
                    .anyMatch(member -> Math.abs(member.time() - event.time()) <= RULE.gapNs())).toList();
                near.forEach(group::addAll);
                groups.removeAll(near);
                groups.add(group);
            }
        }
        final Map<Long, SessionRow> sessions = new TreeMap<>();
        for (final List<RawEvent> group : groups)
        {
            final TreeSet<Long> times = new TreeSet<>(group.stream().map(RawEvent::time).toList());
            final TreeSet<Long> values = new TreeSet<>(group.stream().map(RawEvent::value).toList());
            final long sum = group.stream().mapToLong(RawEvent::value).sum();
            sessions.put(times.first(), new SessionRow(1, KEY, times.first(), times.last(), group.size(),
                BigInteger.valueOf(sum), values.first(), values.last(), true, 0));
        }
        return sessions;
    }

    private static String changes(final Draft draft)
    {
        final List<String> gone = draft.retractions().stream().map(SessionRow.class::cast)
            .map(row -> "-" + row.start() + ".." + row.end()).toList();
        final List<String> come = draft.insertions().stream().map(SessionRow.class::cast)
            .map(row -> "+" + row.start() + ".." + row.end() + " #" + row.count() + " " + row.sum()).toList();
        return "[" + String.join(" ", gone) + "] [" + String.join(" ", come) + "]";
    }

    private static String text(final Map<Long, SessionRow> sessions)
    {
        final StringBuilder text = new StringBuilder();
        sessions.values().forEach(row -> text.append(row).append('\n'));
        return text.toString();
    }
}
