package io.tidemark.sink.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowShare;
import io.tidemark.sink.UnmatchedRow;
import org.junit.jupiter.api.Test;

/**
 * The model of {@code verify} against the answers of the cases, before any engine or log is involved.
 */
class RecomputationTest
{
    private static final long MINUTE = 60_000_000_000L;
    private static final long DAY = 1_440 * MINUTE;
    private static final long NEVER = WatermarkSpec.NEVER;
    private static final String[] SIDES = {"left", "right"};

    private final List<String> table = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final long[] sums = new long[8];

    @Test
    void shouldGiveTheAnswerOfPaymentRisk()
    {
        check("payment-risk", payments(Unmatched.FINAL, false, false, new WatermarkSpec(false, 0, NEVER, DAY, 0)));
    }

    @Test
    void shouldGiveTheAnswerWhenUnmatchedRowsAreProvisional()
    {
        check("payment-risk-provisional",
            payments(Unmatched.PROVISIONAL, true, false, new WatermarkSpec(false, 0, NEVER, DAY, 0)));
    }

    @Test
    void shouldGiveTheAnswerWithAJointClock()
    {
        check("payment-risk-joint", payments(Unmatched.FINAL, true, true, new WatermarkSpec(false, 0, NEVER, DAY, 0)));
    }

    @Test
    void shouldGiveTheAnswerWhenPartitionsFallIdle()
    {
        check("payment-risk-idle",
            payments(Unmatched.FINAL, false, false, new WatermarkSpec(false, 0, 5_000_000_000L, DAY, 0)));
    }

    @Test
    void shouldGiveTheAnswerWhenKeysHaveClocks()
    {
        check("payment-risk-key-scope",
            payments(Unmatched.FINAL, false, false, new WatermarkSpec(true, 0, NEVER, DAY, 20 * MINUTE)));
    }

    @Test
    void shouldGiveTheAnswerOfAnOverlapJoin()
    {
        final JoinRule rule = new JoinRule(1, true, 0, 0, 50, 50, Unmatched.NONE, true, false, 10, false, 10);
        final Topology topology = Topology.of(List.of(new StreamSpec("L", 1), new StreamSpec("R", 1)));
        check("overlap-rounds", new PipelineSpec(topology, 0, rule, WatermarkSpec.DEFAULT, 256, 1_000));
    }

    private void check(final String name, final PipelineSpec spec)
    {
        final String feed = name.startsWith("payment-risk") ? "payment-risk.csv" : name + ".csv";
        final ClockModel clocks = recompute(spec, feed);
        final List<String> expected = FeedFixture.lines(name + ".expected.jsonl");
        assertEquals(rows(expected, "pairs", "unmatched"), table.stream().sorted().collect(Collectors.joining("\n")));
        assertEquals(
            expected.stream().filter(line -> line.startsWith("{\"table\": \"late\""))
                .map(line -> field(line, "position") + " " + field(line, "acceptance_clock") + " " +
                    field(line, "reason"))
                .sorted().collect(Collectors.joining("\n")),
            late.stream().sorted().collect(Collectors.joining("\n")));
        final String summary = expected.get(expected.size() - 1);
        assertEquals(
            Stream.of("accepted", "duplicates", "conflicts", "late", "open", "ghosts", "records", "tombstones")
                .map(counter -> field(summary, counter)).collect(Collectors.joining(" ")),
            Stream.of(sums[0], sums[1], sums[2], (long)late.size(), sums[3], sums[4], sums[5], sums[6])
                .map(String::valueOf).collect(Collectors.joining(" ")));
        assertEquals(field(summary, "key_clocks"), String.valueOf(sums[7]));
        assertEquals(
            field(summary, "watermark"),
            Instant.EPOCH.plusNanos(clocks.watermark(0)).toString());
    }

    private ClockModel recompute(final PipelineSpec spec, final String feed)
    {
        final Recomputation recomputation = new Recomputation(spec, new FeedFixture(feed, spec.topology()));
        recomputation.readClocks();
        for (int portion = 0; portion < 3; portion++)
        {
            recomputation.read(portion, 3).forEach((key, events) ->
            {
                final KeyOutcome outcome = recomputation.recompute(events, RowShare.ALL);
                outcome.rows.values().forEach(row -> table.add(text(row)));
                outcome.late.forEach(e -> late.add(
                    e.event().position() + " " + Instant.EPOCH.plusNanos(e.clock()) + " " + e.reason()));
                final long[] counts = {outcome.accepted, outcome.duplicates, outcome.conflicts, outcome.open,
                    outcome.ghosts, outcome.records, outcome.tombstones, outcome.keyClocks};
                for (int i = 0; i < counts.length; i++)
                {
                    sums[i] += counts[i];
                }
                final int shared = recomputation.recompute(events, new RowShare(0, 2)).rows.size() +
                    recomputation.recompute(events, new RowShare(1, 2)).rows.size();
                assertEquals(outcome.rows.size(), shared);
            });
        }
        return recomputation.clocks();
    }

    private static PipelineSpec payments(
        final Unmatched unmatched, final boolean bothSides, final boolean joint, final WatermarkSpec watermark)
    {
        final JoinRule rule = new JoinRule(
            1, false, 47 * MINUTE, 8 * MINUTE, 0, 0, unmatched, true, bothSides, 3 * MINUTE, joint, 3 * MINUTE);
        final Topology topology = Topology.of(List.of(new StreamSpec("payments", 2), new StreamSpec("signals", 2)));
        return new PipelineSpec(topology, 0, rule, watermark, 256, 10_000);
    }

    private static String text(final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            return "pair|1|" + pair.key() + "|" + pair.left().id() + "@" + pair.left().revision() + "|" +
                pair.right().id() + "@" + pair.right().revision();
        }
        final UnmatchedRow alone = (UnmatchedRow)row;
        return "unmatched|1|" + alone.key() + "|" + SIDES[alone.side()] + "|" + alone.row().id() + "@" +
            alone.row().revision() + " " + alone.isFinal();
    }

    private static String rows(final List<String> expected, final String... tables)
    {
        return expected.stream()
            .filter(line -> Stream.of(tables).anyMatch(name -> line.startsWith("{\"table\": \"" + name)))
            .map(line -> field(line, "row_id") + (line.contains("\"final\"") ? " " + field(line, "final") : ""))
            .sorted().collect(Collectors.joining("\n"));
    }

    /** First field of that name in a line of plain JSON. */
    private static String field(final String line, final String name)
    {
        final int at = line.indexOf("\"" + name + "\": ") + name.length() + 4;
        final String rest = line.substring(at);
        return rest.startsWith("\"") ? rest.substring(1, rest.indexOf('"', 1)) : rest.split("[,}]", 2)[0];
    }
}
