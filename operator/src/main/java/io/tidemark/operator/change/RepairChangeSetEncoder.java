package io.tidemark.operator.change;

import static io.tidemark.operator.change.ChangeSetDescriptor.BASE_GENERATION_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.DIGEST_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAGS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAG_MORE;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_COUNT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_WHOLE_PAIRS;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_WHOLE_SESSIONS;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_WHOLE_UNMATCHED;
import static io.tidemark.operator.change.ChangeSetDescriptor.LATE;
import static io.tidemark.operator.change.ChangeSetDescriptor.PART_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.REPAIR_GROUPS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.REPAIR_HEADER;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_WHOLE_PAIRS;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_WHOLE_SESSIONS;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_WHOLE_UNMATCHED;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_PREFIX_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.wholeBlockLength;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes the change-set of a repair, as records that lack only what its publication will add: position, generation,
 * epoch and cause ({@link RepairPublisher}). Retractions come first; within each, pairs, sessions and unmatched rows by
 * row id, which is the order in which their methods are to be called.
 * <p>
 * Single-threaded; allocates its records.
 */
public final class RepairChangeSetEncoder
{
    /** Most bytes of a record: with what a request adds it fits into the control log. */
    private static final int MAX_LENGTH = 50_000;

    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(MAX_LENGTH));
    private final List<byte[]> parts = new ArrayList<>();
    private byte[] key;
    private int at;
    private int end;
    private int group;
    private int groupAt;
    private int entries;

    /**
     * Begins a change-set.
     *
     * @param slot           of the key.
     * @param rule           version of the rule.
     * @param baseGeneration that the candidate was built on.
     * @param keyBytes       1 to 255 bytes.
     * @return this.
     */
    public RepairChangeSetEncoder begin(
        final int slot, final int rule, final int baseGeneration, final byte[] keyBytes)
    {
        parts.clear();
        record.setMemory(0, REPAIR_GROUPS_OFFSET, (byte)0);
        ChangeSetDescriptor.putHead(record.addressOffset(), REPAIR_HEADER, 0, slot, 0, 0, 0, rule,
            ChangeSetEncoder.CAUSED_BY_REQUEST, 0, 0, 0);
        record.putInt(BASE_GENERATION_OFFSET, baseGeneration, ByteOrder.LITTLE_ENDIAN);
        key = keyBytes.clone();
        end = MAX_LENGTH - 1 - key.length - (INSERTED_WHOLE_UNMATCHED + 1 - LATE) * GROUP_HEADER_LENGTH;
        at = REPAIR_GROUPS_OFFSET;
        openGroup(LATE);
        return this;
    }

    /**
     * A late event that is put right; all of them come before the rows.
     *
     * @param position in the total order.
     */
    public void late(final long position)
    {
        prepare(LATE, Long.BYTES);
        record.putLong(at, position, ByteOrder.LITTLE_ENDIAN);
        at += Long.BYTES;
    }

    /**
     * A pair.
     *
     * @param isInsertion  false when it goes.
     * @param leftAddress  of the left row's {@link RowImage}.
     * @param leftLength   of its image.
     * @param rightAddress of the right row's image.
     * @param rightLength  of its image.
     */
    public void pair(
        final boolean isInsertion,
        final long leftAddress,
        final int leftLength,
        final long rightAddress,
        final int rightLength)
    {
        prepare(isInsertion ? INSERTED_WHOLE_PAIRS : RETRACTED_WHOLE_PAIRS, leftLength + rightLength);
        put(leftAddress, RowImage.BLOCK_LENGTH);
        put(rightAddress, RowImage.BLOCK_LENGTH);
        put(leftAddress + RowImage.BLOCK_LENGTH, leftLength - RowImage.BLOCK_LENGTH);
        put(rightAddress + RowImage.BLOCK_LENGTH, rightLength - RowImage.BLOCK_LENGTH);
    }

    /**
     * A session. That of an insertion has no publication yet.
     *
     * @param isInsertion false when it goes.
     * @param address     of its {@link SessionImage}.
     */
    public void session(final boolean isInsertion, final long address)
    {
        prepare(isInsertion ? INSERTED_WHOLE_SESSIONS : RETRACTED_WHOLE_SESSIONS, SessionImage.LENGTH);
        put(address, SessionImage.LENGTH);
    }

    /**
     * An unmatched row.
     *
     * @param isInsertion false when it goes.
     * @param side        0 left, 1 right.
     * @param isFinal     whether it stands for ever.
     * @param address     of its {@link RowImage}.
     * @param length      of its image.
     */
    public void unmatched(
        final boolean isInsertion, final int side, final boolean isFinal, final long address, final int length)
    {
        prepare(isInsertion ? INSERTED_WHOLE_UNMATCHED : RETRACTED_WHOLE_UNMATCHED,
            UNMATCHED_PREFIX_LENGTH + length);
        record.putByte(at, (byte)side);
        record.putByte(at + 1, (byte)(isFinal ? 1 : 0));
        at += UNMATCHED_PREFIX_LENGTH;
        put(address, length);
    }

    /**
     * Ends the change-set.
     *
     * @return its records in order, each of which names the digest of all.
     */
    public List<byte[]> end()
    {
        appendPart(0);
        final byte[] digest = RepairDigest.of(parts);
        for (final byte[] part : parts)
        {
            System.arraycopy(digest, 0, part, DIGEST_OFFSET, digest.length);
        }
        return List.copyOf(parts);
    }

    private void put(final long from, final int length)
    {
        Bytes.copy(from, record.addressOffset() + at, length);
        at += length;
    }

    private void prepare(final int toGroup, final int length)
    {
        moveTo(toGroup);
        if (at + length > end)
        {
            appendPart(FLAG_MORE);
            at = REPAIR_GROUPS_OFFSET;
            openGroup(LATE);
            moveTo(toGroup);
        }
        entries++;
    }

    private void moveTo(final int toGroup)
    {
        if (group > toGroup)
        {
            throw new IllegalStateException("rows of group " + toGroup + " after those of group " + group);
        }
        while (group < toGroup)
        {
            closeGroup();
            openGroup(group + 1);
        }
    }

    private void openGroup(final int newGroup)
    {
        group = newGroup;
        groupAt = at;
        entries = 0;
        record.putShort(at, (short)wholeBlockLength(newGroup), ByteOrder.LITTLE_ENDIAN);
        at += GROUP_HEADER_LENGTH;
    }

    private void closeGroup()
    {
        record.putShort(groupAt + GROUP_COUNT_OFFSET, (short)entries, ByteOrder.LITTLE_ENDIAN);
    }

    private void appendPart(final int flags)
    {
        moveTo(INSERTED_WHOLE_UNMATCHED);
        closeGroup();
        record.putByte(at, (byte)key.length);
        record.putBytes(at + 1, key);
        record.putByte(FLAGS_OFFSET, (byte)flags);
        record.putShort(PART_OFFSET, (short)parts.size(), ByteOrder.LITTLE_ENDIAN);
        final byte[] part = new byte[at + 1 + key.length];
        record.getBytes(0, part);
        parts.add(part);
    }
}
