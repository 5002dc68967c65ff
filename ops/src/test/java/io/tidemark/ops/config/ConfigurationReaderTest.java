package io.tidemark.ops.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

class ConfigurationReaderTest
{
    private static final long MINUTE = 60_000_000_000L;
    private static final String JOIN = """
        rule:
          type: interval-join
          left: payments
          right: signals
          look_back: 47m
          look_ahead: 8m
          lateness: 3m
        streams:
          payments: {partitions: 2}
          signals: {partitions: 3}
        """;
    private static final String OVERLAP = JOIN.replace("interval-join", "overlap-join")
        .replace("  look_back: 47m\n  look_ahead: 8m\n", "  max_length: 5m\n");
    private static final String SESSION = """
        rule:
          type: session
          input: activity
          gap: 11m
          lateness: 3m
        streams:
          activity: {}
        """;

    @TempDir
    private Path directory;

    @Test
    void shouldFillInTheDefaultsOfAnIntervalJoin()
    {
        final Configuration configuration = read(JOIN);

        final JoinRule rule = configuration.spec().join();
        assertEquals(new JoinRule(1, false, 47 * MINUTE, 8 * MINUTE, 0, 0, Unmatched.FINAL, true, false, 3 * MINUTE,
            false, 3 * MINUTE), rule);
        assertEquals(WatermarkSpec.DEFAULT, configuration.spec().watermark());
        assertEquals(256, configuration.spec().slots());
        assertEquals(10_000_000, configuration.spec().maxRows());
        assertEquals(directory.resolve("data"), configuration.dataDirectory());
        assertEquals(1, configuration.workers());
        assertEquals(5, configuration.topology().sources());
        assertFalse(configuration.unsafeRetention());
    }

    @Test
    void shouldLetMaxBeforeBeTheLengthWhereItIsNotGiven()
    {
        assertEquals(5 * MINUTE, read(OVERLAP).spec().join().maxBeforeNs());
        assertEquals(0, read(OVERLAP.replace("max_length: 5m", "max_length: 5m\n  max_before: 0s"))
            .spec().join().maxBeforeNs());
    }

    @Test
    void shouldKnowWhichStreamIsLeftWhateverTheirOrder()
    {
        final Configuration configuration = read(JOIN.replace("left: payments", "left: signals")
            .replace("right: signals", "right: payments"));

        assertEquals(1, configuration.spec().leftStream());
    }

    @Test
    void shouldTakeEverySettingThereIs()
    {
        final Configuration configuration = read("""
            pipeline: everything
            data: elsewhere
            workers: 2
            slots: 16
            checkpoint: {every: 10s, every_events: 1000000, keep: 3, durability: power}
            state: {max_rows: 1_000}
            repair: {horizon: 30d}
            sink: {type: postgres, url: "jdbc:postgresql://db/x", user: me, password_env: PGPASSWORD}
            retention: {unsafe_override: 1m}
            watermark: {scope: key, key_skew: 20m, delay: 1s, idle_after: 5s, max_ahead: off}
            """ + JOIN.replace("partitions: 2", "partitions: 2, ingest: {columns: {key: merchant, id: payment_id}}")
            .replace("type:", "version: 3\n  unmatched: provisional\n  unmatched_sides: [left, right]\n" +
            "  lateness_clock: joint\n  max_move: 0s\n  type:"));

        final JoinRule rule = configuration.spec().join();
        assertEquals(3, rule.version());
        assertTrue(rule.joint());
        assertTrue(rule.publishesUnmatched(JoinRule.LEFT) && rule.publishesUnmatched(JoinRule.RIGHT));
        assertEquals(0, rule.maxMoveNs());
        assertEquals(new WatermarkSpec(true, 1_000_000_000L, 5_000_000_000L, WatermarkSpec.OFF, 20 * MINUTE),
            configuration.spec().watermark());
        assertEquals(1_000, configuration.spec().maxRows());
        assertEquals(directory.resolve("elsewhere"), configuration.dataDirectory());
        assertEquals(Map.of("key", "merchant", "id", "payment_id"), configuration.columns().get("payments").names());
        assertEquals(2, configuration.workers());
        assertTrue(configuration.unsafeRetention());
    }

    @Test
    void shouldReadSessions()
    {
        assertEquals(
            new SessionRule(1, 11 * MINUTE, true, false, 3 * MINUTE, false, 3 * MINUTE), read(SESSION).spec().rule());
        assertEquals(
            new SessionRule(1, 11 * MINUTE, false, true, 3 * MINUTE, false, 0), read(SESSION.replace("gap: 11m",
            "gap: 11m\n  emit: final\n  members: aggregate\n  max_move: 0s")).spec().rule());
        assertEquals(1, read(SESSION).spec().rule().inputs());
    }

    /** What is replaced in which base, by what, and where and how the complaint should read. */
    @ParameterizedTest(name = "{1} -> {2}")
    @CsvFileSource(resources = "/config/wrong.txt", numLinesToSkip = 1, delimiter = '~', quoteCharacter = '`')
    void shouldNameLineAndSettingWhenSomethingIsWrong(
        final String base, final String replaced, final String by, final String complaint)
    {
        final String yaml = Map.of("J", JOIN, "O", OVERLAP, "S", SESSION).get(base);
        final String from = replaced.replace("\\n", "\n");
        assertTrue(yaml.contains(from), from);

        final ConfigurationException e = assertThrows(
            ConfigurationException.class, () -> read(yaml.replace(from, by.replace("\\n", "\n"))));

        assertEquals(directory.resolve("tidemark.yaml") + complaint, e.getMessage());
    }

    @Test
    void shouldSayWhatToDoWhenThereIsNoFile()
    {
        final ConfigurationException e = assertThrows(
            ConfigurationException.class, () -> ConfigurationReader.read(directory.resolve("none.yaml")));

        assertEquals(directory.resolve("none.yaml") +
            ": no such file; name a configuration with -c, or write one with 'tidemark init DIR'", e.getMessage());
    }

    @Test
    void shouldSayWhatToDoWhenTheFileIsEmpty()
    {
        final ConfigurationException e = assertThrows(ConfigurationException.class, () -> read("# nothing\n"));

        assertTrue(e.getMessage().contains("the file is empty"), e.getMessage());
    }

    private Configuration read(final String yaml)
    {
        final Path file = directory.resolve("tidemark.yaml");
        try
        {
            Files.writeString(file, yaml);
        }
        catch (final IOException e)
        {
            throw new java.io.UncheckedIOException(e);
        }
        return ConfigurationReader.read(file);
    }
}
