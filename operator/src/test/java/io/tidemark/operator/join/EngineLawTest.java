package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.ingest.fixture.SettingsBuilder;
import io.tidemark.operator.oracle.BruteForce;
import io.tidemark.operator.oracle.JoinUnderTest.Effect;
import io.tidemark.operator.oracle.JoinUnderTest.Emitted;
import io.tidemark.operator.oracle.ResultRow;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The Law of section 6 on the engine: six events in all their 720 orders come to one table, that of brute force. */
class EngineLawTest
{
    private static final long SEEDS = Long.getLong("tidemark.lawSeeds", 24);
    private static final int EVENTS = 6;
    private static final long MOVE = 6;

    @Test
    void shouldEndWithOneTableWhateverTheOrderOfArrival()
    {
        for (long seed = 0; seed < SEEDS; seed++)
        {
            final Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
            final Settings settings = settings(random, seed % 2 == 0, seed / 2 % 2 == 0);
            final List<FeedEvent> events = events(random, settings);
            final String expected = text(BruteForce.finalTable(settings, Feed.of(events)));
            for (final List<FeedEvent> order : permutations(events))
            {
                final Feed feed = Feed.of(order).thenEndOfInput(settings);
                assertEquals(expected, text(run(settings, feed)), () -> settings.toYaml() + feed);
            }
        }
    }

    private static Settings settings(final Random random, final boolean overlap, final boolean keyScope)
    {
        final SettingsBuilder builder = overlap ?
            Settings.overlapJoin().longest(5, random.nextInt(6)) :
            Settings.intervalJoin().reach(random.nextInt(5), random.nextInt(5));
        // Nothing may be late: all times are within this of one another.
        builder.lateness(40).maxMove(MOVE).joint(random.nextBoolean()).maxAhead(Settings.OFF)
            .partitions(1 + random.nextInt(2), 1)
            .unmatched(List.of(Unmatched.values()).get(random.nextInt(3)), random.nextBoolean(), random.nextBoolean());
        return (keyScope ? builder.keyScope(random.nextInt(20)) : builder).build();
    }

    /** Few ids, so that most are met again: as a later revision, moved, withdrawn or come back. */
    private static List<FeedEvent> events(final Random random, final Settings settings)
    {
        final List<FeedEvent> events = new ArrayList<>();
        final Set<String> known = new HashSet<>();
        while (events.size() < EVENTS)
        {
            final boolean isLeft = random.nextBoolean();
            final String stream = isLeft ? settings.left() : settings.right();
            final int number = random.nextInt(2);
            // A row's home never changes, for its times lie within the promise.
            final long time = 10 + number * 7L + random.nextInt((int)MOVE + 1);
            FeedEvent event = FeedLanguage.upsert(stream, "e" + number).revision(random.nextInt(3)).at(time)
                .partition(random.nextInt(isLeft ? settings.streams().get(0).partitions() : 1)).value(time);
            if (settings.overlap())
            {
                final long before = random.nextInt((int)settings.maxBeforeNs() + 1);
                event = event.span(time - before, time + random.nextInt(5 - (int)before + 1));
            }
            event = random.nextInt(4) == 0 ? event.retract() : event;
            // One content for each revision of a row, or which of two wins would depend on the order.
            if (known.add(event.row() + "@" + event.revision() + (event.kind() == Kind.RETRACT)))
            {
                events.add(event);
            }
        }
        return events;
    }

    private static TreeMap<String, ResultRow> run(final Settings settings, final Feed feed)
    {
        final TreeMap<String, ResultRow> table = new TreeMap<>(ResultRow::compareUtf8);
        try (EngineJoin join = new EngineJoin(settings, 4, Integer.MAX_VALUE))
        {
            for (final FeedEvent event : feed.events())
            {
                final Effect effect = join.next(event);
                assertTrue(effect.late().isEmpty() && effect.rejected().isEmpty(), () -> settings.toYaml() + feed);
                for (final Emitted emitted : effect.changeSets())
                {
                    emitted.changeSet().retractions().forEach(row -> assertEquals(row, table.remove(row.rowId())));
                    emitted.changeSet().insertions().forEach(row -> table.put(row.rowId(), row));
                }
            }
            StateAudit.of(join.engine());
            assertEquals(0, join.engine().rows());
        }
        return table;
    }

    /** All but the positions in their source logs, which differ from order to order. */
    private static String text(final TreeMap<String, ResultRow> table)
    {
        return table.values().stream().map(row -> row.rowId() + " " +
            (row instanceof ResultRow.Unmatched unmatched && unmatched.isFinal())).collect(Collectors.joining("\n"));
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
