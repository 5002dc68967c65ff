package io.tidemark.operator.change;

import org.agrona.UnsafeApi;

/**
 * Where things stand in a record of the change log; {@code sbe/tidemark-change.xml}, messages ChangeSet and
 * SessionChangeSet, says the same. Both begin alike.
 * <pre>
 *  0        8        16         24            32     34        38      42           46     50
 *  +--------+--------+----------+-------------+------+---------+-------+------------+------+
 *  | header | number | position | cause index | slot | ordinal | epoch | generation | rule | -> 50
 *  +--------+--------+----------+-------------+------+---------+-------+------------+------+
 *  50             51                53     54      55     57
 *  +--------------+-----------------+------+-------+------+--------- ... -+------------- ... -+
 *  | cause stream | cause partition | side | flags | part | 6 groups      | key: length, bytes|
 *  +--------------+-----------------+------+-------+------+--------- ... -+------------- ... -+
 * </pre>
 * A group is its block length, its count and its entries. Entries are row images; those of unmatched rows have their
 * side and whether they are final, a byte each, in front. Change-sets of sessions have two groups of
 * {@link SessionImage}s, which have no variable part.
 */
final class ChangeSetDescriptor
{
    static final int TEMPLATE_ID = 1;
    static final int SESSION_TEMPLATE_ID = 4;
    static final int REPAIR_TEMPLATE_ID = 5;
    static final int SCHEMA_ID = 7362;
    static final int SCHEMA_VERSION = 1;
    static final int HEADER_LENGTH = 8;

    static final int NUMBER_OFFSET = HEADER_LENGTH;
    static final int POSITION_OFFSET = NUMBER_OFFSET + Long.BYTES;
    static final int CAUSE_INDEX_OFFSET = POSITION_OFFSET + Long.BYTES;
    static final int SLOT_OFFSET = CAUSE_INDEX_OFFSET + Long.BYTES;
    static final int ORDINAL_OFFSET = SLOT_OFFSET + Short.BYTES;
    static final int EPOCH_OFFSET = ORDINAL_OFFSET + Integer.BYTES;
    static final int GENERATION_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    static final int RULE_OFFSET = GENERATION_OFFSET + Integer.BYTES;
    static final int CAUSE_STREAM_OFFSET = RULE_OFFSET + Integer.BYTES;
    static final int CAUSE_PARTITION_OFFSET = CAUSE_STREAM_OFFSET + Byte.BYTES;
    static final int SIDE_OFFSET = CAUSE_PARTITION_OFFSET + Short.BYTES;
    static final int FLAGS_OFFSET = SIDE_OFFSET + Byte.BYTES;
    static final int PART_OFFSET = FLAGS_OFFSET + Byte.BYTES;
    static final int GROUPS_OFFSET = PART_OFFSET + Short.BYTES;
    static final int BLOCK_LENGTH = GROUPS_OFFSET - HEADER_LENGTH;

    static final int FLAG_MORE = 1;

    static final int BEFORE = 0;
    static final int AFTER = 1;
    static final int RETRACTED_PAIRS = 2;
    static final int RETRACTED_UNMATCHED = 3;
    static final int INSERTED_PAIRS = 4;
    static final int INSERTED_UNMATCHED = 5;
    static final int GROUPS = 6;

    /** Groups of a change-set of sessions, numbered on. */
    static final int RETRACTED_SESSIONS = 6;
    static final int INSERTED_SESSIONS = 7;

    /** Groups of a repair, numbered on. */
    static final int LATE = 8;
    static final int RETRACTED_WHOLE_PAIRS = 9;
    static final int RETRACTED_WHOLE_SESSIONS = 10;
    static final int RETRACTED_WHOLE_UNMATCHED = 11;
    static final int INSERTED_WHOLE_PAIRS = 12;
    static final int INSERTED_WHOLE_SESSIONS = 13;
    static final int INSERTED_WHOLE_UNMATCHED = 14;
    static final int ALL_GROUPS = 15;

    /** What a repair has behind the head that all change-sets share. */
    static final int BASE_GENERATION_OFFSET = GROUPS_OFFSET;
    static final int DIGEST_OFFSET = BASE_GENERATION_OFFSET + Integer.BYTES;
    static final int DIGEST_LENGTH = 32;
    static final int REPAIR_GROUPS_OFFSET = DIGEST_OFFSET + DIGEST_LENGTH;
    static final int REPAIR_BLOCK_LENGTH = REPAIR_GROUPS_OFFSET - HEADER_LENGTH;

    static final int GROUP_HEADER_LENGTH = 4;
    static final int GROUP_COUNT_OFFSET = 2;

    static final int UNMATCHED_SIDE_OFFSET = 0;
    static final int UNMATCHED_FINAL_OFFSET = 1;
    static final int UNMATCHED_PREFIX_LENGTH = 2;

    /** The message header as one little-endian long. */
    static final long HEADER =
        BLOCK_LENGTH | (long)TEMPLATE_ID << 16 | (long)SCHEMA_ID << 32 | (long)SCHEMA_VERSION << 48;

    /** The message header of a change-set of sessions. */
    static final long SESSION_HEADER =
        BLOCK_LENGTH | (long)SESSION_TEMPLATE_ID << 16 | (long)SCHEMA_ID << 32 | (long)SCHEMA_VERSION << 48;

    /** The message header of a repair. */
    static final long REPAIR_HEADER =
        REPAIR_BLOCK_LENGTH | (long)REPAIR_TEMPLATE_ID << 16 | (long)SCHEMA_ID << 32 | (long)SCHEMA_VERSION << 48;

    private ChangeSetDescriptor()
    {
    }

    /** Of a change-set with a subject. */
    static boolean isUnmatched(final int group)
    {
        return group == RETRACTED_UNMATCHED || group == INSERTED_UNMATCHED;
    }

    static boolean isRetraction(final int group)
    {
        return switch (group)
        {
            case RETRACTED_PAIRS, RETRACTED_UNMATCHED, RETRACTED_SESSIONS, RETRACTED_WHOLE_PAIRS,
                RETRACTED_WHOLE_SESSIONS, RETRACTED_WHOLE_UNMATCHED -> true;
            default -> false;
        };
    }

    static RowKind kind(final int group)
    {
        return switch (group)
        {
            case RETRACTED_SESSIONS, INSERTED_SESSIONS, RETRACTED_WHOLE_SESSIONS, INSERTED_WHOLE_SESSIONS ->
                RowKind.SESSION;
            case RETRACTED_UNMATCHED, INSERTED_UNMATCHED, RETRACTED_WHOLE_UNMATCHED, INSERTED_WHOLE_UNMATCHED ->
                RowKind.UNMATCHED;
            default -> RowKind.PAIR;
        };
    }

    /** How many ids follow the block of an entry. */
    static int ids(final int group)
    {
        if (group == LATE || kind(group) == RowKind.SESSION)
        {
            return 0;
        }
        return group == RETRACTED_WHOLE_PAIRS || group == INSERTED_WHOLE_PAIRS ? 2 : 1;
    }

    /** Length of an entry's block in a repair. */
    static int wholeBlockLength(final int group)
    {
        if (group == LATE)
        {
            return Long.BYTES;
        }
        return switch (kind(group))
        {
            case PAIR -> 2 * RowImage.BLOCK_LENGTH;
            case UNMATCHED -> UNMATCHED_PREFIX_LENGTH + RowImage.BLOCK_LENGTH;
            case SESSION -> SessionImage.LENGTH;
        };
    }

    /** Writes all that stands before the groups; neither MORE nor a part, which come later. */
    static void putHead(
        final long to,
        final long header,
        final long position,
        final int slot,
        final int ordinal,
        final int epoch,
        final int generation,
        final int rule,
        final int causeStream,
        final int causePartition,
        final long causeIndex,
        final int subjectSide)
    {
        UnsafeApi.putLong(to, header);
        UnsafeApi.putLong(to + POSITION_OFFSET, position);
        UnsafeApi.putLong(to + CAUSE_INDEX_OFFSET, causeIndex);
        UnsafeApi.putShort(to + SLOT_OFFSET, (short)slot);
        UnsafeApi.putInt(to + ORDINAL_OFFSET, ordinal);
        UnsafeApi.putInt(to + EPOCH_OFFSET, epoch);
        UnsafeApi.putInt(to + GENERATION_OFFSET, generation);
        UnsafeApi.putInt(to + RULE_OFFSET, rule);
        UnsafeApi.putByte(to + CAUSE_STREAM_OFFSET, (byte)causeStream);
        UnsafeApi.putShort(to + CAUSE_PARTITION_OFFSET, (short)causePartition);
        UnsafeApi.putByte(to + SIDE_OFFSET, (byte)subjectSide);
        UnsafeApi.putByte(to + FLAGS_OFFSET, (byte)0);
        UnsafeApi.putShort(to + PART_OFFSET, (short)0);
    }

    /** Writes an empty group. */
    static void putGroupHeader(final long address, final int group)
    {
        UnsafeApi.putInt(
            address, isUnmatched(group) ? UNMATCHED_PREFIX_LENGTH + RowImage.BLOCK_LENGTH : RowImage.BLOCK_LENGTH);
    }
}
