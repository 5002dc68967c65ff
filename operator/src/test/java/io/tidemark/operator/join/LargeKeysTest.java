package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.operator.oracle.Comparison;
import org.junit.jupiter.api.Test;

/** The engine beside the oracle where keys hold thousands of rows, its whole state looked at on the way. */
class LargeKeysTest
{
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final long SEEDS = Long.getLong("tidemark.largeSeeds", 12);
    private static final int EVENTS = Integer.getInteger("tidemark.largeEvents", 5_000);

    @Test
    void shouldNotDifferFromTheOracleWhereKeysAreLarge()
    {
        int large = 0;
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            final LargeFeed feed = new LargeFeed(seed, EVENTS);
            final EngineJoin join = new EngineJoin(feed.settings(), seed % 3 == 0 ? 1 : 256, 397);
            final String difference = Comparison.firstDifference(feed.settings(), feed.feed(), settings -> join, 199);
            final String name = "LargeFeed(" + seed + ")";
            assertNull(difference, () -> name + "\n" + feed.settings().toYaml() + difference);
            large += join.mostRows() > EVENTS / 4 ? 1 : 0;
        }
        assertTrue(large >= SEEDS / 3, large + " feeds of which much is held at once");
    }
}
