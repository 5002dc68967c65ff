package io.tidemark.operator.change;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/** Takes the place of a log: keeps each record as a buffer of its own. */
public final class RecordList implements RecordAppender
{
    private final List<UnsafeBuffer> records = new ArrayList<>();

    @Override
    public void append(final MutableDirectBuffer record, final int offset, final int length)
    {
        record.putLong(offset + 8, records.size(), ByteOrder.LITTLE_ENDIAN);
        final byte[] copy = new byte[length];
        record.getBytes(offset, copy);
        records.add(new UnsafeBuffer(copy));
    }

    public int size()
    {
        return records.size();
    }

    public UnsafeBuffer get(final int number)
    {
        return records.get(number);
    }

    public List<UnsafeBuffer> all()
    {
        return records;
    }
}
