package io.tidemark.ops.command;

import java.time.LocalDate;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.codec.BarrierDecoder;
import io.tidemark.ingest.codec.BarrierRequestDecoder;
import io.tidemark.ingest.codec.ControlDecoder;
import io.tidemark.ingest.codec.EventDecoder;
import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.PublicationDecoder;
import io.tidemark.ingest.codec.RunsDecoder;
import io.tidemark.ingest.codec.TickDecoder;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.RejectedEventDecoder;
import io.tidemark.sink.ChangeSet;
import io.tidemark.sink.export.TimeText;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Any record of any log as text.
 */
final class RecordText
{
    private final Topology topology;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final io.tidemark.operator.codec.MessageHeaderDecoder resultHeader =
        new io.tidemark.operator.codec.MessageHeaderDecoder();
    private final EventView event = new EventView();
    private final RunsDecoder runs = new RunsDecoder();
    private final TickDecoder tick = new TickDecoder();
    private final ChangeSetDecoder changeSet = new ChangeSetDecoder();
    private final LateEventDecoder late = new LateEventDecoder();
    private final RejectedEventDecoder rejected = new RejectedEventDecoder();
    private final UnsafeBuffer key = new UnsafeBuffer(0, 0);
    private final UnsafeBuffer id = new UnsafeBuffer(0, 0);
    private final ExpandableArrayBuffer rowId = new ExpandableArrayBuffer(RowIds.MAX_LENGTH);

    RecordText(final Topology topology)
    {
        this.topology = topology;
    }

    String of(final DirectBuffer record, final int offset)
    {
        header.wrap(record, offset);
        if (header.schemaId() == EventDecoder.SCHEMA_ID)
        {
            return switch (header.templateId())
            {
                case EventDecoder.TEMPLATE_ID -> event(record, offset);
                case RunsDecoder.TEMPLATE_ID -> runs(record, offset);
                case TickDecoder.TEMPLATE_ID -> tick(record, offset);
                case BarrierDecoder.TEMPLATE_ID -> barrier(record, offset);
                case ControlDecoder.TEMPLATE_ID -> control(record, offset);
                case BarrierRequestDecoder.TEMPLATE_ID -> "asks for a checkpoint";
                case PublicationDecoder.TEMPLATE_ID -> publication(record, offset);
                default -> unknown();
            };
        }
        if (header.schemaId() == LateEventDecoder.SCHEMA_ID)
        {
            return switch (header.templateId())
            {
                case LateEventDecoder.TEMPLATE_ID -> late(record, offset);
                case RejectedEventDecoder.TEMPLATE_ID -> rejected(record, offset);
                default -> ChangeSetDecoder.isChangeSet(record, offset) ? changeSet(record, offset) : unknown();
            };
        }
        return unknown();
    }

    private String event(final DirectBuffer record, final int offset)
    {
        event.wrap(record, offset);
        final String arrival = " arrival " + time(event.arrival());
        if (event.kind() == EventKind.WATERMARK)
        {
            return "watermark " + TimeText.ofClock(event.time()) + arrival;
        }
        return kind(event.kind()) + " key " + event.key() + " id " + event.id() + "@" + event.revision() +
            " time " + time(event.time()) + span(event.start(), event.end()) + " value " + event.value() + arrival;
    }

    private String runs(final DirectBuffer record, final int offset)
    {
        runs.wrapAndApplyHeader(record, offset, header);
        final StringBuilder text = new StringBuilder("from position ").append(runs.firstPosition()).append(':');
        for (final RunsDecoder.EntriesDecoder run : runs.entries())
        {
            text.append(' ').append(topology.sourceName(run.source())).append(" x").append(run.events());
        }
        return text.toString();
    }

    private String tick(final DirectBuffer record, final int offset)
    {
        tick.wrapAndApplyHeader(record, offset, header);
        return "position " + tick.position() + ": tick " + time(tick.nowNs());
    }

    private String barrier(final DirectBuffer record, final int offset)
    {
        final BarrierDecoder barrier = new BarrierDecoder().wrapAndApplyHeader(record, offset, header);
        return "after position " + barrier.position() + ": barrier";
    }

    private String control(final DirectBuffer record, final int offset)
    {
        final ControlDecoder control = new ControlDecoder().wrapAndApplyHeader(record, offset, header);
        return "position " + control.position() + ": record #" + control.firstRequest() + " of the control log" +
            (control.records() > 1 ? " and the next " + (control.records() - 1) : "");
    }

    private String publication(final DirectBuffer record, final int offset)
    {
        final PublicationDecoder publication = new PublicationDecoder().wrapAndApplyHeader(record, offset, header);
        return "asks to publish candidate " + publication.candidate() + ", part " + (publication.part() + 1) + " of " +
            publication.parts();
    }

    private String changeSet(final DirectBuffer record, final int offset)
    {
        changeSet.wrap(record, offset);
        final StringBuilder text = new StringBuilder("(" + changeSet.position() + ", " + changeSet.slot() + ", " +
            Integer.toUnsignedString(changeSet.ordinal()) + ") epoch " + changeSet.epoch() + " generation " +
            changeSet.generation() + " cause " + cause());
        if (changeSet.hasMore() || changeSet.part() > 0)
        {
            text.append(" part ").append(changeSet.part()).append(changeSet.hasMore() ? ", goes on" : ", last");
        }
        while (changeSet.next())
        {
            final int length = changeSet.putRowId(rowId, 0);
            text.append(changeSet.isRetraction() ? "\n    - " : "\n    + ")
                .append(rowId.getStringWithoutLengthUtf8(0, length))
                .append(changeSet.isPair() ? "" : changeSet.isFinal() ? " final" : " provisional");
        }
        return text.toString();
    }

    private String cause()
    {
        return switch (changeSet.causeStream())
        {
            case ChangeSet.CLOCK -> "clock";
            case ChangeSet.REQUEST -> "control/0/" + changeSet.causeIndex();
            default -> topology.streamName(changeSet.causeStream()) + "/" + changeSet.causePartition() + "/" +
                changeSet.causeIndex();
        };
    }

    private String late(final DirectBuffer record, final int offset)
    {
        late.wrapAndApplyHeader(record, offset, resultHeader);
        late.wrapKey(key);
        late.wrapId(id);
        return "position " + late.position() + " " + topology.sourceName(late.source()) + "/" + late.index() + " " +
            kind(late.kind()) + " key " + text(key) + " id " + text(id) + "@" + late.revision() + " time " +
            time(late.time()) +
            " clock " + TimeText.ofClock(late.acceptanceClock()) + ": " + LateReason.of(late.reason()).text() +
            "; due " + LocalDate.ofEpochDay(late.due());
    }

    private String rejected(final DirectBuffer record, final int offset)
    {
        rejected.wrapAndApplyHeader(record, offset, resultHeader);
        rejected.wrapKey(key);
        rejected.wrapId(id);
        return "position " + rejected.position() + " " + topology.streamName(rejected.stream()) + "-" +
            rejected.partition() + "/" + rejected.index() + " " + kind(rejected.kind()) + " key " + text(key) +
            " id " + text(id) + "@" + rejected.revision() + " time " + time(rejected.time()) +
            span(rejected.start(), rejected.end()) + ": " + RejectReason.of(rejected.reason()).text();
    }

    private String unknown()
    {
        return "unknown record: schema " + header.schemaId() + ", template " + header.templateId() +
            "; another version wrote it";
    }

    private static String kind(final int kind)
    {
        return kind >= EventKind.UPSERT && kind <= EventKind.WATERMARK ? EventKind.nameOf(kind) : "kind " + kind;
    }

    private static String span(final long start, final long end)
    {
        return (start == EventView.NO_TIME ? "" : " start " + time(start)) +
            (end == EventView.NO_TIME ? "" : " end " + time(end));
    }

    private static String text(final DirectBuffer bytes)
    {
        return bytes.getStringWithoutLengthUtf8(0, bytes.capacity());
    }

    private static String time(final long time)
    {
        return TimeText.ofTime(time);
    }
}
