package io.tidemark.ops.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.worker.CheckpointSettings;

/**
 * A validated {@code tidemark.yaml}.
 *
 * @param file           where it was read from.
 * @param pipeline       its name.
 * @param dataDirectory  all logs and state live under here.
 * @param resultsDirectory results of this rule version live under here: the data directory for the first one.
 * @param ruleType       {@code interval-join}, {@code overlap-join} or {@code session}.
 * @param topology       streams and partitions in the order of the file.
 * @param spec           what the pipeline computes.
 * @param columns        by stream: what its feeds call the columns, and which ones mean nothing.
 * @param workers        number of workers.
 * @param settings       everything that decides results, by path of the setting, as canonical text.
 * @param sink           where results are kept for others to read.
 * @param unsafeRetention whether {@code retention.unsafe_override} is set.
 * @param repairHorizonNs how far back from the largest time late events can be repaired.
 * @param checkpoints    when they are taken, and how.
 */
public record Configuration(
    Path file,
    String pipeline,
    Path dataDirectory,
    Path resultsDirectory,
    String ruleType,
    Topology topology,
    PipelineSpec spec,
    Map<String, Columns> columns,
    int workers,
    Map<String, String> settings,
    SinkSettings sink,
    boolean unsafeRetention,
    long repairHorizonNs,
    CheckpointSettings checkpoints)
{
    /**
     * Columns of a stream's feeds.
     *
     * @param names   the user's names by ours, where they differ.
     * @param ignored the user's names of what is passed over.
     */
    public record Columns(Map<String, String> names, List<String> ignored)
    {
    }
}
