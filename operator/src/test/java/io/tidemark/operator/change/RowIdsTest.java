package io.tidemark.operator.change;

import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Row ids as INTERFACE.md spells them, and their order without spelling them. */
class RowIdsTest
{
    private static final String[] PIECES = {
        "a", "b", "z", "0", "1", "9", "?", "!", "#", "$", "%", "&", "@", "|", "~", "A", "C", "\u007f", "\u0001",
        "\u001f", "\u0080", "\u0085", "\u009f", "\u00a0", "\u00a9", "\u00ff", "\u0394", "\u20ac", "\ud83d\ude00",
        "aaaaaaaa", "payment-"};

    private final Images images = new Images(1 << 16);

    @ParameterizedTest
    @CsvSource(delimiter = ' ', value = {
        "payment-1 payment-1",
        "a|b a%7Cb",
        "50% 50%25",
        "me@home me%40home",
        "\u00e9\u20ac \u00e9\u20ac",
        "x\u0001y x%01y",
        "x\u007fy x%7Fy",
        "x\u0085y x%C2%85y",
        "x\u009f x%C2%9F",
        "x\u00a0y x\u00a0y"})
    void shouldEncodeSeparatorsAndControlCharacters(final String text, final String encoded)
    {
        assertEquals(encoded, encode(text));
    }

    @Test
    void shouldSpellPairsAndUnmatchedRows()
    {
        final RecordList records = new RecordList();
        final ChangeSetEncoder encoder = new ChangeSetEncoder(records);
        encoder.begin(1, 0, 0, 1, 1, 42, 0, 0, 0, 1, images.text("m|7"), 3);
        final long subject = images.row("s@1", 2);
        final long partner = images.row("p%1", 2_147_483_647);
        encoder.after(subject, RowImage.lengthAt(subject));
        encoder.insertPair(partner, RowImage.lengthAt(partner));
        encoder.insertUnmatched(0, true, partner, RowImage.lengthAt(partner));
        encoder.insertUnmatched(1, false, subject, RowImage.lengthAt(subject));
        assertTrue(encoder.commit());
        final ChangeSetDecoder decoder = new ChangeSetDecoder().wrap(records.get(0), 0);
        assertEquals("pair|42|m%7C7|p%251@2147483647|s%401@2", nextRowId(decoder));
        assertEquals("unmatched|42|m%7C7|left|p%251@2147483647", nextRowId(decoder));
        assertEquals("unmatched|42|m%7C7|right|s%401@2", nextRowId(decoder));
    }

    @Test
    void shouldHaveRoomForTheLongestRowId()
    {
        final String longest = "|".repeat(255);
        final RecordList records = new RecordList();
        final ChangeSetEncoder encoder = new ChangeSetEncoder(records);
        encoder.begin(1, 0, 0, 1, 1, Integer.MAX_VALUE, 0, 0, 0, 0, images.text(longest), 255);
        final long row = images.row(longest, Integer.MAX_VALUE);
        encoder.after(row, RowImage.lengthAt(row));
        encoder.insertPair(row, RowImage.lengthAt(row));
        encoder.insertUnmatched(1, true, row, RowImage.lengthAt(row));
        encoder.commit();
        final ChangeSetDecoder decoder = new ChangeSetDecoder().wrap(records.get(0), 0);
        final UnsafeBuffer target = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
        while (decoder.next())
        {
            assertTrue(decoder.putRowId(target, 0) > 3 * 2 * 255);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = ' ', quoteCharacter = '`', value = {
        // id, revision, id, revision, order of pair ids that differ in the right row
        "a 1 b 1 -1",
        "a 1 aa 1 -1",
        "a 1 a1 1 1",
        "a 1 a? 1 1",
        "a 1 aA 1 -1",
        "a 1 a@ 1 1",
        "a 1 a% 1 1",
        "a% 1 a& 1 -1",
        "a% 1 a$ 1 1",
        "a| 1 a~ 1 -1",
        "a| 1 a% 1 1",
        "a 1 a 2 -1",
        "a 9 a 10 1",
        "a 1 a 12 -1",
        "a 0 a 0 0"})
    void shouldOrderRowsAsTheirIdsAreSpelt(
        final String aId, final int aRevision, final String bId, final int bRevision, final int order)
    {
        final long a = images.row(aId, aRevision);
        final long b = images.row(bId, bRevision);
        assertEquals(order, Integer.signum(RowIds.comparePairs(a, b, 1)));
        assertEquals(-order, Integer.signum(RowIds.comparePairs(b, a, 1)));
    }

    @Test
    void shouldPutALongerRevisionFirstWhereABarFollows()
    {
        final long one = images.row("a", 1);
        final long twelve = images.row("a", 12);
        assertTrue(RowIds.comparePairs(one, twelve, 0) > 0);
        assertTrue(RowIds.comparePairs(one, twelve, 1) < 0);
        assertTrue(RowIds.compareUnmatched(0, one, 0, twelve) < 0);
        assertTrue(RowIds.compareUnmatched(1, one, 0, twelve) > 0);
    }

    @Test
    void shouldOrderRandomRowsAsTheirIdsAreSpelt()
    {
        final Random random = new Random(7);
        for (int i = 0; i < 200_000; i++)
        {
            images.reset();
            final String common = randomId(random, 4);
            final String aId = common + randomId(random, 3);
            final String bId = common + randomId(random, 3);
            final int aRevision = randomRevision(random);
            final int bRevision = randomRevision(random);
            final long a = images.row(aId, aRevision);
            final long b = images.row(bId, bRevision);
            final String aSpelt = encode(aId) + "@" + aRevision;
            final String bSpelt = encode(bId) + "@" + bRevision;
            assertEquals(spelt(aSpelt, bSpelt), Integer.signum(RowIds.comparePairs(a, b, 1)), aSpelt + " " + bSpelt);
            assertEquals(spelt(aSpelt + "|r@1", bSpelt + "|r@1"), Integer.signum(RowIds.comparePairs(a, b, 0)),
                aSpelt + " " + bSpelt);
        }
    }

    @Test
    void shouldOrderBytesThatAreNoUtf8JustTheSame()
    {
        final byte[] alphabet = {(byte)0xC2, (byte)0x80, (byte)0x9F, (byte)0xA0, 'a', '@', '%', '1', (byte)0xC3};
        final Random random = new Random(8);
        for (int i = 0; i < 100_000; i++)
        {
            images.reset();
            final byte[] aId = randomBytes(random, alphabet);
            final byte[] bId = randomBytes(random, alphabet);
            final long a = rawRow(aId);
            final long b = rawRow(bId);
            final int order = Integer.signum(Arrays.compareUnsigned(encoded(aId), encoded(bId)));
            assertEquals(order, Integer.signum(RowIds.comparePairs(a, b, 1)),
                () -> Arrays.toString(aId) + " " + Arrays.toString(bId));
        }
    }

    private long rawRow(final byte[] id)
    {
        final long idAddress = images.bytes(id);
        final long image = images.bytes(new byte[RowImage.length(id.length)]);
        RowImage.put(image, 5, 0, 0, 0, 0);
        RowImage.putId(image, idAddress, id.length);
        return image;
    }

    private static byte[] encoded(final byte[] id)
    {
        final UnsafeBuffer target = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
        final int length = RowIds.putEncoded(target, 0, new UnsafeBuffer(id), 0, id.length);
        final byte[] spelt = new byte[length + 2];
        target.getBytes(0, spelt, 0, length);
        spelt[length] = '@';
        spelt[length + 1] = '5';
        return spelt;
    }

    private static byte[] randomBytes(final Random random, final byte[] alphabet)
    {
        final byte[] bytes = new byte[1 + random.nextInt(5)];
        for (int i = 0; i < bytes.length; i++)
        {
            bytes[i] = alphabet[random.nextInt(alphabet.length)];
        }
        return bytes;
    }

    private static int spelt(final String a, final String b)
    {
        return Integer.signum(Arrays.compareUnsigned(
            a.getBytes(StandardCharsets.UTF_8), b.getBytes(StandardCharsets.UTF_8)));
    }

    private static String randomId(final Random random, final int pieces)
    {
        final StringBuilder id = new StringBuilder();
        for (int n = 1 + random.nextInt(pieces); n > 0; n--)
        {
            id.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return id.toString();
    }

    private static int randomRevision(final Random random)
    {
        return random.nextInt() >>> (1 + random.nextInt(31));
    }

    private static String encode(final String text)
    {
        final UnsafeBuffer source = new UnsafeBuffer(text.getBytes(StandardCharsets.UTF_8));
        final ExpandableArrayBuffer target = new ExpandableArrayBuffer();
        final int length = RowIds.putEncoded(target, 0, source, 0, source.capacity());
        return target.getStringWithoutLengthUtf8(0, length);
    }

    private static String nextRowId(final ChangeSetDecoder decoder)
    {
        assertTrue(decoder.next());
        final UnsafeBuffer target = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
        return target.getStringWithoutLengthUtf8(0, decoder.putRowId(target, 0));
    }
}
