package io.tidemark.operator.change;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

import static io.tidemark.operator.change.ChangeSetDescriptor.GROUPS_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_COUNT_OFFSET;
import static io.tidemark.operator.change.ChangeSetDescriptor.GROUP_HEADER_LENGTH;

/**
 * Writes change-sets of sessions (SEMANTICS.md sections 7 and 9) from {@link SessionImage}s that are given by address:
 * {@link #begin}, then {@link #retract}.., {@link #insert}.., each by row id; then {@link #commit}. One event changes a
 * handful of sessions, so a change-set is always one record.
 * <p>
 * Memory at an address must hold still during the call only. Single-threaded, allocates nothing.
 */
public final class SessionChangeSetEncoder
{
    /** Most sessions that a change-set can retract, and most that it can insert. */
    public static final int MOST_SESSIONS = 64;

    private static final int LENGTH =
        GROUPS_OFFSET + 2 * (GROUP_HEADER_LENGTH + MOST_SESSIONS * SessionImage.LENGTH) + 1 + 255;

    private final RecordAppender appender;
    private final ChangeSetEncoder count;
    private final UnsafeBuffer record = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
    private final UnsafeBuffer key = new UnsafeBuffer(ByteBuffer.allocateDirect(1 + 255));
    private final long base = record.addressOffset();
    private long at;
    private long groupAt;
    private int entries;
    private boolean inserts;
    private int changes;

    SessionChangeSetEncoder(final RecordAppender appender, final ChangeSetEncoder count)
    {
        this.appender = appender;
        this.count = count;
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
     * @param causeStream    stream of the event, or {@link ChangeSetEncoder#CAUSED_BY_CLOCK}.
     * @param causePartition partition of the event.
     * @param causeIndex     queue index of the event.
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
        final long keyAddress,
        final int keyLength)
    {
        ChangeSetDescriptor.putHead(base, ChangeSetDescriptor.SESSION_HEADER, position, slot, ordinal, epoch,
            generation, rule, causeStream, causePartition, causeIndex, 0);
        UnsafeApi.putByte(key.addressOffset(), (byte)keyLength);
        Bytes.copy(keyAddress, key.addressOffset() + 1, keyLength);
        at = base + GROUPS_OFFSET;
        inserts = false;
        changes = 0;
        openGroup();
    }

    /**
     * Retracts a session.
     *
     * @param imageAddress of its {@link SessionImage}, as it was inserted.
     */
    public void retract(final long imageAddress)
    {
        assert !inserts : "retractions come first";
        put(imageAddress);
    }

    /**
     * Inserts a session.
     *
     * @param imageAddress of its {@link SessionImage}.
     */
    public void insert(final long imageAddress)
    {
        if (!inserts)
        {
            closeGroup();
            inserts = true;
            openGroup();
        }
        put(imageAddress);
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
        closeGroup();
        if (!inserts)
        {
            openGroup();
        }
        final int keySize = 1 + (UnsafeApi.getByte(key.addressOffset()) & 0xFF);
        Bytes.copy(key.addressOffset(), at, keySize);
        at += keySize;
        appender.append(record, 0, (int)(at - base));
        count.onChangeSet();
        return true;
    }

    private void openGroup()
    {
        groupAt = at;
        entries = 0;
        UnsafeApi.putInt(at, SessionImage.LENGTH);
        at += GROUP_HEADER_LENGTH;
    }

    private void closeGroup()
    {
        UnsafeApi.putShort(groupAt + GROUP_COUNT_OFFSET, (short)entries);
    }

    private void put(final long imageAddress)
    {
        if (entries == MOST_SESSIONS)
        {
            throw new IllegalStateException("more than " + MOST_SESSIONS + " sessions in one change-set");
        }
        Bytes.copy(imageAddress, at, SessionImage.LENGTH);
        at += SessionImage.LENGTH;
        entries++;
        changes++;
    }
}
