package io.tidemark.sink;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.agrona.DirectBuffer;

/**
 * A key or an id: bytes of UTF-8, compared as unsigned bytes as SEMANTICS.md asks for. Immutable.
 */
public final class Utf8 implements Comparable<Utf8>
{
    private final byte[] bytes;
    private final int hash;

    private Utf8(final byte[] bytes)
    {
        this.bytes = bytes;
        int digest = 1;
        for (final byte b : bytes)
        {
            digest = hash(digest, b);
        }
        this.hash = mix(digest);
    }

    /** The hash of bytes that are still in their record. */
    static int hash(final DirectBuffer buffer, final int offset, final int length)
    {
        int digest = 1;
        for (int i = 0; i < length; i++)
        {
            digest = hash(digest, buffer.getByte(offset + i));
        }
        return mix(digest);
    }

    private static int hash(final int digest, final byte next)
    {
        return 31 * digest + next;
    }

    /** Ids are mostly numbers that count up: without this they and their pairs would crowd in few places. */
    static int mix(final long digest)
    {
        long mixed = digest * 0x9E37_79B9_7F4A_7C15L;
        mixed ^= mixed >>> 32;
        mixed *= 0xD6E8_FEB8_6659_FD93L;
        return (int)(mixed ^ (mixed >>> 32));
    }

    /**
     * The UTF-8 form of a string.
     *
     * @param text any string.
     * @return its bytes.
     */
    public static Utf8 of(final String text)
    {
        return new Utf8(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Copies bytes out of a buffer.
     *
     * @param buffer to copy from.
     * @param offset of the first byte.
     * @param length in bytes.
     * @return the copy.
     */
    public static Utf8 of(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] copy = new byte[length];
        buffer.getBytes(offset, copy);
        return new Utf8(copy);
    }

    /**
     * The bytes themselves, not a copy: for writers and hashes, which leave them alone.
     *
     * @return bytes not to be changed.
     */
    public byte[] bytes()
    {
        return bytes;
    }

    @Override
    public int compareTo(final Utf8 that)
    {
        return Arrays.compareUnsigned(bytes, that.bytes);
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof final Utf8 that && hash == that.hash && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode()
    {
        return hash;
    }

    @Override
    public String toString()
    {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
