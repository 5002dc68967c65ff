package io.tidemark.operator.change;

import org.agrona.DirectBuffer;

import java.nio.ByteOrder;

/**
 * Reads one row image in place. Laid out by {@link RowImage}.
 */
public final class RowImageDecoder
{
    private DirectBuffer buffer;
    private int offset;
    private int idLengthOffset;

    RowImageDecoder()
    {
    }

    /** Takes the block's length from its writer, so that later versions can add fields. */
    void wrap(final DirectBuffer rowBuffer, final int rowOffset, final int blockLength)
    {
        buffer = rowBuffer;
        offset = rowOffset;
        idLengthOffset = rowOffset + blockLength;
    }

    /**
     * Revision of the row.
     *
     * @return its revision.
     */
    public int revision()
    {
        return buffer.getInt(offset + RowImage.REVISION_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Event time of the row.
     *
     * @return nanoseconds since the Unix epoch.
     */
    public long time()
    {
        return buffer.getLong(offset + RowImage.TIME_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Value of the row.
     *
     * @return its value.
     */
    public long value()
    {
        return buffer.getLong(offset + RowImage.VALUE_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Partition of the row's event.
     *
     * @return its partition.
     */
    public int partition()
    {
        return buffer.getShort(offset + RowImage.PARTITION_OFFSET, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    /**
     * Queue index of the row's event in its source log.
     *
     * @return its index.
     */
    public long index()
    {
        return buffer.getLong(offset + RowImage.INDEX_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }

    /**
     * Where the row's id starts in {@link #buffer()}.
     *
     * @return its offset.
     */
    public int idOffset()
    {
        return idLengthOffset + 1;
    }

    /**
     * Bytes of the row's id.
     *
     * @return 1 to 255.
     */
    public int idLength()
    {
        return buffer.getByte(idLengthOffset) & 0xFF;
    }

    /**
     * Holds the row, as long as the change-set is valid.
     *
     * @return the record's buffer.
     */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /**
     * The row's id as text; allocates.
     *
     * @return its id.
     */
    public String id()
    {
        return buffer.getStringWithoutLengthUtf8(idOffset(), idLength());
    }
}
