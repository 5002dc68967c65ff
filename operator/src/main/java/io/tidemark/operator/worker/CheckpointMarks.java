package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.store.Slots;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SnapshotRequest.PageCounts;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.util.ArrayList;
import java.util.List;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/** What a checkpoint's manifest says of logs and registers: how it is written, and how it is read back. */
final class CheckpointMarks
{
    private static final String SOURCES = "sources/";

    private CheckpointMarks()
    {
    }

    static List<LogMark> logs(
        final Topology topology, final OrderedEvents order, final List<ReplayingAppender> logs)
    {
        final List<LogMark> marks = new ArrayList<>();
        marks.add(new LogMark(PipelineRuntime.ORDER, order.orderNumber(), order.orderIndex()));
        for (int source = 0; source < topology.sources(); source++)
        {
            marks.add(new LogMark(
                SOURCES + topology.sourceName(source), order.lastNumber(source), order.lastIndex(source)));
        }
        marks.add(mark(PipelineRuntime.CHANGES, logs.get(RecoveredState.CHANGES)));
        marks.add(mark(PipelineRuntime.LATE, logs.get(RecoveredState.LATE)));
        marks.add(mark(PipelineRuntime.REJECTS, logs.get(RecoveredState.REJECTS)));
        return marks;
    }

    private static LogMark mark(final String name, final ReplayingAppender log)
    {
        return new LogMark(name, log.lastNumber(), log.lastIndex());
    }

    static LogMark source(final Manifest manifest, final Topology topology, final int source)
    {
        return manifest.log(SOURCES + topology.sourceName(source));
    }

    /** The place in the order where a checkpoint stands, once its operator is restored. */
    static OrderMark place(final Manifest manifest, final Topology topology, final Clocks clocks)
    {
        final long[] ordered = new long[topology.sources()];
        final long[] lastArrivals = new long[topology.sources()];
        for (int source = 0; source < ordered.length; source++)
        {
            ordered[source] = source(manifest, topology, source).number() + 1;
            lastArrivals[source] = clocks.lastArrival(source);
        }
        return new OrderMark(
            manifest.position(), ordered, manifest.requests(), clocks.arrivalNow(), lastArrivals);
    }

    static PageCounts pageCounts(final Slots slots)
    {
        final int[] counts = new int[slots.count()];
        for (int slot = 0; slot < counts.length; slot++)
        {
            counts[slot] = slots.pageCount(slot);
        }
        return new PageCounts(counts);
    }

    /** Registers of operator and publications: length of the first, the first, the second. */
    static Manifest.Bytes registers(final Operator operator, final PublicationHandler publications)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
        final int operatorLength = operator.saveRegisters(buffer, Integer.BYTES);
        buffer.putInt(0, operatorLength, LITTLE_ENDIAN);
        final int length = Integer.BYTES + operatorLength;
        final byte[] bytes = new byte[length + publications.saveRegisters(buffer, length)];
        buffer.getBytes(0, bytes);
        return new Manifest.Bytes(bytes);
    }

    static void restore(
        final Manifest.Bytes registers, final Operator operator, final PublicationHandler publications)
    {
        final DirectBuffer buffer = new UnsafeBuffer(registers.copy());
        final int operatorLength = buffer.getInt(0, LITTLE_ENDIAN);
        final int length = Integer.BYTES + operatorLength;
        operator.restore(buffer, Integer.BYTES, operatorLength);
        publications.restore(buffer, length, buffer.capacity() - length);
    }
}
