package io.tidemark.operator.oracle;

import static io.tidemark.ingest.fixture.FeedLanguage.left;
import static io.tidemark.ingest.fixture.FeedLanguage.payment;
import static io.tidemark.ingest.fixture.FeedLanguage.right;
import static io.tidemark.ingest.fixture.FeedLanguage.signal;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.RowName;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.ingest.fixture.SettingsBuilder;

/**
 * The Law of section 6: where nothing is late, rejected or in conflict and no promise is broken, the final table is
 * the join of the highest revisions, whatever the order.
 */
class OracleLawTest
{
    @Test
    void shouldEndWithTheJoinOfTheHighestRevisionsWhenAFeedIsOrderly()
    {
        int lawful = 0;
        for (long seed = 0; seed < 2_000; seed++)
        {
            final RandomFeed random = RandomFeed.orderly(seed);
            final Settings settings = random.settings();
            final Feed feed = random.feed().thenEndOfInput(settings);
            final Oracle oracle = OracleRun.of(settings, feed);
            final Outcome.Counters counters = oracle.counters();
            if (counters.late() + counters.rejected() + counters.conflicts() == 0 && keepsPromises(settings, feed))
            {
                lawful++;
                final String message = "seed " + seed + "\n" + settings.toYaml() + feed;
                assertEquals(BruteForce.finalTable(settings, feed), oracle.table(), () -> message);
            }
        }
        assertTrue(lawful > 1_400, "only " + lawful + " feeds were lawful");
    }

    @Test
    void shouldEndWithOneTableWhateverTheOrderOfArrivalInAnIntervalJoin()
    {
        final List<FeedEvent> events = List.of(
            payment("P1").at("12:00").value(1),
            payment("P1").at("12:01").revision(1).value(2),
            payment("P2").at("12:01"),
            payment("P2").at("12:01").retract(),
            signal("S1").at("12:08").value(3),
            signal("S1").at("12:09").revision(3).value(4));

        for (final Unmatched unmatched : Unmatched.values())
        {
            assertOneTable(Settings.intervalJoin().unmatched(unmatched, true, true).lateness("1h"), events);
            assertOneTable(
                Settings.intervalJoin().unmatched(unmatched, true, true).lateness("1h").keyScope("5m"), events);
        }
    }

    @Test
    void shouldEndWithOneTableWhateverTheOrderOfArrivalInAnOverlapJoin()
    {
        final List<FeedEvent> events = List.of(
            left("A1").from("12:00", "12:10"),
            left("A1").from("12:05", "12:06").revision(1),
            right("B1").from("12:06", "12:07"),
            right("B2").from("12:07", "12:08"),
            right("B2").from("12:04", "12:08").revision(1),
            right("B1").from("12:06", "12:07").revision(1).retract());

        for (final Unmatched unmatched : Unmatched.values())
        {
            assertOneTable(
                Settings.overlapJoin().unmatched(unmatched, true, true).lateness("1h").joint(true), events);
        }
    }

    private static void assertOneTable(final SettingsBuilder builder, final List<FeedEvent> events)
    {
        final Settings settings = builder.build();
        String expected = null;
        for (final List<FeedEvent> order : permutations(events))
        {
            final Feed feed = Feed.of(order).thenEndOfInput(settings);
            final Oracle oracle = OracleRun.of(settings, feed);
            expected = expected != null ? expected : withoutPlaces(BruteForce.finalTable(settings, feed));

            assertEquals(0, oracle.counters().late() + oracle.counters().rejected(), feed::toCsv);
            assertEquals(expected, withoutPlaces(oracle.table()), feed::toCsv);
        }
    }

    private static String withoutPlaces(final TreeMap<String, ResultRow> table)
    {
        return table.values().stream().map(row -> row.rowId() + " " +
            (row instanceof ResultRow.Unmatched unmatched && unmatched.isFinal())).collect(Collectors.joining("\n"));
    }

    private static boolean keepsPromises(final Settings settings, final Feed feed)
    {
        final Map<RowName, FeedEvent> least = new HashMap<>();
        final Map<RowName, FeedEvent> most = new HashMap<>();
        final Map<String, FeedEvent> contents = new HashMap<>();
        for (final FeedEvent event : feed.events())
        {
            if (event.isOfRow())
            {
                least.merge(event.row(), event, (a, b) -> a.time() <= b.time() ? a : b);
                most.merge(event.row(), event, (a, b) -> a.time() >= b.time() ? a : b);
                final FeedEvent content = event.partition(0).arrivesAt(0);
                if (event.kind() == Kind.UPSERT &&
                    !content.equals(contents.merge(event.row() + "@" + event.revision(), content, (a, b) -> a)))
                {
                    return false;
                }
            }
        }
        return least.keySet().stream().noneMatch(row -> OracleTime.furtherApartThan(
            settings.maxMoveNs(), most.get(row).time(), least.get(row).time()));
    }

    private static List<List<FeedEvent>> permutations(final List<FeedEvent> events)
    {
        if (events.isEmpty())
        {
            return List.of(List.of());
        }
        final List<List<FeedEvent>> all = new ArrayList<>();
        for (int first = 0; first < events.size(); first++)
        {
            final List<FeedEvent> rest = new ArrayList<>(events);
            final FeedEvent event = rest.remove(first);
            for (final List<FeedEvent> tail : permutations(rest))
            {
                final List<FeedEvent> order = new ArrayList<>(List.of(event));
                order.addAll(tail);
                all.add(order);
            }
        }
        return all;
    }
}
