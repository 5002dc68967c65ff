package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.left;
import static io.tidemark.ingest.fixture.FeedLanguage.right;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;

/** What an overlap join holds follows from its rule and the rate of its events, not from how many have been. */
class OverlapStateTest
{
    @Test
    void shouldHoldAsManyRowsAfterFortyThousandEventsAsAfterTenThousand()
    {
        final Census few = afterEvents(10_000);
        final Census many = afterEvents(40_000);

        assertEquals(few, many);
        assertTrue(few.open() > 50, few::toString);
    }

    private static Census afterEvents(final int events)
    {
        final Settings settings = Settings.overlapJoin().longest(50, 50).lateness(10).maxAhead(Settings.OFF).build();
        try (EngineJoin engine = new EngineJoin(settings))
        {
            for (int i = 0; i < events; i++)
            {
                final FeedEvent row = (i % 2 == 0 ? left("L" + i) : right("R" + i)).key("k" + i % 5);
                engine.next(row.at(i).span(i - i % 3, i + i % 48).arrivesAt(i));
            }
            assertEquals(events, engine.counters().accepted());
            return engine.engine().census();
        }
    }
}
