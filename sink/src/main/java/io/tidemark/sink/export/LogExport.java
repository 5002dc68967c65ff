package io.tidemark.sink.export;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.LocalDate;
import java.util.List;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.sink.Change;
import io.tidemark.sink.ChangeSet;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.RejectEntry;
import io.tidemark.sink.TurnedAwayLine;

/**
 * Writes records of the logs: changes, late and rejected events, the order.
 */
public final class LogExport
{
    /** Columns of {@code changes}. */
    public static final List<String> CHANGE_COLUMNS = List.of(
        "position", "slot", "ordinal", "epoch", "generation", "cause", "op", "row");

    /** Columns of {@code late}. */
    public static final List<String> LATE_COLUMNS = List.of(
        "position", "stream", "partition", "index", "kind", "id", "revision", "key", "time", "acceptance_clock",
        "reason", "due", "state");

    /** Columns of {@code rejects}. */
    public static final List<String> REJECT_COLUMNS = List.of("position", "file", "line", "reason", "text");

    /** Columns of {@code order}. */
    public static final List<String> ORDER_COLUMNS = List.of("position", "stream", "partition", "index", "arrival");

    /** Arrival of a publication, which has none. */
    public static final long NO_ARRIVAL = Long.MIN_VALUE;

    private final Topology topology;
    private final RecordWriter writer;
    private final TableExport rows;

    /**
     * @param topology of the pipeline.
     * @param writer   for the columns of what is written.
     */
    public LogExport(final Topology topology, final RecordWriter writer)
    {
        this.topology = topology;
        this.writer = writer;
        rows = new TableExport(writer);
    }

    /**
     * Writes a change-set, one record a change.
     *
     * @param changeSet the next.
     */
    public void write(final ChangeSet changeSet)
    {
        try
        {
            for (final Change change : changeSet.changes())
            {
                writer.begin();
                writer.number("position", changeSet.identity().position());
                writer.number("slot", changeSet.identity().slot());
                writer.number("ordinal", changeSet.identity().ordinal());
                writer.number("epoch", changeSet.epoch());
                writer.number("generation", changeSet.generation());
                writer.text("cause", changeSet.cause(topology));
                writer.text("op", change.isInsertion() ? "insert" : "retract");
                final RecordWriter row = writer.nested("row");
                row.begin();
                rows.writeFields(row, change.row());
                row.end();
                writer.end();
            }
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes a late event.
     *
     * @param late  the next.
     * @param state what became of it, in one word.
     */
    public void write(final LateEntry late, final String state)
    {
        try
        {
            writer.begin();
            writer.number("position", late.position());
            writer.text("stream", topology.streamName(late.stream()));
            writer.number("partition", late.partition());
            writer.number("index", late.index());
            writer.text("kind", EventKind.nameOf(late.kind()));
            writer.text("id", late.id().toString());
            writer.number("revision", late.revision());
            writer.text("key", late.key().toString());
            writer.text("time", TimeText.ofTime(late.time()));
            writer.text("acceptance_clock", TimeText.ofClock(late.acceptanceClock()));
            writer.text("reason", late.reason().text());
            writer.text("due", LocalDate.ofEpochDay(late.dueDay()).toString());
            writer.text("state", state);
            writer.end();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes an event that was rejected in its place in the order; its text is the event in the form of a feed.
     *
     * @param reject the next.
     */
    public void write(final RejectEntry reject)
    {
        try
        {
            writer.begin();
            writer.number("position", reject.position());
            writer.missing("file");
            writer.missing("line");
            writer.text("reason", reject.reason().text());
            writer.text("text", EventText.of(topology, reject));
            writer.end();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes a line that ingest turned away.
     *
     * @param line the next.
     */
    public void write(final TurnedAwayLine line)
    {
        try
        {
            writer.begin();
            writer.missing("position");
            writer.text("file", line.file());
            writer.number("line", line.line());
            writer.text("reason", line.reason());
            writer.text("text", line.text());
            writer.end();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Writes a position of the order.
     *
     * @param position from 1.
     * @param source   ordinal of the source, or a negative number for a tick or publication, which has no record.
     * @param index    queue index in the source log.
     * @param arrival  of the event, or the time of the tick, or {@link #NO_ARRIVAL}.
     */
    public void writeOrder(final long position, final int source, final long index, final long arrival)
    {
        try
        {
            writer.begin();
            writer.number("position", position);
            if (source < 0)
            {
                writer.missing("stream");
                writer.missing("partition");
                writer.missing("index");
            }
            else
            {
                writer.text("stream", topology.streamName(topology.streamOf(source)));
                writer.number("partition", topology.partitionOf(source));
                writer.number("index", index);
            }
            if (arrival == NO_ARRIVAL)
            {
                writer.missing("arrival");
            }
            else
            {
                writer.text("arrival", TimeText.ofTime(arrival));
            }
            writer.end();
        }
        catch (final IOException e)
        {
            throw new UncheckedIOException(e);
        }
    }
}
