package io.tidemark.sink.repair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeSet;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.UnmatchedRow;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.Draft;
import io.tidemark.sink.repair.build.JoinBuilder;
import io.tidemark.sink.repair.build.KeyHistory;
import io.tidemark.sink.repair.build.RawEvent;
import io.tidemark.sink.repair.build.SessionBuilder;
import io.tidemark.store.page.PageStore;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Feeds in which much is late, repaired whenever something is due: what stands in the end is the relation of the
 * highest revisions of all valid events, as if nothing had been late, and the live path never meets a repaired row
 * again. {@code -Dtidemark.seeds=N} sets how many feeds, {@code -Dtidemark.seed=S} the first.
 */
class RepairOfRandomFeedsTest
{
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final long SEEDS = Long.getLong("tidemark.seeds", 600);

    @TempDir
    private static Path directory;
    private static PageStore store;
    private long repaired;
    private long empty;
    private long waited;

    @BeforeAll
    static void openStore()
    {
        store = PageStore.create(directory.resolve("state"), 1 << 16);
    }

    @AfterAll
    static void closeStore()
    {
        store.close();
    }

    @Test
    void shouldMakeTheTableOfAJoinWhatItWouldBeHadNothingBeenLate()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            run(seed, LatePlan.ofJoin(seed));
        }
        assertTrue(repaired > SEEDS && empty > SEEDS && waited > 0, repaired + " " + empty + " " + waited);
    }

    @Test
    void shouldMakeSessionsWhatTheyWouldBeHadNothingBeenLate()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            run(seed, LatePlan.ofSessions(seed));
        }
        assertTrue(repaired > SEEDS && empty > SEEDS && waited > 0, repaired + " " + empty + " " + waited);
    }

    private void run(final long seed, final LatePlan plan)
    {
        final Random random = new Random(seed);
        try (LivePath live = new LivePath(plan.spec(), store))
        {
            for (final LatePlan.Planned event : plan.events())
            {
                live.next(event);
                if (random.nextInt(15) == 0)
                {
                    repair(seed, plan.spec(), live);
                }
            }
            repair(seed, plan.spec(), live);
            assertEquals(0, live.waiting(), "seed " + seed);
            for (final Utf8 key : live.keys())
            {
                assertEquals(text(relation(plan.spec(), key, live.events(key))), text(live.table(key)),
                    "seed " + seed);
            }
        }
    }

    private void repair(final long seed, final PipelineSpec spec, final LivePath live)
    {
        final List<Draft> due = new ArrayList<>();
        final long left = live.engine().clocks().acceptance(0);
        final long right = spec.rule().inputs() == 2 ? live.engine().clocks().acceptance(1) : Long.MIN_VALUE;
        for (final Utf8 key : live.keys())
        {
            for (final Draft draft : drafts(spec, live.history(key)))
            {
                if (draft.isDue(left, right))
                {
                    due.add(draft);
                }
                waited += draft.isDue(left, right) ? 0 : 1;
            }
        }
        final List<List<String>> complaints = live.complaints(due);
        for (int i = 0; i < due.size(); i++)
        {
            assertEquals(List.of(), complaints.get(i), "seed " + seed + ": " + due.get(i));
            repaired += due.get(i).isEmpty() ? 0 : 1;
            empty += due.get(i).isEmpty() ? 1 : 0;
            live.publish(due.get(i));
        }
    }

    private static List<Draft> drafts(final PipelineSpec spec, final KeyHistory history)
    {
        return spec.rule() instanceof final SessionRule sessions ?
            SessionBuilder.build(sessions, history) : JoinBuilder.build(spec.join(), history);
    }

    private static List<ResultRow> relation(final PipelineSpec spec, final Utf8 key, final List<RawEvent> events)
    {
        return spec.rule() instanceof final SessionRule sessions ? sessions(sessions, key, events) :
            relation(spec.join(), key, events);
    }

    /** Members one by one, each taking in every session within a gap of it. */
    private static List<ResultRow> sessions(final SessionRule rule, final Utf8 key, final List<RawEvent> events)
    {
        final List<List<RawEvent>> groups = new ArrayList<>();
        for (final RawEvent event : highest(events).values())
        {
            if (!event.isRetraction())
            {
                final List<RawEvent> group = new ArrayList<>(List.of(event));
                final List<List<RawEvent>> near = groups.stream().filter(other -> other.stream()
                    .anyMatch(member -> Math.abs(member.time() - event.time()) <= rule.gapNs())).toList();
                near.forEach(group::addAll);
                groups.removeAll(near);
                groups.add(group);
            }
        }
        return groups.stream().map(group -> session(key, group)).toList();
    }

    private static ResultRow session(final Utf8 key, final List<RawEvent> group)
    {
        final TreeSet<Long> times = new TreeSet<>(group.stream().map(RawEvent::time).toList());
        final TreeSet<Long> values = new TreeSet<>(group.stream().map(RawEvent::value).toList());
        return new SessionRow(1, key, times.first(), times.last(), group.size(),
            BigInteger.valueOf(group.stream().mapToLong(RawEvent::value).sum()), values.first(), values.last(), true,
            0);
    }

    private static Map<String, RawEvent> highest(final List<RawEvent> events)
    {
        final Map<String, RawEvent> highest = new HashMap<>();
        for (final RawEvent event : events)
        {
            highest.merge(event.side() + " " + event.id(), event, (a, b) ->
                b.revision() > a.revision() ||
                (b.revision() == a.revision() && b.isRetraction() && !a.isRetraction()) ? b : a);
        }
        return highest;
    }

    /** Every two highest revisions whose intervals meet, and those that meet none. */
    private static List<ResultRow> relation(final JoinRule rule, final Utf8 key, final List<RawEvent> events)
    {
        final Map<String, RawEvent> highest = highest(events);
        final List<ResultRow> rows = new ArrayList<>();
        for (final RawEvent one : highest.values())
        {
            boolean isAlone = !one.isRetraction();
            for (final RawEvent other : highest.values())
            {
                if (one.side() != other.side() && !one.isRetraction() && !other.isRetraction() &&
                    (one.side() == 0 ? matches(rule, one, other) : matches(rule, other, one)))
                {
                    isAlone = false;
                    if (one.side() == 0)
                    {
                        rows.add(new PairRow(1, key, image(one), image(other)));
                    }
                }
            }
            if (isAlone && rule.publishesUnmatched(one.side()))
            {
                rows.add(new UnmatchedRow(1, key, one.side(), image(one), true));
            }
        }
        return rows;
    }

    private static boolean matches(final JoinRule rule, final RawEvent left, final RawEvent right)
    {
        return rule.overlap() ? left.start() <= right.end() && right.start() <= left.end() :
            left.time() - rule.lookBackNs() <= right.time() && right.time() <= left.time() + rule.lookAheadNs();
    }

    private static SourceRow image(final RawEvent event)
    {
        return new SourceRow(
            event.id(), event.revision(), event.time(), event.value(), event.partition(), event.index());
    }

    private static String text(final Iterable<ResultRow> rows)
    {
        final TreeSet<String> lines = new TreeSet<>();
        rows.forEach(row -> lines.add(row.toString().replaceAll("publication=[0-9]+", "")));
        return String.join("\n", lines);
    }
}
