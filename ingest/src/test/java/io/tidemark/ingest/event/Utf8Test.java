package io.tidemark.ingest.event;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.SplittableRandom;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/**
 * The JDK's own strict decoder and encoder are the oracle.
 */
class Utf8Test
{
    private static final int[] EDGES =
        {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xED, 0xEE, 0xEF,
         0xF0, 0xF1, 0xF4, 0xF5, 0xFF};

    private final UnsafeBuffer target = new UnsafeBuffer(new byte[300]);

    @Test
    void shouldAgreeWithTheJdkOnSequencesOfEdgeBytes()
    {
        final byte[] bytes = new byte[4];
        final int triples = EDGES.length * EDGES.length * EDGES.length;
        for (int i = 0; i < triples; i++)
        {
            put(bytes, 0, i);
            for (int length = 1; length <= 3; length++)
            {
                assertEquals(jdkAccepts(bytes, length), accepts(bytes, length), hex(bytes));
            }
        }
        for (final int lead : new int[] {0xF0, 0xF1, 0xF4})
        {
            bytes[0] = (byte)lead;
            for (int i = 0; i < triples; i++)
            {
                put(bytes, 1, i);
                assertEquals(jdkAccepts(bytes, 4), accepts(bytes, 4), hex(bytes));
            }
        }
    }

    private static void put(final byte[] bytes, final int offset, final int triple)
    {
        for (int at = 0, rest = triple; at < 3; at++, rest /= EDGES.length)
        {
            bytes[offset + at] = (byte)EDGES[rest % EDGES.length];
        }
    }

    @Test
    void shouldEncodeEveryCodePointAsTheJdkDoes()
    {
        for (int codePoint = 0; codePoint <= Character.MAX_CODE_POINT; codePoint++)
        {
            if (codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE)
            {
                final String text = new String(Character.toChars(codePoint));
                final int length = Utf8.encode("key", text, target, 1);
                final byte[] encoded = new byte[length];
                target.getBytes(1, encoded);
                assertArrayEquals(text.getBytes(UTF_8), encoded, text);
            }
        }
    }

    @Test
    void shouldRefuseHalfPairsAnywhere()
    {
        final SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 1000; i++)
        {
            final StringBuilder text = new StringBuilder("a€😀b");
            text.insert(random.nextBoolean() ? 0 : text.length(), (char)(0xD800 + random.nextInt(0x800)));
            assertThrows(IllegalArgumentException.class, () -> Utf8.encode("key", text, target, 0));
        }
    }

    private boolean accepts(final byte[] bytes, final int length)
    {
        boolean accepted = true;
        try
        {
            Utf8.check("key", bytes, 0, length);
        }
        catch (final IllegalArgumentException ex)
        {
            accepted = false;
        }
        boolean acceptedInBuffer = true;
        try
        {
            Utf8.check("key", new UnsafeBuffer(bytes), 0, length);
        }
        catch (final IllegalArgumentException ex)
        {
            acceptedInBuffer = false;
        }
        assertEquals(accepted, acceptedInBuffer);
        return accepted;
    }

    private static boolean jdkAccepts(final byte[] bytes, final int length)
    {
        try
        {
            UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, 0, length));
            return true;
        }
        catch (final CharacterCodingException ex)
        {
            return false;
        }
    }

    private static String hex(final byte[] bytes)
    {
        return Integer.toHexString(ByteBuffer.wrap(bytes).getInt());
    }
}
