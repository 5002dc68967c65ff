package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.operator.Operator;
import io.tidemark.operator.Tally;
import io.tidemark.operator.clock.Clocks;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;

/**
 * The registry of a pipeline's counters: what each says, and what an operator of the pipeline should conclude. Type ids
 * are never reused; ranges: 10 order, 20 worker, 40 state, 50 inputs (key: side), 60 partitions (key: source). Clocks
 * are nanoseconds of event time; int64's ends are the infinities.
 */
public final class PipelineCounters
{
    /** Last position in the order log. Standing still while producers append: the sequencer has stopped. */
    public static final int ORDERED_POSITION = 10;

    /** Last position that was processed. Falling behind the ordered one: the worker is too slow. */
    public static final int POSITION = 20;

    /** Events processed, watermark events included and ticks not. Its rate is the throughput. */
    public static final int EVENTS = 21;

    /** Upserts and retractions applied. Far below the events: look which of the next five grows. */
    public static final int ACCEPTED = 22;

    /** Events whose row was at or past them already. Growing fast: a producer sends again, or restarts often. */
    public static final int DUPLICATES = 23;

    /** Duplicates with other content. Above 0: a producer reuses revisions; the first in the order stands. */
    public static final int CONFLICTS = 24;

    /** Events in the repair queue. Growing fast: lateness is set too short, or one partition runs ahead. */
    public static final int LATE = 25;

    /** Events rejected in their place. Above 0: a producer breaks the rules; export rejects says which. */
    public static final int REJECTED = 26;

    /** Change-sets written, or compared during a replay. Its rate is what sinks must keep up with. */
    public static final int CHANGE_SETS = 27;

    /** 1 while positions of an earlier run are processed again. Until it is 0 nothing new comes out. */
    public static final int REPLAYING = 28;

    /** Newest generation of the table. Not growing after a publication: it was refused, see repair list. */
    public static final int GENERATION = 29;

    /** Rows in state. Near state.max_rows: raise the limit before the worker stops at it. */
    public static final int ROWS = 40;

    /** Bytes of state. Growing without the rows: look for keys that are never used again. */
    public static final int STATE_BYTES = 41;

    /** W of an input. Standing still: the partition of that input with the smallest clock holds it back. */
    public static final int WATERMARK = 50;

    /** A of an input, in scope key of keys without clocks of their own. Far behind W: the other input holds it back. */
    public static final int ACCEPTANCE_CLOCK = 51;

    /** P of a partition. Standing still while records grow: its producer's times stand still. */
    public static final int PARTITION_CLOCK = 60;

    /** 1 while a partition counts, 0 while it is idle. 0 with a producer at work: idle_after is set too short. */
    public static final int PARTITION_ACTIVE = 61;

    /** Records of a partition that were processed. Less than its log holds: that many wait. */
    public static final int PARTITION_RECORDS = 62;

    /** Arrival of a partition's last event, raised to the largest before it. Old: its producer is silent. */
    public static final int PARTITION_LAST_ARRIVAL = 63;

    private static final int SINGLE = 13;
    private static final int PER_INPUT = 2;
    private static final int PER_SOURCE = 4;

    private final AtomicCounter ordered;
    private final AtomicCounter position;
    private final AtomicCounter events;
    private final AtomicCounter accepted;
    private final AtomicCounter duplicates;
    private final AtomicCounter conflicts;
    private final AtomicCounter late;
    private final AtomicCounter rejected;
    private final AtomicCounter changeSets;
    private final AtomicCounter replaying;
    private final AtomicCounter generation;
    private final AtomicCounter rows;
    private final AtomicCounter stateBytes;
    private final AtomicCounter[] watermarks;
    private final AtomicCounter[] acceptanceClocks;
    private final AtomicCounter[] partitionClocks;
    private final AtomicCounter[] partitionsActive;
    private final AtomicCounter[] partitionRecords;
    private final AtomicCounter[] lastArrivals;

    PipelineCounters(final CountersManager manager, final Topology topology, final Clocks clocks)
    {
        ordered = single(manager, ORDERED_POSITION, "last position ordered");
        position = single(manager, POSITION, "last position processed");
        events = single(manager, EVENTS, "events");
        accepted = single(manager, ACCEPTED, "accepted");
        duplicates = single(manager, DUPLICATES, "duplicates");
        conflicts = single(manager, CONFLICTS, "conflicts");
        late = single(manager, LATE, "late");
        rejected = single(manager, REJECTED, "rejected");
        changeSets = single(manager, CHANGE_SETS, "change-sets");
        replaying = single(manager, REPLAYING, "replaying");
        generation = single(manager, GENERATION, "generation");
        rows = single(manager, ROWS, "rows");
        stateBytes = single(manager, STATE_BYTES, "bytes of state");
        watermarks = perInput(manager, WATERMARK, "watermark", topology, clocks);
        acceptanceClocks = perInput(manager, ACCEPTANCE_CLOCK, "acceptance clock", topology, clocks);
        partitionClocks = perSource(manager, PARTITION_CLOCK, "clock", topology);
        partitionsActive = perSource(manager, PARTITION_ACTIVE, "active", topology);
        partitionRecords = perSource(manager, PARTITION_RECORDS, "records processed", topology);
        lastArrivals = perSource(manager, PARTITION_LAST_ARRIVAL, "last arrival", topology);
    }

    static int capacity(final int sources)
    {
        return SINGLE + 2 * PER_INPUT + sources * PER_SOURCE;
    }

    void publish(
        final Worker worker, final Operator operator, final long lastOrdered, final long changeSetsWritten)
    {
        final Tally tally = operator.tally();
        final Clocks clocks = operator.clocks();
        ordered.setRelease(lastOrdered);
        events.setRelease(tally.events());
        accepted.setRelease(tally.accepted());
        duplicates.setRelease(tally.duplicates());
        conflicts.setRelease(tally.conflicts());
        late.setRelease(tally.late());
        rejected.setRelease(tally.rejected());
        changeSets.setRelease(changeSetsWritten);
        replaying.setRelease(worker.isReplaying() ? 1 : 0);
        generation.setRelease(worker.generation());
        rows.setRelease(operator.rows());
        stateBytes.setRelease(operator.stateBytes());
        for (int side = 0; side < watermarks.length; side++)
        {
            watermarks[side].setRelease(clocks.watermark(side));
            acceptanceClocks[side].setRelease(clocks.acceptance(side));
        }
        for (int source = 0; source < partitionClocks.length; source++)
        {
            partitionClocks[source].setRelease(clocks.partitionClock(source));
            partitionsActive[source].setRelease(clocks.isActive(source) ? 1 : 0);
            partitionRecords[source].setRelease(worker.records(source));
            lastArrivals[source].setRelease(clocks.lastArrival(source));
        }
        // last: who sees this position sees counters that are at least as new
        position.setRelease(worker.position());
    }

    private static AtomicCounter single(final CountersManager manager, final int typeId, final String label)
    {
        return manager.newCounter(label, typeId, key -> key.putInt(0, 0));
    }

    private static AtomicCounter[] perInput(
        final CountersManager manager,
        final int typeId,
        final String label,
        final Topology topology,
        final Clocks clocks)
    {
        final AtomicCounter[] counters = new AtomicCounter[clocks.inputs()];
        for (int source = 0; source < topology.sources(); source++)
        {
            final int side = clocks.side(source);
            if (counters[side] == null)
            {
                final String stream = topology.streamName(topology.streamOf(source));
                counters[side] = manager.newCounter(label + " of " + stream, typeId, key -> key.putInt(0, side));
            }
        }
        return counters;
    }

    private static AtomicCounter[] perSource(
        final CountersManager manager, final int typeId, final String label, final Topology topology)
    {
        final AtomicCounter[] counters = new AtomicCounter[topology.sources()];
        for (int source = 0; source < counters.length; source++)
        {
            final int s = source;
            counters[source] = manager.newCounter(
                label + " of " + topology.sourceName(source), typeId, key -> key.putInt(0, s));
        }
        return counters;
    }
}
