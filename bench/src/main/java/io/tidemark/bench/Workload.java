package io.tidemark.bench;

import io.tidemark.ingest.StreamSpec;
import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;

import java.util.List;

/**
 * What a benchmark feeds to an interval join of payments (left) and signals (right), four partitions each. An event
 * arrives every {@link #STEP_NS}, so durations are given in events. A row of {@code lookEvents} and
 * {@code latenessEvents} stays for {@code latenessEvents + 2 * lookEvents} when it has pairs, because its last partner
 * has to stay open for that long.
 *
 * @param name           as asked for on the command line.
 * @param about          one line for the list.
 * @param keys           number of keys.
 * @param zipf           whether keys are drawn by Zipf's law instead of evenly.
 * @param leftPercent    share of payments among the events.
 * @param lookEvents     both look-back and look-ahead of the rule.
 * @param latenessEvents accepted lateness, and {@code max_move}, which is the same by default.
 * @param unmatched      when unmatched payments are published.
 */
public record Workload(
    String name,
    String about,
    int keys,
    boolean zipf,
    int leftPercent,
    int lookEvents,
    int latenessEvents,
    Unmatched unmatched)
{
    /** A million events a second. */
    public static final long STEP_NS = 1_000;

    /** Of each stream. */
    public static final int PARTITIONS = 4;

    private static final Topology TOPOLOGY =
        Topology.of(List.of(new StreamSpec("payments", PARTITIONS), new StreamSpec("signals", PARTITIONS)));
    private static final int SLOTS = 256;
    private static final long MAX_ROWS = 10_000_000;

    private static final List<Workload> ALL = List.of(
        new Workload("uniform", "10,000 even keys, 40 rows a key in the window, 8 matches an event",
            10_000, false, 50, 160_000, 80_000, Unmatched.FINAL),
        new Workload("zipf", "100,000 keys by Zipf 1.0, signals to payments 1:4, 50 matches an event",
            100_000, true, 80, 14_200, 7_100, Unmatched.FINAL),
        new Workload("sparse", "1,000,000 even keys, mostly one row a key, 0.08 outputs an event",
            1_000_000, false, 50, 160_000, 160_000, Unmatched.NONE),
        new Workload("sparse-final", "as sparse, and every unmatched payment is published when it is final",
            1_000_000, false, 50, 160_000, 160_000, Unmatched.FINAL));

    /**
     * All workloads.
     *
     * @return in the order in which they are run.
     */
    public static List<Workload> all()
    {
        return ALL;
    }

    /**
     * Events after which as many rows leave the state as come in, the pace of clean-up included.
     *
     * @return number of events.
     */
    public int windowEvents()
    {
        final int stay = Math.max(latenessEvents + 2 * lookEvents, 2 * latenessEvents);
        return stay + (3 * lookEvents + 2 * latenessEvents) / 8;
    }

    /**
     * The join that it feeds.
     *
     * @return what to compute.
     */
    public PipelineSpec spec()
    {
        final long lookNs = lookEvents * STEP_NS;
        final long latenessNs = latenessEvents * STEP_NS;
        final JoinRule rule =
            new JoinRule(1, false, lookNs, lookNs, 0, 0, unmatched, true, false, latenessNs, false, latenessNs);
        return new PipelineSpec(TOPOLOGY, 0, rule, WatermarkSpec.DEFAULT, SLOTS, MAX_ROWS);
    }

    /**
     * Streams and partitions.
     *
     * @return the same for all workloads.
     */
    public Topology topology()
    {
        return TOPOLOGY;
    }
}
