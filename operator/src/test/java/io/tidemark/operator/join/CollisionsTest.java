package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.operator.oracle.Comparison;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Many names of one hash, as a producer can make them that means harm: slower, but nothing else. */
class CollisionsTest
{
    /** More than a page of an index holds. */
    private static final int MANY = 500;
    private static final List<String> NAMES = Collisions.names(MANY);

    @ParameterizedTest
    @EnumSource
    void shouldTellRowsOfOneKeyApartWhoseIdsHaveOneHash(final Unmatched unmatched)
    {
        assertEquals(1, NAMES.stream().map(Collisions::hash).distinct().count());
        assertSame(unmatched, 1, NAMES.size());
    }

    @ParameterizedTest
    @EnumSource
    void shouldTellKeysApartThatHaveOneHash(final Unmatched unmatched)
    {
        assertSame(unmatched, NAMES.size(), 2);
    }

    private static void assertSame(final Unmatched unmatched, final int keys, final int ids)
    {
        final Settings settings = Settings.intervalJoin().reach(3, 2).lateness(2_000).maxMove(50)
            .unmatched(unmatched, true, true).maxAhead(Settings.OFF).build();
        final Random random = new Random(keys);
        final List<FeedEvent> events = new ArrayList<>();
        for (int i = 0; i < 3 * MANY; i++)
        {
            final String stream = i % 2 == 0 ? FeedLanguage.PAYMENTS : FeedLanguage.SIGNALS;
            // every row is due with all others of its time
            events.add(FeedLanguage.upsert(stream, NAMES.get(random.nextInt(ids))).key(NAMES.get(i % keys))
                .at(random.nextInt(20) * 10L + random.nextInt(40)).revision(i));
            if (random.nextInt(5) == 0)
            {
                final FeedEvent past = events.get(random.nextInt(events.size()));
                events.add(past.revision(i).retract());
            }
        }
        for (long time = 1_950; time < 2_250; time += 7)
        {
            events.add(FeedLanguage.watermark(FeedLanguage.PAYMENTS, time));
            events.add(FeedLanguage.watermark(FeedLanguage.SIGNALS, time - 20));
        }
        final Feed feed = Feed.of(events).thenEndOfInput(settings);
        assertNull(Comparison.firstDifference(settings, feed, each -> new EngineJoin(each, 8, 211), 211));
    }
}
