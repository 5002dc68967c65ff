package io.tidemark.sink.repair;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.EventRules;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;
import io.tidemark.operator.worker.CheckpointPlaces;
import io.tidemark.sink.Utf8;
import io.tidemark.sink.candidate.SourceRange;
import io.tidemark.sink.repair.build.RawEvent;
import io.tidemark.sink.verify.OrderStart;

/**
 * One pass over the order and the source logs up to a position: keeps the valid events of some keys near some times,
 * and what the clocks show at the end.
 */
final class RawScan
{
    private final PipelineSpec spec;
    private final Topology topology;
    private final Map<Utf8, TimeWindows> wanted;
    private final Set<Long> late;
    private final Set<Long> leftOut;
    private final EventRules rules;
    private final Map<Utf8, List<RawEvent>> events = new HashMap<>();
    private final long[] firstIndex;
    private final long[] lastIndex;
    private final long[] records;
    private Clocks clocks;
    private long clocksFrom;
    private OrderStart start;
    private long largestTime = Times.MINUS_INFINITY;

    /**
     * @param spec    of the pipeline.
     * @param wanted  times that matter, by key.
     * @param late    positions of all late events.
     * @param leftOut positions of events that count for nothing.
     */
    RawScan(
        final PipelineSpec spec,
        final Map<Utf8, TimeWindows> wanted,
        final Set<Long> late,
        final Set<Long> leftOut)
    {
        this.spec = spec;
        this.wanted = wanted;
        this.late = late;
        this.leftOut = leftOut;
        topology = spec.topology();
        clocks = Clocks.of(spec);
        rules = EventRules.of(spec.rule(), spec.watermark());
        firstIndex = new long[topology.sources()];
        lastIndex = new long[topology.sources()];
        records = new long[topology.sources()];
    }

    /**
     * Reads from the newest place before which nothing can have a time that matters: one that {@link OrderPlaces}
     * knows, or a checkpoint, where no event lies further ahead of its arrival than {@code max_ahead}. Where there is
     * none, from the oldest record that is kept. The clocks are those of the newest checkpoint, carried on.
     *
     * @param dataDirectory    that has source and order logs.
     * @param resultsDirectory that has checkpoints.
     * @param lastPosition     to read.
     * @param fromTime         earliest time that matters.
     */
    RawScan read(
        final Path dataDirectory, final Path resultsDirectory, final long lastPosition, final long fromTime)
    {
        return read(dataDirectory, resultsDirectory, lastPosition, fromTime, true);
    }

    /**
     * Reads no more than it takes to know the largest time of all.
     *
     * @param dataDirectory    that has source and order logs.
     * @param resultsDirectory that has checkpoints.
     * @param lastPosition     to read.
     */
    RawScan readLargestTime(final Path dataDirectory, final Path resultsDirectory, final long lastPosition)
    {
        return read(dataDirectory, resultsDirectory, lastPosition, Long.MAX_VALUE, false);
    }

    private RawScan read(
        final Path dataDirectory,
        final Path resultsDirectory,
        final long lastPosition,
        final long fromTime,
        final boolean isCheckpointEnough)
    {
        final List<CheckpointPlaces.Place> places = CheckpointPlaces.upTo(resultsDirectory, spec, lastPosition);
        if (!places.isEmpty())
        {
            clocks = places.get(0).clocks();
            clocksFrom = places.get(0).mark().position();
        }
        final OrderPlaces known = OrderPlaces.read(dataDirectory, topology.sources());
        final EventView view = new EventView();
        try (SourceLogs sources = SourceLogs.openReadOnly(dataDirectory, topology);
            Log orderLog = Log.openReadOnly(dataDirectory.resolve("order"));
            OrderedEvents order = new OrderedEvents(sources, orderLog))
        {
            final OrderStart oldest =
                OrderStart.oldest(orderLog, sources, places.isEmpty() ? null : places.get(0).mark());
            start = known.before(fromTime, oldest.position(), clocksFrom);
            boolean isIndexed = start != null;
            if (isIndexed)
            {
                largestTime = known.largestTimeAt(start.position());
            }
            else
            {
                final OrderStart checkpoint = isCheckpointEnough ? ofCheckpoint(places, fromTime) : null;
                isIndexed = checkpoint == null;
                start = isIndexed ? oldest : checkpoint;
            }
            order.moveAfter(start.position(), start.ordered());
            while (order.position() < lastPosition && order.next())
            {
                if (order.isEvent())
                {
                    onEvent(order, view.wrap(order.buffer(), order.offset()));
                }
                else if (order.isTick() && order.position() > clocksFrom)
                {
                    clocks.tick(order.nowNs());
                }
                if (isIndexed && known.isDue(order.position()))
                {
                    known.add(order, largestTime);
                }
            }
            if (order.position() < lastPosition)
            {
                throw new RepairException("the order ends with position " + order.position() + ", but results go on " +
                    "to " + lastPosition + ": they do not belong together; restore the data directory from a backup");
            }
            if (isIndexed)
            {
                known.add(order, largestTime);
                known.write();
            }
        }
        return this;
    }

    private OrderStart ofCheckpoint(final List<CheckpointPlaces.Place> places, final long fromTime)
    {
        final long maxAheadNs = spec.watermark().maxAheadNs();
        for (final CheckpointPlaces.Place place : places)
        {
            if (maxAheadNs != WatermarkSpec.OFF &&
                place.clocks().arrivalNow() < Times.minus(fromTime, maxAheadNs))
            {
                return new OrderStart(place.mark().position(), place.mark().ordered());
            }
        }
        return null;
    }

    private void onEvent(final OrderedEvents order, final EventView event)
    {
        final int source = order.source();
        firstIndex[source] = records[source]++ == 0 ? order.index() : firstIndex[source];
        lastIndex[source] = order.index();
        final boolean movesClocks = order.position() > clocksFrom;
        if (movesClocks)
        {
            clocks.beforeEvent(source, event.arrival());
        }
        if (event.kind() == EventKind.WATERMARK)
        {
            if (movesClocks)
            {
                clocks.afterWatermark(source, event.time());
            }
        }
        else if (rules.judge(event) == RejectReason.NONE)
        {
            largestTime = Math.max(largestTime, event.time());
            keep(order, event);
            if (movesClocks && event.kind() == EventKind.UPSERT)
            {
                clocks.afterValidUpsert(source, event.time());
            }
        }
    }

    private void keep(final OrderedEvents order, final EventView event)
    {
        final Utf8 key = Utf8.of(event.buffer(), event.keyOffset(), event.keyLength());
        final TimeWindows windows = wanted.get(key);
        if (windows == null || !windows.has(event.time()) || leftOut.contains(order.position()))
        {
            return;
        }
        events.computeIfAbsent(key, any -> new ArrayList<>()).add(new RawEvent(
            order.position(), spec.side(topology.streamOf(order.source())), topology.partitionOf(order.source()),
            order.index(), event.kind() == EventKind.RETRACT,
            Utf8.of(event.buffer(), event.idOffset(), event.idLength()), event.revision(), event.time(),
            event.start(), event.end(), event.value(), late.contains(order.position())));
    }

    List<RawEvent> events(final Utf8 key)
    {
        return events.getOrDefault(key, List.of());
    }

    /** {@code A(s)}; in scope key that of keys without clocks of their own, behind which no key's clock ever is. */
    long acceptance(final int side)
    {
        return side < spec.rule().inputs() ? clocks.acceptance(side) : Times.MINUS_INFINITY;
    }

    /** The largest time of all valid upserts and retractions. */
    long largestTime()
    {
        return largestTime;
    }

    /** Where reading began. */
    OrderStart start()
    {
        return start;
    }

    List<SourceRange> read()
    {
        final List<SourceRange> read = new ArrayList<>();
        for (int source = 0; source < records.length; source++)
        {
            read.add(new SourceRange(topology.streamOf(source), topology.partitionOf(source), firstIndex[source],
                lastIndex[source], records[source]));
        }
        return read;
    }
}
