package io.tidemark.operator.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;

import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.WatermarkSpec;

/** Sessions that are killed and go on from checkpoints write what sessions that were left in peace do. */
class SessionRecoveryTest
{
    private static final long SEED = 23;
    private static final int EVENTS = 2_000;

    @TempDir
    Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteTheSameBytesAfterBeingKilled(final boolean aggregate)
    {
        final RandomPipeline undisturbed = pipeline("undisturbed", aggregate).append(EVENTS);
        undisturbed.runToTheEnd();
        final List<String> expected = undisturbed.outcome();
        assertTrue(expected.size() > EVENTS / 2, expected.size() + " records");

        final RandomPipeline killed = pipeline("killed", aggregate).checkpoints(150, 3).append(EVENTS);
        long recovered = 0;
        for (int i = 1; i <= 8; i++)
        {
            recovered = killed.runUntil(EVENTS * i / 9 + 31).position();
        }
        assertTrue(recovered > EVENTS / 2, "recovered at " + recovered);
        killed.runToTheEnd();
        assertEquals(expected, killed.outcome());
    }

    private RandomPipeline pipeline(final String name, final boolean aggregate)
    {
        final SessionRule rule = new SessionRule(1, 60, true, aggregate, 100, false, aggregate ? 0 : 100);
        final PipelineSpec spec = new PipelineSpec(
            Topology.of(List.of(new StreamSpec("activity", 3))), 0, rule,
            new WatermarkSpec(false, 0, WatermarkSpec.NEVER, WatermarkSpec.OFF, 0), 16, 1_000_000);
        return new RandomPipeline(directory.resolve(name), SEED, spec).checkpoints(Long.MAX_VALUE, 3);
    }
}
