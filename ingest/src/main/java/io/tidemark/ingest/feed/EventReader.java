package io.tidemark.ingest.feed;

import io.tidemark.ingest.event.EventAppender;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.Utf8;

import java.nio.charset.StandardCharsets;

/**
 * Reads events out of rows, and says of a row that is no event at all why not (SEMANTICS.md section 1). Only what makes
 * no sense by itself is decided here; an event that breaks a rule of its pipeline is an event, and is judged in its
 * place in the order. Makes no garbage where nothing is wrong.
 */
final class EventReader
{
    private static final byte[][] KINDS = kindNames();

    private final FeedTarget target;
    private final Columns columns;
    private final FeedEvent event = new FeedEvent();
    private final WholeNumber number = new WholeNumber();
    private final TimeText timeText = new TimeText();
    private RawRow row;
    private String reason;

    EventReader(final FeedTarget target, final Columns columns)
    {
        this.target = target;
        this.columns = columns;
    }

    /**
     * Reads a row.
     *
     * @return whether it is an event; {@link #event()} holds it then, otherwise {@link #reason()} says why not.
     */
    boolean read(final RawRow source)
    {
        row = source;
        reason = source.problem();
        return reason == null && readStream() && checkColumns() && readKind() && readPartition() && readTime() &&
            (event.kind == EventKind.WATERMARK ? forgetRest() : readRow()) && readSpan() && readArrival();
    }

    FeedEvent event()
    {
        return event;
    }

    String reason()
    {
        return reason;
    }

    private boolean readStream()
    {
        final int column = columns.streamColumn(row);
        if (column == Columns.NONE)
        {
            event.stream = target.onlyStream();
            return event.stream != FeedTarget.ANY_STREAM || fail("no stream");
        }
        event.stream = target.streamNamed(row, column);
        if (event.stream < 0)
        {
            return fail("unknown stream \"" + row.text(column) + "\"; there are " + target.streamList());
        }
        return target.takes(event.stream) || fail("the line is of stream " + row.text(column) +
            ", the feed was said to be of " + target.topology().streamName(target.onlyStream()));
    }

    private boolean checkColumns()
    {
        final int stray = columns.findStray(row, event.stream);
        return stray == Columns.NONE || fail("column " + columns.name(stray) +
            " means nothing, or the same as another, in stream " + target.topology().streamName(event.stream));
    }

    private boolean readKind()
    {
        final int column = columns.find(row, event.stream, Field.KIND);
        event.kind = EventKind.UPSERT;
        if (column == Columns.NONE)
        {
            return true;
        }
        for (int kind = 0; kind < KINDS.length; kind++)
        {
            if (row.is(column, KINDS[kind]))
            {
                event.kind = kind;
                return true;
            }
        }
        return fail("unknown kind \"" + row.text(column) + "\"; it is upsert, retract or watermark");
    }

    private boolean readPartition()
    {
        final int column = columns.find(row, event.stream, Field.PARTITION);
        int partition = 0;
        final int partitions = target.topology().partitions(event.stream);
        if (column != Columns.NONE)
        {
            if (!readNumber(Field.PARTITION, column))
            {
                return false;
            }
            if (number.value() < 0 || number.value() >= partitions)
            {
                return fail("unknown partition " + number.value() + "; stream " +
                    target.topology().streamName(event.stream) +
                    (partitions == 1 ? " has only 0" : " has 0 to " + (partitions - 1)));
            }
            partition = (int)number.value();
        }
        event.source = target.topology().sourceOf(event.stream, partition);
        return true;
    }

    private boolean readTime()
    {
        final int column = columns.find(row, event.stream, Field.TIME);
        if (column == Columns.NONE)
        {
            return fail("no time");
        }
        final int offset = row.offset(column);
        final int length = row.length(column);
        final boolean isTime = event.kind == EventKind.WATERMARK ?
            timeText.parseWatermark(row.bytes(), offset, length) : timeText.parse(row.bytes(), offset, length);
        event.time = timeText.timeNs();
        return isTime || failAt(Field.TIME, column, timeText.problem());
    }

    /** Of a watermark the rest is ignored, whatever it says. */
    private boolean forgetRest()
    {
        event.text = row.bytes();
        event.keyOffset = 0;
        event.keyLength = 0;
        event.idOffset = 0;
        event.idLength = 0;
        event.revision = 0;
        event.value = 0;
        return true;
    }

    private boolean readRow()
    {
        final int key = columns.find(row, event.stream, Field.KEY);
        final int id = columns.find(row, event.stream, Field.ID);
        if (!checkText(Field.KEY, key) || !checkText(Field.ID, id))
        {
            return false;
        }
        event.text = row.bytes();
        event.keyOffset = row.offset(key);
        event.keyLength = row.length(key);
        event.idOffset = row.offset(id);
        event.idLength = row.length(id);
        return readRevision() && readValue();
    }

    private boolean checkText(final Field field, final int column)
    {
        if (column == Columns.NONE || row.length(column) == 0)
        {
            return fail("no " + field.column());
        }
        final int length = row.length(column);
        if (length > EventAppender.MAX_TEXT_LENGTH)
        {
            return fail(field.column() + " is " + length + " bytes long, more than " + EventAppender.MAX_TEXT_LENGTH);
        }
        return Utf8.isWellFormed(row.bytes(), row.offset(column), length) || fail(field.column() + " is not UTF-8");
    }

    private boolean readRevision()
    {
        final int column = columns.find(row, event.stream, Field.REVISION);
        event.revision = 0;
        if (column == Columns.NONE)
        {
            return true;
        }
        if (!readNumber(Field.REVISION, column))
        {
            return false;
        }
        event.revision = (int)number.value();
        return (event.revision == number.value() && event.revision >= 0) ||
            failAt(Field.REVISION, column, "is not between 0 and 2147483647");
    }

    private boolean readValue()
    {
        final int column = columns.find(row, event.stream, Field.VALUE);
        event.value = 0;
        if (column == Columns.NONE)
        {
            return true;
        }
        final boolean isNumber = readNumber(Field.VALUE, column);
        event.value = number.value();
        return isNumber;
    }

    private boolean readSpan()
    {
        event.start = FeedEvent.NO_TIME;
        event.end = FeedEvent.NO_TIME;
        final int start = columns.find(row, event.stream, Field.START);
        final int end = columns.find(row, event.stream, Field.END);
        if (start == Columns.NONE && end == Columns.NONE)
        {
            return true;
        }
        final String field = start != Columns.NONE ? Field.START.column() : Field.END.column();
        if (!target.rules().spans())
        {
            return fail(field + " does not belong here: only events of overlap joins have one");
        }
        if (event.kind != EventKind.UPSERT)
        {
            return fail(field + " does not belong here: a " + EventKind.nameOf(event.kind) + " has none");
        }
        // One of two is an event that breaks a rule, and is rejected in its place in the order.
        if (start != Columns.NONE && !readInstant(Field.START, start))
        {
            return false;
        }
        event.start = start == Columns.NONE ? FeedEvent.NO_TIME : timeText.timeNs();
        if (end != Columns.NONE && !readInstant(Field.END, end))
        {
            return false;
        }
        event.end = end == Columns.NONE ? FeedEvent.NO_TIME : timeText.timeNs();
        return true;
    }

    private boolean readArrival()
    {
        final int column = columns.find(row, event.stream, Field.ARRIVAL);
        if (column == Columns.NONE)
        {
            event.arrival = FeedEvent.NO_TIME;
            return true;
        }
        final boolean isTime = readInstant(Field.ARRIVAL, column);
        event.arrival = timeText.timeNs();
        return isTime;
    }

    private boolean readInstant(final Field field, final int column)
    {
        return timeText.parse(row.bytes(), row.offset(column), row.length(column)) ||
            failAt(field, column, timeText.problem());
    }

    private boolean readNumber(final Field field, final int column)
    {
        return number.parse(row.bytes(), row.offset(column), row.length(column)) ||
            failAt(field, column, number.problem());
    }

    private boolean failAt(final Field field, final int column, final String problem)
    {
        return fail(field.column() + " \"" + row.text(column) + "\" " + problem);
    }

    private boolean fail(final String why)
    {
        reason = why;
        return false;
    }

    private static byte[][] kindNames()
    {
        final byte[][] names = new byte[EventKind.WATERMARK + 1][];
        for (int kind = 0; kind < names.length; kind++)
        {
            names[kind] = EventKind.nameOf(kind).getBytes(StandardCharsets.UTF_8);
        }
        return names;
    }
}
