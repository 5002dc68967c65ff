package io.tidemark.operator.session;

import static org.junit.jupiter.api.Assertions.fail;

import java.util.function.Function;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.Comparison;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.Shrinker;

/**
 * The session engine beside its oracle on random feeds. {@code -Dtidemark.seeds=N} sets how many,
 * {@code -Dtidemark.seed=S} the first; a failure prints its seed, its settings and the smallest feed that fails, which
 * belongs here as a test of its own, for seeds lose their meaning when the generator changes.
 */
class SessionsAgainstOracleTest
{
    private static final long FIRST_SEED = Long.getLong("tidemark.seed", 1);
    private static final long SEEDS = Long.getLong("tidemark.seeds", 20_000);
    private static final int LARGE = 3_000;

    /** How many positions pass from one look at the whole state to the next. */
    private static final int AUDIT_EVERY = 61;

    @Test
    void shouldNotDifferFromTheOracleOnRandomFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed++)
        {
            assertSame("RandomFeed.ofSessions(" + seed + ")", RandomFeed.ofSessions(seed), this::audited);
        }
    }

    @Test
    void shouldNotDifferFromTheOracleOnOrderlyFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 20; seed++)
        {
            assertSame("RandomFeed.orderlySessions(" + seed + ")", RandomFeed.orderlySessions(seed), this::audited);
        }
    }

    @Test
    void shouldNotDifferFromTheOracleOnLargeFeeds()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 4_000; seed++)
        {
            assertSame("RandomFeed.largeSessions(" + seed + ", " + LARGE + ")",
                RandomFeed.largeSessions(seed, LARGE), this::audited);
        }
    }

    @Test
    void shouldNotDifferFromTheOracleWhenRestoredAfterEveryPosition()
    {
        for (long seed = FIRST_SEED; seed < FIRST_SEED + SEEDS / 20; seed++)
        {
            assertSame("RandomFeed.ofSessions(" + seed + "), restored after every position",
                RandomFeed.ofSessions(seed), EngineSessions::restoredAlways);
        }
    }

    private JoinUnderTest audited(final Settings settings)
    {
        return EngineSessions.audited(settings, AUDIT_EVERY);
    }

    private static void assertSame(
        final String name, final RandomFeed random, final Function<Settings, JoinUnderTest> engine)
    {
        final Settings settings = random.settings();
        final Feed feed = random.feed();
        if (Comparison.firstDifference(settings, feed, engine) != null)
        {
            final Feed small = Shrinker.shrink(
                feed, smaller -> Comparison.firstDifference(settings, smaller, engine) != null);
            fail(name + ", shrunk to " + small.size() + " of " + feed.size() + " events\n" + settings.toYaml() +
                small + Comparison.firstDifference(settings, small, engine));
        }
    }
}
