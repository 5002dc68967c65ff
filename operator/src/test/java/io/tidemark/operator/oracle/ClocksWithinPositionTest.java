package io.tidemark.operator.oracle;

import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.SettingsBuilder;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.WatermarkSpec;
import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.stream.IntStream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The clocks that steps 1 to 4 see, and those after step 5, against the oracle's, with idleness at every turn. */
class ClocksWithinPositionTest
{
    private static final String KEY_WITHOUT_CLOCKS = "no event has this key";

    private Settings settings;
    private Clocks clocks;
    private OracleClocks oracle;
    private int seed;

    @Test
    void shouldShowTheSameClocksOnRandomHistories()
    {
        for (seed = 0; seed < 1_000; seed++)
        {
            final Random random = new Random(seed);
            begin(random);
            long arrival = random.nextInt(100);
            for (int i = 0; i < 200; i++)
            {
                arrival += random.nextInt(random.nextInt(4) == 0 ? 20 : 3);
                step(random, arrival, i + random.nextInt(20));
            }
        }
    }

    private void begin(final Random random)
    {
        final SettingsBuilder builder = Settings.intervalJoin()
            .partitions(1 + random.nextInt(4), 1 + random.nextInt(3))
            .rightFirst(random.nextBoolean())
            .joint(random.nextBoolean())
            .delay(random.nextInt(3));
        if (random.nextInt(5) > 0)
        {
            builder.idleAfter(random.nextInt(12));
        }
        if (random.nextBoolean())
        {
            builder.keyScope(random.nextInt(20));
        }
        settings = builder.build();
        oracle = new OracleClocks(settings);
        clocks = new Clocks(
            IntStream.range(0, settings.sources()).map(settings::sideOf).toArray(), 2,
            new WatermarkSpec(
                settings.keyScope(), settings.delayNs(), settings.idleAfterNs(), WatermarkSpec.OFF,
                settings.keySkewNs()),
            settings.joint());
    }

    private void step(final Random random, final long arrival, final long time)
    {
        final int source = random.nextInt(random.nextInt(3) == 0 ? 1 : settings.sources());
        final int kind = random.nextInt(10);
        if (kind == 0)
        {
            clocks.tick(arrival);
            oracle.tick(arrival);
        }
        else
        {
            final long at = arrival - random.nextInt(5);
            clocks.beforeEvent(source, at);
            oracle.beforeEvent(source, at);
            assertSame();
            if (kind < 4)
            {
                clocks.afterWatermark(source, time);
                oracle.afterPromise(source, time);
            }
            else if (kind < 9)
            {
                clocks.afterValidUpsert(source, time);
                oracle.afterValidUpsert(source, time);
            }
        }
        assertSame();
    }

    private void assertSame()
    {
        for (int side = 0; side < 2; side++)
        {
            final int s = side;
            assertEquals(oracle.watermark(s), clocks.watermark(s), () -> "W of side " + s + ", seed " + seed);
            assertEquals(oracle.acceptance(s, KEY_WITHOUT_CLOCKS), clocks.acceptance(s),
                () -> "A of side " + s + ", seed " + seed);
        }
        for (int source = 0; source < settings.sources(); source++)
        {
            final int p = source;
            assertEquals(oracle.partitionClock(p), clocks.partitionClock(p), () -> "P of " + p + ", seed " + seed);
        }
    }
}
