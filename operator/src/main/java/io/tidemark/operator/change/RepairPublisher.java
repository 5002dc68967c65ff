package io.tidemark.operator.change;

import static io.tidemark.operator.change.ChangeSetDescriptor.CAUSE_INDEX_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.EPOCH_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GENERATION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_COUNT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_WHOLE_SESSIONS;
import static io.tidemark.operator.change.ChangeSetDescriptor.LATE;
import static io.tidemark.operator.change.ChangeSetDescriptor.POSITION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.REPAIR_GROUPS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.ids;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;

import io.tidemark.ingest.log.CrashPoint;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Publishes a candidate: gives its records position, generation, epoch and cause, and appends them. A repair is one
 * change-set, however many records it takes.
 */
public final class RepairPublisher
{
    private final RecordAppender appender;
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();

    /**
     * @param appender of the change log.
     */
    public RepairPublisher(final RecordAppender appender)
    {
        this.appender = appender;
    }

    /**
     * Appends a candidate as the change-set of a generation, when it was built on the one before.
     *
     * @param parts        records as {@link RepairChangeSetEncoder} made them.
     * @param position     of the publication in the total order.
     * @param requestIndex queue index of the request in the control log.
     * @param epoch        of the slot's ownership.
     * @param rule         version of the table's rule.
     * @param generation   the newest there is.
     * @return whether it was published; otherwise the candidate is damaged, was built on another generation, or is of
     *     another rule.
     */
    public boolean publish(
        final List<byte[]> parts,
        final long position,
        final long requestIndex,
        final int epoch,
        final int rule,
        final int generation)
    {
        if (!isWhole(parts))
        {
            return false;
        }
        decoder.wrap(new UnsafeBuffer(parts.get(0)), 0);
        if (decoder.baseGeneration() != generation || decoder.rule() != rule)
        {
            return false;
        }
        for (final byte[] part : parts)
        {
            final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(part.length));
            record.putBytes(0, part);
            record.putLong(POSITION_OFFSET, position, ByteOrder.LITTLE_ENDIAN);
            record.putLong(CAUSE_INDEX_OFFSET, requestIndex, ByteOrder.LITTLE_ENDIAN);
            record.putInt(EPOCH_OFFSET, epoch, ByteOrder.LITTLE_ENDIAN);
            record.putInt(GENERATION_OFFSET, generation + 1, ByteOrder.LITTLE_ENDIAN);
            datePublications(record, position);
            appender.append(record, 0, part.length);
            CrashPoint.hit("publication.part-appended");
        }
        return true;
    }

    /**
     * Writes the generation into a record of the change log, of whatever kind.
     *
     * @param record     holds it.
     * @param offset     of its SBE header.
     * @param generation of the table.
     */
    public static void putGeneration(final MutableDirectBuffer record, final int offset, final int generation)
    {
        record.putInt(offset + GENERATION_OFFSET, generation, ByteOrder.LITTLE_ENDIAN);
    }

    private static boolean isWhole(final List<byte[]> parts)
    {
        return !parts.isEmpty() &&
            parts.stream().allMatch(part -> part.length > REPAIR_GROUPS_OFFSET &&
                ChangeSetDecoder.isRepair(new UnsafeBuffer(part), 0)) &&
            RepairDigest.holds(parts);
    }

    /** Sessions say at which position they were published; only now is that known. */
    private static void datePublications(final UnsafeBuffer record, final long position)
    {
        int limit = HEADER_LENGTH + (record.getShort(0, ByteOrder.LITTLE_ENDIAN) & 0xFFFF);
        for (int group = LATE; group <= INSERTED_WHOLE_SESSIONS; group++)
        {
            final int blockLength = record.getShort(limit, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            final int entries = record.getShort(limit + GROUP_COUNT_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
            limit += GROUP_HEADER_LENGTH;
            for (int i = 0; i < entries; i++)
            {
                if (group == INSERTED_WHOLE_SESSIONS)
                {
                    record.putLong(limit + SessionImage.PUBLICATION_OFFSET, position, ByteOrder.LITTLE_ENDIAN);
                }
                limit += blockLength;
                for (int id = ids(group); id > 0; id--)
                {
                    limit += 1 + (record.getByte(limit) & 0xFF);
                }
            }
        }
    }
}
