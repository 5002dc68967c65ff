package io.tidemark.operator.change;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Native memory with row images, keys and ids for tests; never freed before the test ends. */
final class Images
{
    private final UnsafeBuffer memory;
    private int at;

    Images(final int capacity)
    {
        memory = new UnsafeBuffer(ByteBuffer.allocateDirect(capacity));
    }

    /** Returns the address of a new image. */
    long row(final String id, final int revision, final long time, final long value, final int partition,
        final long index)
    {
        final byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        final long idAddress = text(id);
        final long image = memory.addressOffset() + at;
        RowImage.put(image, revision, time, value, partition, index);
        RowImage.putId(image, idAddress, bytes.length);
        at += RowImage.length(bytes.length);
        assert at <= memory.capacity();
        return image;
    }

    long row(final String id, final int revision)
    {
        return row(id, revision, 1_000L + revision, -7, 3, 0x1234_5678_9ABCL);
    }

    /** Returns the address of a text's UTF-8 bytes. */
    long text(final String text)
    {
        return bytes(text.getBytes(StandardCharsets.UTF_8));
    }

    long bytes(final byte[] bytes)
    {
        final long address = memory.addressOffset() + at;
        memory.putBytes(at, bytes);
        at += bytes.length;
        return address;
    }

    void reset()
    {
        at = 0;
    }
}
