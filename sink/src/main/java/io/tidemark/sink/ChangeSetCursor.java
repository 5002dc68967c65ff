package io.tidemark.sink;

import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableDirectByteBuffer;

/**
 * A whole change-set in place: its identity, then its changes one after the other, retractions first. Where the log
 * holds it in several records they are shown as one.
 * <p>
 * A flyweight: valid during the callback that it is handed to, one thread at a time. It allocates nothing, but for
 * growing once when a change-set has more records than any before.
 */
public final class ChangeSetCursor
{
    private static final int FIRST_PARTS = 16;
    /** Behind the header of the message and the number of the record. */
    private static final int CONTENT_OFFSET = MessageHeaderDecoder.ENCODED_LENGTH + Long.BYTES;

    private final ChangeSetDecoder decoder = new ChangeSetDecoder();
    private final ExpandableDirectByteBuffer parts = new ExpandableDirectByteBuffer(1 << 16);
    private int[] partOffsets = new int[FIRST_PARTS];
    private int[] partLengths = new int[FIRST_PARTS];
    private int partCount;
    private int part;
    private DirectBuffer single;
    private int singleOffset;
    private int singleLength;

    ChangeSetCursor()
    {
    }

    /**
     * Takes a record of the log.
     *
     * @return whether the change-set is whole with it.
     */
    boolean add(final DirectBuffer record, final int offset, final int length)
    {
        decoder.wrap(record, offset);
        final boolean hasMore = decoder.hasMore();
        if (decoder.part() == 0)
        {
            partCount = 0;
        }
        if (partCount == 0 && !hasMore)
        {
            single = record;
            singleOffset = offset;
            singleLength = length;
            return true;
        }
        single = null;
        copy(record, offset, length);
        if (!hasMore)
        {
            rewind();
        }
        return !hasMore;
    }

    private void copy(final DirectBuffer record, final int offset, final int length)
    {
        if (partCount == partOffsets.length)
        {
            partOffsets = java.util.Arrays.copyOf(partOffsets, 2 * partCount);
            partLengths = java.util.Arrays.copyOf(partLengths, 2 * partCount);
        }
        final int at = partCount == 0 ? 0 : partOffsets[partCount - 1] + partLengths[partCount - 1];
        parts.putBytes(at, record, offset, length);
        partOffsets[partCount] = at;
        partLengths[partCount] = length;
        partCount++;
    }

    /** Forgets records of a change-set that is not whole. */
    void reset()
    {
        partCount = 0;
        single = null;
    }

    /** Stands before the first change again. */
    public void rewind()
    {
        part = 0;
        if (single != null)
        {
            decoder.wrap(single, singleOffset);
        }
        else
        {
            decoder.wrap(parts, partOffsets[0]);
        }
    }

    /**
     * Goes on to the next change, whose fields {@link #change()} has.
     *
     * @return false when there is none.
     */
    public boolean next()
    {
        while (!decoder.next())
        {
            if (single != null || part + 1 >= partCount)
            {
                return false;
            }
            part++;
            decoder.wrap(parts, partOffsets[part]);
        }
        return true;
    }

    /**
     * The change that {@link #next()} went to, and what all changes share: key, cause, rule, epoch, generation.
     *
     * @return valid during the callback.
     */
    public ChangeSetDecoder change()
    {
        return decoder;
    }

    /**
     * Position of the event that caused the change-set.
     *
     * @return from 1.
     */
    public long position()
    {
        return decoder.position();
    }

    /**
     * Slot of the key.
     *
     * @return 0 to 65,535.
     */
    public int slot()
    {
        return decoder.slot();
    }

    /**
     * Counter within position and slot.
     *
     * @return 0 for the direct effect.
     */
    public long ordinal()
    {
        return Integer.toUnsignedLong(decoder.ordinal());
    }

    /**
     * Ownership epoch of the slot.
     *
     * @return its epoch.
     */
    public long epoch()
    {
        return Integer.toUnsignedLong(decoder.epoch());
    }

    /**
     * Generation of the results.
     *
     * @return from 1.
     */
    public long generation()
    {
        return Integer.toUnsignedLong(decoder.generation());
    }

    /**
     * The identity as an object, for those who keep it; allocates.
     *
     * @return what {@link ChangeLogTailer#moveAfter} takes.
     */
    public ChangeSetIdentity identity()
    {
        return new ChangeSetIdentity(position(), slot(), ordinal());
    }

    /**
     * A hash of all the bytes but the numbers of its records in their log: two change-sets of one identity are the same
     * exactly if, but for chance, their digests are.
     *
     * @return 64 bits.
     */
    public long digest()
    {
        if (single != null)
        {
            return RecordDigest.of(
                RecordDigest.EMPTY, single, singleOffset + CONTENT_OFFSET, singleLength - CONTENT_OFFSET);
        }
        long digest = RecordDigest.EMPTY;
        for (int i = 0; i < partCount; i++)
        {
            digest = RecordDigest.of(
                digest, parts, partOffsets[i] + CONTENT_OFFSET, partLengths[i] - CONTENT_OFFSET);
        }
        return digest;
    }
}
