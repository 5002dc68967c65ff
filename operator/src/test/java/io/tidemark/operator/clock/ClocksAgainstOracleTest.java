package io.tidemark.operator.clock;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.RandomFeed;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.Oracle;
import io.tidemark.operator.oracle.OracleRun;
import io.tidemark.operator.oracle.Outcome.RejectReason;
import io.tidemark.operator.oracle.Specs;

class ClocksAgainstOracleTest
{
    @Test
    void shouldShowTheClocksOfTheOracleAtEveryPosition()
    {
        for (long seed = 0; seed < 5_000; seed++)
        {
            final RandomFeed random = RandomFeed.of(seed);
            final Settings settings = random.settings();
            final Clocks clocks = Clocks.of(Specs.of(settings));
            final OracleRun run = new OracleRun(settings);
            for (final FeedEvent event : random.feed().events())
            {
                run.next(event);
                apply(settings, clocks, event, isValid(run.oracle()));
                final String message = "seed " + seed + ", position " + run.oracle().position() + ", ";
                assertEquals(clocksOf(settings, run.oracle()), clocksOf(settings, clocks), () -> message + settings);
            }
        }
    }

    private static boolean isValid(final Oracle oracle)
    {
        final var rejected = oracle.rejected();
        if (rejected.isEmpty() || rejected.get(rejected.size() - 1).position() != oracle.position())
        {
            return true;
        }
        return rejected.get(rejected.size() - 1).reasons().contains(RejectReason.MOVED_TOO_FAR);
    }

    private static void apply(
        final Settings settings, final Clocks clocks, final FeedEvent event, final boolean isValid)
    {
        if (event.kind() == Kind.TICK)
        {
            clocks.tick(event.time());
            return;
        }
        final int source = settings.source(event.stream(), event.partition());
        clocks.beforeEvent(source, event.arrival());
        if (event.kind() == Kind.WATERMARK)
        {
            clocks.afterWatermark(source, event.time());
        }
        else if (event.kind() == Kind.UPSERT && isValid)
        {
            clocks.afterValidUpsert(source, event.time());
        }
    }

    private static String clocksOf(final Settings settings, final Oracle oracle)
    {
        final StringBuilder text = new StringBuilder();
        for (int source = 0; source < settings.sources(); source++)
        {
            text.append(' ').append(oracle.partitionClock(source));
        }
        for (int side = 0; side < 2; side++)
        {
            text.append(" W ").append(oracle.watermark(side));
            text.append(" A ").append(oracle.acceptance(side, "a key that has no clocks of its own"));
        }
        return text.toString();
    }

    private static String clocksOf(final Settings settings, final Clocks clocks)
    {
        final StringBuilder text = new StringBuilder();
        for (int source = 0; source < settings.sources(); source++)
        {
            text.append(' ').append(clocks.partitionClock(source));
        }
        for (int side = 0; side < 2; side++)
        {
            text.append(" W ").append(clocks.watermark(side));
            text.append(" A ").append(clocks.acceptance(side));
        }
        return text.toString();
    }
}
