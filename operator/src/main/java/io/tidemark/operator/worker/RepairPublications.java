package io.tidemark.operator.worker;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.ingest.codec.MessageHeaderDecoder;
import io.tidemark.ingest.codec.PublicationDecoder;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.RecordAppender;
import io.tidemark.operator.change.RepairPublisher;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Publishes repairs (SEMANTICS.md section 8) and keeps count of generations: every change-set that an operator writes
 * through {@link #changes} gets the newest one. What always holds:
 * <ul>
 * <li>a candidate is published only on top of the generation that it was built on, so that one that is asked for twice,
 *     or that another has overtaken, writes nothing;</li>
 * <li>a candidate of another rule version writes nothing: its rows belong to another table.</li>
 * </ul>
 * A function of the order and of what it saved; live state and clocks are not even seen.
 */
public final class RepairPublications implements PublicationHandler
{
    /** Of a table that nothing was built on. */
    public static final int FIRST_GENERATION = 1;

    private static final int FIRST_EPOCH = 1;

    private final RepairPublisher publisher;
    private final int rule;
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final PublicationDecoder publication = new PublicationDecoder();
    private final ExpandableArrayBuffer content = new ExpandableArrayBuffer();
    private int generation;

    /**
     * @param changes         the change log.
     * @param rule            version of the rule.
     * @param firstGeneration of the table.
     */
    public RepairPublications(final RecordAppender changes, final int rule, final int firstGeneration)
    {
        this.rule = rule;
        generation = firstGeneration;
        publisher = new RepairPublisher(changes);
    }

    @Override
    public RecordAppender changes(final RecordAppender log)
    {
        return (record, offset, length) ->
        {
            RepairPublisher.putGeneration(record, offset, generation);
            log.append(record, offset, length);
        };
    }

    @Override
    public int generation()
    {
        return generation;
    }

    @Override
    public void onPublication(final long position, final LogTailer records, final int count)
    {
        int length = 0;
        long index = 0;
        for (int i = 0; i < count; i++)
        {
            if (!records.poll())
            {
                throw new IllegalStateException("position " + position + " of the order is a publication of " + count +
                    " records, but the control log ends after " + i + " of them; put its missing queue file back");
            }
            index = i == 0 ? records.index() : index;
            publication.wrapAndApplyHeader(records.buffer(), records.offset(), header);
            final int partLength = publication.contentLength();
            content.putBytes(length, records.buffer(), publication.limit() + PublicationDecoder.contentHeaderLength(),
                partLength);
            length += partLength;
        }
        CrashPoint.hit("publication.read");
        if (publisher.publish(parts(length), position, index, FIRST_EPOCH, rule, generation))
        {
            CrashPoint.hit("publication.appended");
            generation++;
        }
    }

    /** The candidate's records, each behind its length; none where the content is no such thing. */
    private List<byte[]> parts(final int length)
    {
        final List<byte[]> parts = new ArrayList<>();
        int at = 0;
        while (at + Integer.BYTES <= length)
        {
            final int partLength = content.getInt(at, ByteOrder.LITTLE_ENDIAN);
            at += Integer.BYTES;
            if (partLength <= 0 || partLength > length - at)
            {
                return List.of();
            }
            final byte[] part = new byte[partLength];
            content.getBytes(at, part);
            parts.add(part);
            at += partLength;
        }
        return parts;
    }

    @Override
    public int saveRegisters(final MutableDirectBuffer to, final int offset)
    {
        to.putInt(offset, generation, ByteOrder.LITTLE_ENDIAN);
        return Integer.BYTES;
    }

    @Override
    public void restore(final DirectBuffer from, final int offset, final int length)
    {
        generation = from.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    }
}
