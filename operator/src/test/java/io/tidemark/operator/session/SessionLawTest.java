package io.tidemark.operator.session;

import static io.tidemark.ingest.fixture.FeedLanguage.activity;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.ResultRow;

/**
 * Where nothing is late, rejected or in conflict, the final sessions are those of the highest revisions, whatever the
 * order in which events come.
 */
class SessionLawTest
{
    private static final String EXPECTED = "[00:00,00:22]#3=134, [00:33:01,00:33:01]#1=1000";

    /** Two sessions, a bridge that is corrected in value and place, one that is withdrawn, and one that stays apart. */
    private static final List<FeedEvent> EVENTS = List.of(
        activity("A").at("00:00").value(74),
        activity("B").at("00:22").value(51),
        activity("bridge").at("00:10").value(3),
        activity("bridge").at("00:11").revision(1).value(9),
        activity("gone").at("00:30").value(5),
        activity("gone").at("00:30").revision(1).retract(),
        activity("apart").at("00:33:01").value(1000));

    @ParameterizedTest
    @EnumSource(names = {"ORACLE", "ENGINE"})
    void shouldEndWithOneTableWhateverTheOrderOfArrival(final SessionsUnderTest sessions)
    {
        for (final Settings settings : List.of(
            Settings.ofSessions().lateness("1h").build(),
            Settings.ofSessions().lateness("1h").emitFinal().build(),
            Settings.ofSessions().lateness("1h").keyScope("5m").build()))
        {
            for (final List<FeedEvent> order : permutations(EVENTS))
            {
                final Feed feed = Feed.of(order).thenEndOfInput(settings);
                assertEquals(EXPECTED, finalTable(settings, feed, sessions), feed::toCsv);
            }
        }
    }

    private static String finalTable(final Settings settings, final Feed feed, final SessionsUnderTest sessions)
    {
        final TreeMap<String, ResultRow.Session> table = new TreeMap<>();
        try (JoinUnderTest run = sessions.open(settings))
        {
            for (final FeedEvent event : feed.events())
            {
                run.next(event).changeSets().forEach(emitted ->
                {
                    emitted.changeSet().retractions().forEach(row -> table.remove(row.rowId()));
                    emitted.changeSet().insertions().forEach(row -> table.put(row.rowId(), (ResultRow.Session)row));
                });
            }
            assertEquals(0, run.counters().late() + run.counters().rejected());
        }
        final List<String> rows = new ArrayList<>();
        for (final ResultRow.Session row : table.values())
        {
            rows.add("[" + timeOfDay(row.start()) + "," + timeOfDay(row.end()) + "]#" + row.count() + "=" + row.sum() +
                (row.isFinal() ? "" : "?"));
        }
        return String.join(", ", rows);
    }

    private static String timeOfDay(final long time)
    {
        return LocalTime.ofNanoOfDay(Math.floorMod(time, 86_400_000_000_000L)).toString();
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
