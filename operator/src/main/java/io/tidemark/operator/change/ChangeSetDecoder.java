package io.tidemark.operator.change;

import io.tidemark.ingest.log.RecordNumber;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;

import static io.tidemark.operator.change.ChangeSetDescriptor.AFTER;
import static io.tidemark.operator.change.ChangeSetDescriptor.ALL_GROUPS;
import static io.tidemark.operator.change.ChangeSetDescriptor.BEFORE;
import static io.tidemark.operator.change.ChangeSetDescriptor.CAUSE_INDEX_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.CAUSE_PARTITION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.CAUSE_STREAM_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.EPOCH_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAGS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAG_MORE;
import static io.tidemark.operator.change.ChangeSetDescriptor.GENERATION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_COUNT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_SESSIONS;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_UNMATCHED;
import static io.tidemark.operator.change.ChangeSetDescriptor.ORDINAL_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.PART_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.POSITION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_PAIRS;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_SESSIONS;
import static io.tidemark.operator.change.ChangeSetDescriptor.RULE_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.SCHEMA_ID;
import static io.tidemark.operator.change.ChangeSetDescriptor.SESSION_TEMPLATE_ID;
import static io.tidemark.operator.change.ChangeSetDescriptor.SIDE_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.SLOT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.TEMPLATE_ID;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_FINAL_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_PREFIX_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_SIDE_OFFSET;

/**
 * Reads one record of the change log in place, as whole rows of any {@link RowKind}: {@link #wrap}, then {@link #next}
 * until it returns false.
 * Retractions come first, and each group by row id. A change-set with many changes is several records of one identity;
 * all but the last have {@link #hasMore}, and a reader that must not show half a change-set holds them together.
 * <p>
 * Valid as long as the wrapped memory is. Single-threaded, allocates nothing.
 */
public final class ChangeSetDecoder
{
    private final RowImageDecoder before = new RowImageDecoder();
    private final RowImageDecoder after = new RowImageDecoder();
    private final RowImageDecoder row = new RowImageDecoder();
    private final RowImageDecoder wholeRight = new RowImageDecoder();
    private final SessionImageDecoder session = new SessionImageDecoder();
    private final int[] groupOffsets = new int[ALL_GROUPS];
    private final int[] groupCounts = new int[ALL_GROUPS];
    private final int[] blockLengths = new int[ALL_GROUPS];

    private DirectBuffer buffer;
    private int offset;
    private int keyOffset;
    private int keyLength;
    private int firstChanges;
    private int lastChanges;
    private int group;
    private int entry;
    private int at;
    private int rowSide;
    private boolean rowFinal;
    private boolean isRepair;

    /**
     * Whether a record is of a change-set.
     *
     * @param record       to look at.
     * @param recordOffset of its SBE header.
     * @return false for records of another kind.
     */
    public static boolean isChangeSet(final DirectBuffer record, final int recordOffset)
    {
        return uint16(record, recordOffset + 4) == SCHEMA_ID && switch (uint16(record, recordOffset + 2))
        {
            case TEMPLATE_ID, SESSION_TEMPLATE_ID, ChangeSetDescriptor.REPAIR_TEMPLATE_ID -> true;
            default -> false;
        };
    }

    /**
     * Whether a record is of the change-set of a repair.
     *
     * @param record       to look at.
     * @param recordOffset of its SBE header.
     * @return false for all other records.
     */
    public static boolean isRepair(final DirectBuffer record, final int recordOffset)
    {
        return uint16(record, recordOffset + 4) == SCHEMA_ID &&
            uint16(record, recordOffset + 2) == ChangeSetDescriptor.REPAIR_TEMPLATE_ID;
    }

    /**
     * Stands before the first change of a record.
     *
     * @param record       holds it.
     * @param recordOffset of its SBE header.
     * @return this.
     * @throws IllegalArgumentException for a record of another kind.
     */
    public ChangeSetDecoder wrap(final DirectBuffer record, final int recordOffset)
    {
        if (!isChangeSet(record, recordOffset))
        {
            throw new IllegalArgumentException("not a change-set: schema=" + uint16(record, recordOffset + 4) +
                ", template=" + uint16(record, recordOffset + 2));
        }
        buffer = record;
        offset = recordOffset;
        final int template = uint16(record, recordOffset + 2);
        isRepair = template == ChangeSetDescriptor.REPAIR_TEMPLATE_ID;
        final boolean ofSubject = template == TEMPLATE_ID;
        final int firstGroup;
        if (isRepair)
        {
            firstGroup = ChangeSetDescriptor.LATE;
            firstChanges = ChangeSetDescriptor.RETRACTED_WHOLE_PAIRS;
            lastChanges = ChangeSetDescriptor.INSERTED_WHOLE_UNMATCHED;
        }
        else
        {
            firstGroup = ofSubject ? BEFORE : RETRACTED_SESSIONS;
            firstChanges = ofSubject ? RETRACTED_PAIRS : RETRACTED_SESSIONS;
            lastChanges = ofSubject ? INSERTED_UNMATCHED : INSERTED_SESSIONS;
        }
        final int keyAt = readGroups(firstGroup, recordOffset + HEADER_LENGTH + uint16(record, recordOffset));
        keyLength = record.getByte(keyAt) & 0xFF;
        keyOffset = keyAt + 1;
        if (ofSubject && groupCounts[BEFORE] > 0)
        {
            before.wrap(record, groupOffsets[BEFORE], blockLengths[BEFORE]);
        }
        if (ofSubject && groupCounts[AFTER] > 0)
        {
            after.wrap(record, groupOffsets[AFTER], blockLengths[AFTER]);
        }
        return rewind();
    }

    private int readGroups(final int firstGroup, final int groupsOffset)
    {
        int limit = groupsOffset;
        for (int i = firstGroup; i <= lastChanges; i++)
        {
            blockLengths[i] = uint16(buffer, limit);
            groupCounts[i] = uint16(buffer, limit + GROUP_COUNT_OFFSET);
            limit += GROUP_HEADER_LENGTH;
            groupOffsets[i] = limit;
            for (int n = 0; n < groupCounts[i]; n++)
            {
                limit = entryEnd(i, limit);
            }
        }
        return limit;
    }

    /**
     * Stands before the first change again.
     *
     * @return this.
     */
    public ChangeSetDecoder rewind()
    {
        group = firstChanges;
        entry = 0;
        at = groupOffsets[firstChanges];
        return this;
    }

    /**
     * Goes on to the next change of this record.
     *
     * @return false when there is none.
     */
    public boolean next()
    {
        while (entry == groupCounts[group])
        {
            if (group == lastChanges)
            {
                return false;
            }
            group++;
            entry = 0;
            at = groupOffsets[group];
        }
        switch (kind())
        {
            case SESSION ->
            {
                session.wrap(buffer, at);
                rowFinal = session.isFinal();
            }
            case UNMATCHED ->
            {
                rowSide = buffer.getByte(at + UNMATCHED_SIDE_OFFSET);
                rowFinal = buffer.getByte(at + UNMATCHED_FINAL_OFFSET) != 0;
                row.wrap(buffer, at + UNMATCHED_PREFIX_LENGTH, blockLengths[group] - UNMATCHED_PREFIX_LENGTH);
            }
            case PAIR -> nextPair();
        }
        at = entryEnd(group, at);
        entry++;
        return true;
    }

    private void nextPair()
    {
        rowFinal = false;
        if (isRepair)
        {
            // both rows are there: their blocks, then their ids
            final int leftId = at + blockLengths[group];
            rowSide = 0;
            row.wrap(buffer, at, blockLengths[group]);
            wholeRight.wrap(buffer, at + RowImage.BLOCK_LENGTH,
                leftId + 1 + (buffer.getByte(leftId) & 0xFF) - at - RowImage.BLOCK_LENGTH);
        }
        else
        {
            rowSide = 1 - subjectSide();
            row.wrap(buffer, at, blockLengths[group]);
        }
    }

    /**
     * Whether the change-set is a repair, which names whole rows and belongs to no subject.
     *
     * @return false for what events and the clock caused.
     */
    public boolean isRepair()
    {
        return isRepair;
    }

    /**
     * Of a repair: the generation that it was built on.
     *
     * @return from 1.
     */
    public int baseGeneration()
    {
        return buffer.getInt(offset + ChangeSetDescriptor.BASE_GENERATION_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Of a repair: the digest of its candidate; allocates.
     *
     * @return 32 bytes.
     */
    public byte[] digest()
    {
        final byte[] digest = new byte[ChangeSetDescriptor.DIGEST_LENGTH];
        buffer.getBytes(offset + ChangeSetDescriptor.DIGEST_OFFSET, digest);
        return digest;
    }

    /**
     * Of a repair: how many late events this record names, which it puts right.
     *
     * @return number of positions.
     */
    public int lateEvents()
    {
        return isRepair ? groupCounts[ChangeSetDescriptor.LATE] : 0;
    }

    /**
     * Of a repair: position of a late event.
     *
     * @param i from 0 to {@link #lateEvents} - 1.
     * @return its position in the total order.
     */
    public long lateEvent(final int i)
    {
        final int late = ChangeSetDescriptor.LATE;
        return buffer.getLong(groupOffsets[late] + i * blockLengths[late], ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Whether the change takes its row away.
     *
     * @return false for an insertion.
     */
    public boolean isRetraction()
    {
        return ChangeSetDescriptor.isRetraction(group);
    }

    /**
     * What the change's row is.
     *
     * @return its kind.
     */
    public RowKind kind()
    {
        return ChangeSetDescriptor.kind(group);
    }

    /**
     * Whether the change is of a pair.
     *
     * @return false for any other row.
     */
    public boolean isPair()
    {
        return kind() == RowKind.PAIR;
    }

    /**
     * The session of the change.
     *
     * @return valid until the next call of {@link #next}.
     */
    public SessionImageDecoder session()
    {
        return session;
    }

    /**
     * Left row of the change's pair.
     *
     * @return valid until the next call of {@link #next}.
     */
    public RowImageDecoder left()
    {
        return rowSide == 0 ? row : subject();
    }

    /**
     * Right row of the change's pair.
     *
     * @return valid until the next call of {@link #next}.
     */
    public RowImageDecoder right()
    {
        return isRepair ? wholeRight : rowSide == 0 ? subject() : row;
    }

    /**
     * The unmatched row of the change.
     *
     * @return valid until the next call of {@link #next}.
     */
    public RowImageDecoder row()
    {
        return row;
    }

    /**
     * Side of the unmatched row.
     *
     * @return 0 left, 1 right.
     */
    public int rowSide()
    {
        return rowSide;
    }

    /**
     * Whether the unmatched row or the session stands for ever.
     *
     * @return false for a provisional one.
     */
    public boolean isFinal()
    {
        return rowFinal;
    }

    /**
     * Writes the row id of the change.
     *
     * @param target       with {@link RowIds#MAX_LENGTH} bytes of room.
     * @param targetOffset to write at.
     * @return bytes written.
     */
    public int putRowId(final MutableDirectBuffer target, final int targetOffset)
    {
        return switch (kind())
        {
            case PAIR -> RowIds.putPair(target, targetOffset, rule(), buffer, keyOffset, keyLength, left(), right());
            case UNMATCHED ->
                RowIds.putUnmatched(target, targetOffset, rule(), buffer, keyOffset, keyLength, rowSide, row);
            case SESSION ->
                RowIds.putSession(target, targetOffset, rule(), buffer, keyOffset, keyLength, session.start());
        };
    }

    /**
     * Number of changes in this record.
     *
     * @return at least 1.
     */
    public int changes()
    {
        int changes = 0;
        for (int i = firstChanges; i <= lastChanges; i++)
        {
            changes += groupCounts[i];
        }
        return changes;
    }

    /**
     * Ordinal of the record in its log.
     *
     * @return from 0.
     */
    public long number()
    {
        return RecordNumber.of(buffer, offset);
    }

    /**
     * Position of the event that caused the change-set.
     *
     * @return from 1.
     */
    public long position()
    {
        return buffer.getLong(offset + POSITION_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Slot of the key.
     *
     * @return 0 to 65,535.
     */
    public int slot()
    {
        return uint16(buffer, offset + SLOT_OFFSET);
    }

    /**
     * Counter within position and slot.
     *
     * @return 0 for the direct effect.
     */
    public int ordinal()
    {
        return buffer.getInt(offset + ORDINAL_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Ownership epoch of the slot.
     *
     * @return its epoch.
     */
    public int epoch()
    {
        return buffer.getInt(offset + EPOCH_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Generation of the table.
     *
     * @return from 1.
     */
    public int generation()
    {
        return buffer.getInt(offset + GENERATION_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Version of the rule.
     *
     * @return its version.
     */
    public int rule()
    {
        return buffer.getInt(offset + RULE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Stream of the event that caused the change-set.
     *
     * @return its ordinal, or {@link ChangeSetEncoder#CAUSED_BY_CLOCK}.
     */
    public int causeStream()
    {
        return buffer.getByte(offset + CAUSE_STREAM_OFFSET) & 0xFF;
    }

    /**
     * Partition of the event that caused the change-set.
     *
     * @return its partition.
     */
    public int causePartition()
    {
        return uint16(buffer, offset + CAUSE_PARTITION_OFFSET);
    }

    /**
     * Queue index of the event that caused the change-set.
     *
     * @return its index.
     */
    public long causeIndex()
    {
        return buffer.getLong(offset + CAUSE_INDEX_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Side of the row that the pairs share.
     *
     * @return 0 left, 1 right.
     */
    public int subjectSide()
    {
        return buffer.getByte(offset + SIDE_OFFSET);
    }

    /**
     * Whether the change-set goes on in the next record.
     *
     * @return false for its last record.
     */
    public boolean hasMore()
    {
        return (buffer.getByte(offset + FLAGS_OFFSET) & FLAG_MORE) != 0;
    }

    /**
     * Which of the change-set's records this is.
     *
     * @return from 0.
     */
    public int part()
    {
        return uint16(buffer, offset + PART_OFFSET);
    }

    /**
     * Holds the record.
     *
     * @return the wrapped buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * Where the key starts in {@link #buffer()}.
     *
     * @return its offset.
     */
    public int keyOffset()
    {
        return keyOffset;
    }

    /**
     * Bytes of the key.
     *
     * @return 1 to 255.
     */
    public int keyLength()
    {
        return keyLength;
    }

    /**
     * The key as text; allocates.
     *
     * @return the key.
     */
    public String key()
    {
        return buffer.getStringWithoutLengthUtf8(keyOffset, keyLength);
    }

    private RowImageDecoder subject()
    {
        return isRetraction() ? before : after;
    }

    private int entryEnd(final int ofGroup, final int entryOffset)
    {
        int limit = entryOffset + blockLengths[ofGroup];
        for (int i = ChangeSetDescriptor.ids(ofGroup); i > 0; i--)
        {
            limit += 1 + (buffer.getByte(limit) & 0xFF);
        }
        return limit;
    }

    private static int uint16(final DirectBuffer record, final int at)
    {
        return record.getShort(at, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }
}
