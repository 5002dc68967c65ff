package io.tidemark.ops.command;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.ops.config.Configuration;

/**
 * What {@code status} shows, taken from files only: it works beside a running pipeline, a hung one, and after its end.
 *
 * @param lastRun    its process.
 * @param ordered    last position of the order.
 * @param position   last position processed.
 * @param events     processed.
 * @param accepted   of them.
 * @param duplicates of them.
 * @param conflicts  of the duplicates.
 * @param late       of them.
 * @param rejected   of them.
 * @param changeSets written or compared.
 * @param generation newest of the table.
 * @param rows       in state.
 * @param stateBytes of state.
 * @param checkpoint the newest, and how the last run began.
 * @param inputs     by side.
 * @param partitions by source.
 */
record PipelineStatus(
    LastRun lastRun,
    long ordered,
    long position,
    long events,
    long accepted,
    long duplicates,
    long conflicts,
    long late,
    long rejected,
    long changeSets,
    long generation,
    long rows,
    long stateBytes,
    CheckpointStatus checkpoint,
    List<Input> inputs,
    List<Partition> partitions)
{
    private static final long HUNG_AFTER_MS = 5_000;

    /** What the process of the last run is doing. */
    enum State
    {
        /** No run yet. */
        NEVER_RUN,
        /** Alive. */
        RUNNING,
        /** Its process exists, but has not finished a piece of work for seconds. */
        NOT_RESPONDING,
        /** Ended in order. */
        ENDED,
        /** Its process is gone, and did not say so. */
        KILLED
    }

    /**
     * The process of the last run.
     *
     * @param state       of it.
     * @param pid         of it.
     * @param startedMs   milliseconds since the epoch.
     * @param lastSeenMs  milliseconds since the epoch.
     * @param isReplaying whether it is still at what an earlier run has done.
     */
    record LastRun(State state, long pid, long startedMs, long lastSeenMs, boolean isReplaying)
    {
    }

    /**
     * Clocks of an input.
     *
     * @param name       of the stream.
     * @param watermark  {@code W}.
     * @param acceptance {@code A}.
     */
    record Input(String name, long watermark, long acceptance)
    {
    }

    /**
     * A partition.
     *
     * @param stream      its name.
     * @param partition   0-based.
     * @param clock       {@code P}.
     * @param isActive    false when idle.
     * @param logged      records in its log.
     * @param processed   of them.
     * @param lastArrival of its events.
     */
    record Partition(
        String stream, int partition, long clock, boolean isActive, long logged, long processed, long lastArrival)
    {
        long waiting()
        {
            return logged - processed;
        }
    }

    static PipelineStatus read(final Configuration configuration, final long nowMs)
    {
        final Path data = configuration.dataDirectory();
        final PipelineSpec spec = configuration.spec();
        final long[] logged = SourceCounts.of(data, spec.topology());
        if (!Files.exists(configuration.resultsDirectory().resolve(CountersFile.NAME)))
        {
            return new PipelineStatus(
                new LastRun(State.NEVER_RUN, 0, 0, 0, false), 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0,
                CheckpointStatus.NONE, inputs(spec, null), partitions(spec.topology(), logged, null));
        }
        try (CountersFile counters = CountersFile.openReadOnly(configuration.resultsDirectory()))
        {
            return new PipelineStatus(
                lastRun(counters, nowMs),
                value(counters, PipelineCounters.ORDERED_POSITION), value(counters, PipelineCounters.POSITION),
                value(counters, PipelineCounters.EVENTS), value(counters, PipelineCounters.ACCEPTED),
                value(counters, PipelineCounters.DUPLICATES), value(counters, PipelineCounters.CONFLICTS),
                value(counters, PipelineCounters.LATE), value(counters, PipelineCounters.REJECTED),
                value(counters, PipelineCounters.CHANGE_SETS),
                Math.max(1, value(counters, PipelineCounters.GENERATION)), value(counters, PipelineCounters.ROWS),
                value(counters, PipelineCounters.STATE_BYTES), CheckpointStatus.read(counters),
                inputs(spec, counters), partitions(spec.topology(), logged, counters));
        }
    }

    long waiting()
    {
        long waiting = 0;
        for (final Partition partition : partitions)
        {
            waiting += partition.waiting();
        }
        return waiting;
    }

    private static LastRun lastRun(final CountersFile counters, final long nowMs)
    {
        final State state;
        if (counters.endedMs() != 0)
        {
            state = State.ENDED;
        }
        else if (ProcessHandle.of(counters.pid()).isEmpty())
        {
            state = State.KILLED;
        }
        else
        {
            state = nowMs - counters.aliveMs() > HUNG_AFTER_MS ? State.NOT_RESPONDING : State.RUNNING;
        }
        final long lastSeenMs = counters.endedMs() != 0 ? counters.endedMs() : counters.aliveMs();
        return new LastRun(state, counters.pid(), counters.startedMs(), lastSeenMs,
            value(counters, PipelineCounters.REPLAYING) != 0);
    }

    private static List<Input> inputs(final PipelineSpec spec, final CountersFile counters)
    {
        final Input[] inputs = new Input[spec.rule().inputs()];
        for (int side = 0; side < inputs.length; side++)
        {
            inputs[side] = new Input(
                spec.topology().streamName(spec.stream(side)),
                value(counters, PipelineCounters.WATERMARK, side, Times.MINUS_INFINITY),
                value(counters, PipelineCounters.ACCEPTANCE_CLOCK, side, Times.MINUS_INFINITY));
        }
        return List.of(inputs);
    }

    private static List<Partition> partitions(final Topology topology, final long[] logged, final CountersFile counters)
    {
        final Partition[] partitions = new Partition[topology.sources()];
        for (int source = 0; source < partitions.length; source++)
        {
            partitions[source] = new Partition(
                topology.streamName(topology.streamOf(source)), topology.partitionOf(source),
                value(counters, PipelineCounters.PARTITION_CLOCK, source, Times.MINUS_INFINITY),
                value(counters, PipelineCounters.PARTITION_ACTIVE, source, 1) != 0, logged[source],
                value(counters, PipelineCounters.PARTITION_RECORDS, source, 0),
                value(counters, PipelineCounters.PARTITION_LAST_ARRIVAL, source, Times.MINUS_INFINITY));
        }
        return List.of(partitions);
    }

    private static long value(final CountersFile counters, final int typeId)
    {
        return value(counters, typeId, 0, 0);
    }

    private static long value(final CountersFile counters, final int typeId, final int key, final long missing)
    {
        return counters == null ? missing : counters.value(typeId, key, missing);
    }
}
