package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderedEvents;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.ops.config.ConfigurationReader;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Compares a pipeline whose processes were killed with others that nobody disturbed: its source logs with those of one
 * that was given the same feeds; its order, all records that it made, and its state with those of one that has the very
 * same source logs.
 */
final class SoakComparison
{
    private final Path one;
    private final Path imported;
    private final Path other;
    private final Topology topology;
    private long records;

    SoakComparison(final Path killed, final Path imported, final Path repeated)
    {
        this.one = killed.resolve("data");
        this.imported = imported.resolve("data");
        this.other = repeated.resolve("data");
        topology = ConfigurationReader.read(killed.resolve("tidemark.yaml")).topology();
    }

    /** The first difference in words, or null. */
    String difference()
    {
        String difference = differenceOfSources();
        difference = difference != null ? difference : differenceOfOrder();
        for (final String log : List.of(PipelineRuntime.CHANGES, PipelineRuntime.LATE, PipelineRuntime.REJECTS))
        {
            difference = difference != null ? difference : differenceOf(log, one.resolve(log), other.resolve(log));
        }
        if (difference != null)
        {
            return difference;
        }
        final String state = newest(one);
        return state.equals(newest(other)) ? null :
            "the states differ: " + state + " after kills, " + newest(other) + " without";
    }

    long records()
    {
        return records;
    }

    String stateDigest()
    {
        return newest(one);
    }

    private static String newest(final Path data)
    {
        final CheckpointDirectory directory = new CheckpointDirectory(data);
        final long position = directory.positions().get(0);
        return "position " + position + ", digest " + directory.manifest(position).stateDigest();
    }

    /** In which records the source logs differ, wherever in their files these stand: that tells the day. */
    String differenceOfSources()
    {
        String difference = null;
        for (int source = 0; source < topology.sources() && difference == null; source++)
        {
            difference = differenceOf(topology.sourceName(source), SourceLogs.directory(one, topology, source),
                SourceLogs.directory(imported, topology, source));
        }
        return difference;
    }

    private String differenceOfOrder()
    {
        try (SourceLogs sources = SourceLogs.openReadOnly(one, topology);
            Log order = Log.openReadOnly(one.resolve(PipelineRuntime.ORDER));
            OrderedEvents events = new OrderedEvents(sources, order);
            SourceLogs otherSources = SourceLogs.openReadOnly(other, topology);
            Log otherOrder = Log.openReadOnly(other.resolve(PipelineRuntime.ORDER));
            OrderedEvents otherEvents = new OrderedEvents(otherSources, otherOrder))
        {
            while (events.next())
            {
                if (!otherEvents.next() || events.source() != otherEvents.source() ||
                    !isEqual(events, otherEvents))
                {
                    return "the orders differ at position " + events.position();
                }
                records++;
            }
            return otherEvents.next() ? "the order after kills ends before position " + otherEvents.position() : null;
        }
    }

    private static boolean isEqual(final OrderedEvents one, final OrderedEvents other)
    {
        return new UnsafeBuffer(one.buffer(), one.offset(), one.length()).equals(
            new UnsafeBuffer(other.buffer(), other.offset(), other.length()));
    }

    private String differenceOf(final String name, final Path after, final Path without)
    {
        try (Log log = Log.openReadOnly(after); LogTailer tailer = log.tailer();
            Log otherLog = Log.openReadOnly(without); LogTailer otherTailer = otherLog.tailer())
        {
            while (tailer.poll())
            {
                if (!otherTailer.poll() || tailer.length() != otherTailer.length() ||
                    !new UnsafeBuffer(tailer.buffer(), tailer.offset(), tailer.length()).equals(
                        new UnsafeBuffer(otherTailer.buffer(), otherTailer.offset(), otherTailer.length())))
                {
                    return "record " + tailer.number() + " of log " + name + " differs";
                }
                records++;
            }
            return otherTailer.poll() ? "log " + name + " after kills ends before record " + otherTailer.number() :
                null;
        }
    }
}
