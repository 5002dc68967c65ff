package io.tidemark.operator.keyed;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** The hash of keys never changes, for state and change logs hold slots that follow from it. */
class KeyHashTest
{
    private static final int BEFORE = 8;

    private final UnsafeBuffer memory = new UnsafeBuffer(ByteBuffer.allocateDirect(64));

    @ParameterizedTest
    @CsvSource({
        "'', 86104F544A8FF85E",
        "a, 63A24D53480CC2DD",
        "ab, 909317D7540F26ED",
        "abc, F2720F71C14A2674",
        "abcd, FDBB4DEB711102A6",
        "abcde, DE804405335B2933",
        "abcdef, 49F2723E1647C385",
        "abcdefg, 643FC0A0AA1B17F6",
        "abcdefgh, 481A8571EA636C63",
        "merchant-7, 28B9C95D09F707BA",
        "merchant-29, 8A40385AF499A5C8",
        "\u00e4\u20ac\ud83d\ude00z, 1F9DAA0868242AF2",
        "0123456789abcdef0123456, BA429F78D8BD5464"})
    void shouldHashAsEver(final String key, final String hash)
    {
        final byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        memory.setMemory(0, memory.capacity(), (byte)0xA5);
        memory.putBytes(BEFORE, bytes);
        assertEquals(
            Long.parseUnsignedLong(hash, 16), KeyHash.hash(memory.addressOffset() + BEFORE, bytes.length));
    }

    @Test
    void shouldCompareTheBytesAndNoneBesideThem()
    {
        final Random random = new Random(1);
        final UnsafeBuffer other = new UnsafeBuffer(ByteBuffer.allocateDirect(64));
        for (int length = 0; length <= 40; length++)
        {
            for (int i = 0; i < 50; i++)
            {
                final byte[] bytes = new byte[length];
                random.nextBytes(bytes);
                fill(memory, random, bytes);
                fill(other, random, bytes);
                final boolean isChanged = length > 0 && random.nextBoolean();
                if (isChanged)
                {
                    final int at = BEFORE + random.nextInt(length);
                    other.putByte(at, (byte)(other.getByte(at) ^ (1 << random.nextInt(8))));
                }
                assertEquals(!isChanged, Memory.equal(
                    memory.addressOffset() + BEFORE, other.addressOffset() + BEFORE, length), "length " + length);
            }
        }
    }

    private static void fill(final UnsafeBuffer buffer, final Random random, final byte[] bytes)
    {
        final byte[] noise = new byte[buffer.capacity()];
        random.nextBytes(noise);
        buffer.putBytes(0, noise);
        buffer.putBytes(BEFORE, bytes);
    }
}
