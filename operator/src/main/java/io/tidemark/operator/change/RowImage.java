package io.tidemark.operator.change;

import org.agrona.UnsafeApi;

/**
 * The bytes of a row, in state and in change-sets alike: little endian, not aligned.
 * <pre>
 *   0        4                12               20   22               30  31
 *  +--------+----------------+----------------+----+----------------+---+------------ ... -+
 *  |revision|      time      |     value      |part|     index      |len| id (1 to 255)    |
 *  +--------+----------------+----------------+----+----------------+---+------------ ... -+
 * </pre>
 * Time is event time in nanoseconds, part the partition, index the queue index of the event that made the row. In SBE
 * terms it is a group entry with a block of {@link #BLOCK_LENGTH} bytes and one var data.
 */
public final class RowImage
{
    /** Offset of the revision, int32. */
    public static final int REVISION_OFFSET = 0;

    /** Offset of the event time, int64. */
    public static final int TIME_OFFSET = REVISION_OFFSET + Integer.BYTES;

    /** Offset of the value, int64. */
    public static final int VALUE_OFFSET = TIME_OFFSET + Long.BYTES;

    /** Offset of the partition, uint16. */
    public static final int PARTITION_OFFSET = VALUE_OFFSET + Long.BYTES;

    /** Offset of the queue index, int64. */
    public static final int INDEX_OFFSET = PARTITION_OFFSET + Short.BYTES;

    /** Bytes before the id's length. */
    public static final int BLOCK_LENGTH = INDEX_OFFSET + Long.BYTES;

    /** Offset of the id's length, uint8. */
    public static final int ID_LENGTH_OFFSET = BLOCK_LENGTH;

    /** Offset of the id's bytes. */
    public static final int ID_OFFSET = ID_LENGTH_OFFSET + Byte.BYTES;

    /** Bytes of the longest image. */
    public static final int MAX_LENGTH = ID_OFFSET + 255;

    private RowImage()
    {
    }

    /**
     * Bytes of an image.
     *
     * @param idLength bytes of its id.
     * @return bytes of the whole.
     */
    public static int length(final int idLength)
    {
        return ID_OFFSET + idLength;
    }

    /**
     * Bytes of the image at an address.
     *
     * @param address of the image.
     * @return bytes of the whole.
     */
    public static int lengthAt(final long address)
    {
        return ID_OFFSET + idLength(address);
    }

    /**
     * Writes all but the id.
     *
     * @param address   of the image.
     * @param revision  of the row.
     * @param time      of the row.
     * @param value     of the row.
     * @param partition of its event.
     * @param index     of its event.
     */
    public static void put(
        final long address,
        final int revision,
        final long time,
        final long value,
        final int partition,
        final long index)
    {
        UnsafeApi.putInt(address + REVISION_OFFSET, revision);
        UnsafeApi.putLong(address + TIME_OFFSET, time);
        UnsafeApi.putLong(address + VALUE_OFFSET, value);
        UnsafeApi.putShort(address + PARTITION_OFFSET, (short)partition);
        UnsafeApi.putLong(address + INDEX_OFFSET, index);
    }

    /**
     * Writes the id.
     *
     * @param address   of the image.
     * @param idAddress of the id's bytes.
     * @param idLength  1 to 255.
     */
    public static void putId(final long address, final long idAddress, final int idLength)
    {
        UnsafeApi.putByte(address + ID_LENGTH_OFFSET, (byte)idLength);
        Bytes.copy(idAddress, address + ID_OFFSET, idLength);
    }

    /**
     * Revision of the row.
     *
     * @param address of the image.
     * @return its revision.
     */
    public static int revision(final long address)
    {
        return UnsafeApi.getInt(address + REVISION_OFFSET);
    }

    /**
     * Event time of the row.
     *
     * @param address of the image.
     * @return nanoseconds.
     */
    public static long time(final long address)
    {
        return UnsafeApi.getLong(address + TIME_OFFSET);
    }

    /**
     * Value of the row.
     *
     * @param address of the image.
     * @return its value.
     */
    public static long value(final long address)
    {
        return UnsafeApi.getLong(address + VALUE_OFFSET);
    }

    /**
     * Partition of the row's event.
     *
     * @param address of the image.
     * @return its partition.
     */
    public static int partition(final long address)
    {
        return UnsafeApi.getShort(address + PARTITION_OFFSET) & 0xFFFF;
    }

    /**
     * Queue index of the row's event.
     *
     * @param address of the image.
     * @return its index.
     */
    public static long index(final long address)
    {
        return UnsafeApi.getLong(address + INDEX_OFFSET);
    }

    /**
     * Bytes of the row's id.
     *
     * @param address of the image.
     * @return 1 to 255.
     */
    public static int idLength(final long address)
    {
        return UnsafeApi.getByte(address + ID_LENGTH_OFFSET) & 0xFF;
    }
}
