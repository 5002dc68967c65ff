package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.fail;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.Case;
import io.tidemark.operator.oracle.Comparison;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.Shrinker;
import io.tidemark.operator.oracle.Specs;

/**
 * The engine beside the oracle on random feeds. {@code -Dtidemark.seeds=N} sets how many, {@code -Dtidemark.seed=S}
 * the first; a failure prints its seed and the smallest feed that fails, which belongs in {@link KeptFeeds}.
 */
class JoinAgainstOracleTest
{
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final long SEEDS = Long.getLong("tidemark.seeds", 20_000);
    private static final long ORDERLY_SEEDS = SEEDS / 20;
    private static final long LARGE_SEEDS = SEEDS / 2_000;
    private static final int LARGE = 4_000;

    /** How many positions pass from one look at the whole state to the next. */
    private static final int AUDIT_EVERY = 61;

    @Test
    void shouldNotDifferFromTheOracleOnRandomFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            assertSame("RandomFeed.of(" + seed + ")", RandomFeed.of(seed));
        }
    }

    @Test
    void shouldNotDifferFromTheOracleOnFeedsOfOverlapJoins()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            assertSame("RandomFeed.ofOverlap(" + seed + ")", RandomFeed.ofOverlap(seed));
        }
    }

    @Test
    void shouldNotDifferFromTheOracleOnOrderlyFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + ORDERLY_SEEDS; seed++)
        {
            assertSame("RandomFeed.orderly(" + seed + ")", RandomFeed.orderly(seed));
        }
    }

    @Test
    void shouldNotDifferFromTheOracleOnLargeFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + LARGE_SEEDS; seed++)
        {
            assertSame("RandomFeed.large(" + seed + ", " + LARGE + ")", RandomFeed.large(seed, LARGE));
        }
    }

    @ParameterizedTest
    @MethodSource({
        "io.tidemark.operator.join.KeptFeeds#all",
        "io.tidemark.operator.join.KeptFeeds#ofLongSpans"})
    void shouldNotDifferFromTheOracleOnFeedsThatOnceDid(final KeptFeeds.KeptFeed kept)
    {
        assertNull(Comparison.firstDifference(kept.settings(), kept.feed(), JoinAgainstOracleTest::engine));
    }

    @ParameterizedTest
    @MethodSource("io.tidemark.operator.oracle.Case#all")
    void shouldNotDifferFromTheOracleOnTheCases(final Case each)
    {
        assertNull(Comparison.firstDifference(each.settings(), each.feed(), JoinAgainstOracleTest::engine));
    }

    private static void assertSame(final String name, final RandomFeed random)
    {
        final Settings settings = random.settings();
        final Feed feed = random.feed();
        if (Comparison.firstDifference(settings, feed, JoinAgainstOracleTest::engine) != null)
        {
            final Feed small = Shrinker.shrink(
                feed, smaller -> Comparison.firstDifference(settings, smaller, JoinAgainstOracleTest::engine) != null);
            fail(name + ", shrunk to " + small.size() + " of " + feed.size() + " events\n" +
                KeptFeeds.code(name, settings, small) + settings.toYaml() + small +
                Comparison.firstDifference(settings, small, JoinAgainstOracleTest::engine));
        }
    }

    private static JoinUnderTest engine(final Settings settings)
    {
        return new EngineJoin(settings, Specs.SLOTS, AUDIT_EVERY);
    }
}
