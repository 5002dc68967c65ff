package io.tidemark.operator.change;

import io.tidemark.ingest.log.RecordLimits;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

import static io.tidemark.operator.change.ChangeSetDescriptor.AFTER;
import static io.tidemark.operator.change.ChangeSetDescriptor.BEFORE;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAGS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.FLAG_MORE;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUPS;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUPS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_COUNT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_HEADER_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.HEADER;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_PAIRS;
import static io.tidemark.operator.change.ChangeSetDescriptor.INSERTED_UNMATCHED;
import static io.tidemark.operator.change.ChangeSetDescriptor.PART_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_PAIRS;
import static io.tidemark.operator.change.ChangeSetDescriptor.RETRACTED_UNMATCHED;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_FINAL_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_PREFIX_LENGTH;
import static io.tidemark.operator.change.ChangeSetDescriptor.UNMATCHED_SIDE_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.putGroupHeader;
import static io.tidemark.operator.change.ChangeSetDescriptor.putHead;

/**
 * Writes change-sets (SEMANTICS.md section 9) from row images that are given by address, one copy a row:
 * {@link #begin}, then {@link #before}, {@link #after}, {@link #retractPair}.., {@link #retractUnmatched}..,
 * {@link #insertPair}.., {@link #insertUnmatched}.. in this order, each as often as needed and with rows of a kind by
 * row id ({@link RowIds}); then {@link #commit}.
 * <p>
 * A change-set that does not fit into one record goes on in the next, with the same identity and subject and the next
 * part number; all but the last are flagged MORE. One without a change is not written.
 * <p>
 * Memory at an address must hold still during the call only. Single-threaded, allocates nothing.
 */
public final class ChangeSetEncoder
{
    /** Cause stream of what became final because of the clock. */
    public static final int CAUSED_BY_CLOCK = 255;

    /** Cause stream of what a request in the control log asked for. */
    public static final int CAUSED_BY_REQUEST = 254;

    private static final int KEY_CAPACITY = 1 + 255;

    private final RecordAppender appender;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(RecordLimits.MAX_LENGTH));
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(KEY_CAPACITY));
    private final long base = record.addressOffset();
    private final long keyBase = key.addressOffset();
    private final int maxLength;

    private long at;
    private long end;
    private long groupAt;
    private int group;
    private int entries;
    private int changes;
    private long changesAt;
    private int part;
    private int keySize;
    private long changeSets;

    /**
     * Creates an encoder.
     *
     * @param appender of the change log.
     */
    public ChangeSetEncoder(final RecordAppender appender)
    {
        this(appender, RecordLimits.MAX_LENGTH);
    }

    ChangeSetEncoder(final RecordAppender appender, final int maxLength)
    {
        this.appender = appender;
        this.maxLength = maxLength;
    }

    /**
     * Begins a change-set.
     *
     * @param position       of the event that causes it.
     * @param slot           of the key.
     * @param ordinal        0 for the direct effect, 1, 2, .. for what became final by the clock.
     * @param epoch          of the slot's ownership.
     * @param generation     the first is 1.
     * @param rule           version of the rule.
     * @param causeStream    stream of the event, or {@link #CAUSED_BY_CLOCK}.
     * @param causePartition partition of the event.
     * @param causeIndex     queue index of the event.
     * @param subjectSide    side of the row that the pairs share.
     * @param keyAddress     of the key's bytes.
     * @param keyLength      1 to 255.
     */
    public void begin(
        final long position,
        final int slot,
        final int ordinal,
        final int epoch,
        final int generation,
        final int rule,
        final int causeStream,
        final int causePartition,
        final long causeIndex,
        final int subjectSide,
        final long keyAddress,
        final int keyLength)
    {
        final long to = base;
        putHead(to, HEADER, position, slot, ordinal, epoch, generation, rule, causeStream, causePartition, causeIndex,
            subjectSide);
        UnsafeApi.putByte(keyBase, (byte)keyLength);
        Bytes.copy(keyAddress, keyBase + 1, keyLength);
        keySize = 1 + keyLength;
        end = to + maxLength - keySize - GROUPS * GROUP_HEADER_LENGTH;
        at = to + GROUPS_OFFSET;
        part = 0;
        changes = 0;
        changesAt = 0;
        openGroup(BEFORE);
    }

    /**
     * The subject as it was, which all retracted pairs share.
     *
     * @param imageAddress of its {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void before(final long imageAddress, final int imageLength)
    {
        putImage(BEFORE, imageAddress, imageLength);
    }

    /**
     * The subject as it is, which all inserted pairs share.
     *
     * @param imageAddress of its {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void after(final long imageAddress, final int imageLength)
    {
        putImage(AFTER, imageAddress, imageLength);
    }

    /**
     * Retracts the pair of {@link #before} and a partner.
     *
     * @param imageAddress of the partner's {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void retractPair(final long imageAddress, final int imageLength)
    {
        putImage(RETRACTED_PAIRS, imageAddress, imageLength);
        changes++;
    }

    /**
     * Retracts an unmatched row.
     *
     * @param side         of the row.
     * @param isFinal      as it was inserted.
     * @param imageAddress of its {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void retractUnmatched(
        final int side, final boolean isFinal, final long imageAddress, final int imageLength)
    {
        putUnmatched(RETRACTED_UNMATCHED, side, isFinal, imageAddress, imageLength);
    }

    /**
     * Inserts the pair of {@link #after} and a partner.
     *
     * @param imageAddress of the partner's {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void insertPair(final long imageAddress, final int imageLength)
    {
        putImage(INSERTED_PAIRS, imageAddress, imageLength);
        changes++;
    }

    /**
     * Inserts an unmatched row.
     *
     * @param side         of the row.
     * @param isFinal      whether it stands for ever.
     * @param imageAddress of its {@link RowImage}.
     * @param imageLength  of its image.
     */
    public void insertUnmatched(
        final int side, final boolean isFinal, final long imageAddress, final int imageLength)
    {
        putUnmatched(INSERTED_UNMATCHED, side, isFinal, imageAddress, imageLength);
    }

    /**
     * Appends what was begun, if it changes anything.
     *
     * @return whether it does.
     */
    public boolean commit()
    {
        if (changes == 0)
        {
            return false;
        }
        appendPart(0);
        onChangeSet();
        return true;
    }

    /**
     * Writes change-sets of sessions into the same log, and counts them here.
     *
     * @return a new encoder.
     */
    public SessionChangeSetEncoder ofSessions()
    {
        return new SessionChangeSetEncoder(appender, this);
    }

    /**
     * Change-sets committed by this encoder, compared ones included.
     *
     * @return number of change-sets.
     */
    public long changeSets()
    {
        return changeSets;
    }

    void onChangeSet()
    {
        changeSets++;
    }

    private void putImage(final int toGroup, final long imageAddress, final int imageLength)
    {
        if (group != toGroup)
        {
            moveTo(toGroup);
        }
        if (at + imageLength > end)
        {
            nextPart(toGroup);
        }
        Bytes.copy(imageAddress, at, imageLength);
        at += imageLength;
        entries++;
    }

    private void putUnmatched(
        final int toGroup, final int side, final boolean isFinal, final long imageAddress, final int imageLength)
    {
        if (group != toGroup)
        {
            moveTo(toGroup);
        }
        if (at + UNMATCHED_PREFIX_LENGTH + imageLength > end)
        {
            nextPart(toGroup);
        }
        UnsafeApi.putByte(at + UNMATCHED_SIDE_OFFSET, (byte)side);
        UnsafeApi.putByte(at + UNMATCHED_FINAL_OFFSET, (byte)(isFinal ? 1 : 0));
        Bytes.copy(imageAddress, at + UNMATCHED_PREFIX_LENGTH, imageLength);
        at += UNMATCHED_PREFIX_LENGTH + imageLength;
        entries++;
        changes++;
    }

    private void moveTo(final int toGroup)
    {
        assert group <= toGroup : "rows of group " + toGroup + " after those of group " + group;
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
        if (newGroup == RETRACTED_PAIRS)
        {
            // what stands before is the same in every part
            changesAt = at;
        }
        putGroupHeader(at, newGroup);
        at += GROUP_HEADER_LENGTH;
    }

    private void closeGroup()
    {
        UnsafeApi.putShort(groupAt + GROUP_COUNT_OFFSET, (short)entries);
    }

    private void nextPart(final int toGroup)
    {
        assert changesAt != 0 : "a subject alone fits into every record";
        appendPart(FLAG_MORE);
        part++;
        at = changesAt;
        openGroup(RETRACTED_PAIRS);
        moveTo(toGroup);
    }

    private void appendPart(final int flags)
    {
        moveTo(INSERTED_UNMATCHED);
        closeGroup();
        Bytes.copy(keyBase, at, keySize);
        at += keySize;
        UnsafeApi.putByte(base + FLAGS_OFFSET, (byte)flags);
        UnsafeApi.putShort(base + PART_OFFSET, (short)part);
        appender.append(record, 0, (int)(at - base));
    }
}
