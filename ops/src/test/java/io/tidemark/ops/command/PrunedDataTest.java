package io.tidemark.ops.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.ConfigurationReader;
import io.tidemark.ops.config.DataFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What commands do, or say, once the oldest files of the logs were taken away. */
class PrunedDataTest
{
    private static final String YAML = """
        pipeline: pruned
        data: ./data
        rule:
          version: 1
          type: interval-join
          left: payments
          right: signals
          look_back: 47m
          look_ahead: 8m
          lateness: 3m
        streams:
          payments: {partitions: 1}
          signals:  {partitions: 1}
        repair: {horizon: 1d}
        checkpoint: {keep: 2}
        """;
    private static final int FIRST_DAY = 20_500;
    private static final int DAYS = 5;
    private static final long DAY_MS = 86_400_000L;

    @TempDir
    private Path directory;
    private CommandFixture pipeline;

    @BeforeEach
    void processDays()
    {
        pipeline = new CommandFixture(directory);
        pipeline.write("tidemark.yaml", YAML);
        final Configuration configuration = ConfigurationReader.read(pipeline.yaml());
        new DataFormat(configuration).fixResults();
        for (int day = FIRST_DAY; day < FIRST_DAY + DAYS; day++)
        {
            process(configuration, day * DAY_MS);
        }
        pipeline.done("run", "--until-caught-up");
        assertEquals(FIRST_DAY + 3, OrderHistory.firstDay(configuration.dataDirectory()));
    }

    /** Each day has a pair, and an event that comes too late. */
    private void process(final Configuration configuration, final long nowMs)
    {
        final long nowNs = nowMs * 1_000_000;
        try (SourceLogs sources = SourceLogs.open(
            configuration.dataDirectory(), configuration.topology(), () -> nowMs, () -> nowNs))
        {
            sources.appender(0).upsert(nowNs).key("shop").id("p" + nowMs).append();
            sources.appender(1).upsert(nowNs).key("shop").id("s" + nowMs).append();
            sources.appender(1).upsert(nowNs - 3_600_000_000_000L).key("shop").id("l" + nowMs).append();
        }
        try (PipelineRuntime runtime = PipelineRuntime.open(
            PipelineRun.context(configuration, configuration.resultsDirectory()).epochClock(() -> nowMs)))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
        }
    }

    @Test
    void shouldReplayFromACheckpointAndSayWhyNotFromTheStart()
    {
        assertEquals(1, pipeline.run("replay", "--from-start", "--verify"));
        assertSentence("before position 10 was pruned", "begin with a checkpoint", "--from-checkpoint 12");
        assertEquals(1, pipeline.run("replay", "--from-position", "5", "--verify"));
        assertSentence("before position 10 was pruned", "--from-checkpoint 12");
        pipeline.done("replay", "--from-checkpoint", "12", "--verify");
        assertTrue(pipeline.out().contains("The same: positions 13 to 15"), pipeline.out());
        pipeline.done("replay", "--from-position", "14", "--verify");
    }

    @Test
    void shouldCompareTheSinkAndSayThatTheRestCannotBeRecomputed()
    {
        assertEquals(1, pipeline.run("verify"));
        assertTrue(pipeline.out().contains("holds  sink tables"), pipeline.out());
        assertFalse(pipeline.out().contains("recomputed"), pipeline.out());
        assertSentence("before position 10 was pruned", "--from-checkpoint 12 --verify");
    }

    @Test
    void shouldRefuseToBuildTheTableOfANewRuleAndGoOnWithTheOld()
    {
        pipeline.replaceInYaml("version: 1", "version: 2");
        pipeline.replaceInYaml("look_ahead: 8m", "look_ahead: 9m");
        assertEquals(1, pipeline.run("run", "--until-caught-up"));
        assertSentence("the table of the new rule version 2", "before position 10 was pruned", "go on with version 1");
        pipeline.replaceInYaml("version: 2", "version: 1");
        pipeline.replaceInYaml("look_ahead: 9m", "look_ahead: 8m");
        pipeline.done("run", "--until-caught-up");
        assertEquals(5, pipeline.done("export", "pairs").lines().count());
    }

    @Test
    void shouldShowWhatThereIs()
    {
        assertEquals(6, pipeline.done("export", "order").lines().count());
        assertTrue(pipeline.out().startsWith("{\"position\":10,"), pipeline.out());
        assertTrue(pipeline.err().contains("positions up to 9 were pruned"), pipeline.err());
        assertEquals(2, pipeline.done("dump", "payments-0").lines().count());
        assertEquals(5, pipeline.done("export", "late").lines().count());
        pipeline.done("dump", "order");
        pipeline.done("repair", "list");
        pipeline.done("status");
    }

    private void assertSentence(final String... parts)
    {
        for (final String part : parts)
        {
            assertTrue(pipeline.err().contains(part), pipeline.err());
        }
        assertFalse(pipeline.err().contains("should not have happened"), pipeline.err());
    }
}
