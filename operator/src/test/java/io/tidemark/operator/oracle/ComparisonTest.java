package io.tidemark.operator.oracle;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.function.Function;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.Settings;

/**
 * The net itself: it lets what is right through, catches what is wrong by one nanosecond, and makes it small.
 */
class ComparisonTest
{
    @Test
    void shouldFindNothingWhenBothAreTheOracle()
    {
        for (long seed = 0; seed < 300; seed++)
        {
            final RandomFeed random = RandomFeed.of(seed);
            final String difference =
                Comparison.firstDifference(random.settings(), random.feed(), OracleJoin::new);
            assertNull(difference, "seed " + seed);
        }
    }

    @Test
    void shouldFindAndShrinkADifferenceWhenTheLatenessIsOneTickOff()
    {
        int found = 0;
        for (long seed = 0; seed < 300; seed++)
        {
            final RandomFeed random = RandomFeed.of(seed);
            final Settings settings = random.settings();
            if (Comparison.firstDifference(settings, random.feed(), ComparisonTest::laterByOne) != null)
            {
                found++;
                final Feed small = Shrinker.shrink(random.feed(),
                    feed -> Comparison.firstDifference(settings, feed, ComparisonTest::laterByOne) != null);
                assertNotNull(Comparison.firstDifference(settings, small, ComparisonTest::laterByOne));
                assertTrue(small.size() <= 12, () -> settings.toYaml() + small);
            }
        }
        assertTrue(found > 100, "found " + found);
    }

    @Test
    void shouldReportWhatTheJoinThrows()
    {
        final RandomFeed random = RandomFeed.of(1);
        final Function<Settings, JoinUnderTest> broken = settings ->
        {
            throw new IllegalStateException("out of pages");
        };

        assertTrue(Comparison.firstDifference(random.settings(), random.feed(), broken).contains("out of pages"));
    }

    private static JoinUnderTest laterByOne(final Settings settings)
    {
        final long latenessNs = settings.latenessNs() + 1;
        return new OracleJoin(new Settings(
            settings.ruleVersion(), settings.overlap(), settings.streams(), settings.left(), settings.right(),
            settings.lookBackNs(), settings.lookAheadNs(), settings.maxLengthNs(), settings.maxBeforeNs(),
            settings.unmatched(), settings.unmatchedLeft(), settings.unmatchedRight(), latenessNs,
            settings.joint(), settings.maxMoveNs(), settings.keyScope(), settings.keySkewNs(), settings.delayNs(),
            settings.idleAfterNs(), settings.maxAheadNs(), null));
    }
}
