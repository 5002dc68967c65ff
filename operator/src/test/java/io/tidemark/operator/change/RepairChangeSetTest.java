package io.tidemark.operator.change;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.codec.RepairChangeSetDecoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** The change-set of a repair: written by hand, read by the codec of the schema and by the decoder of the log. */
class RepairChangeSetTest
{
    private static final byte[] KEY = "shop|7".getBytes(StandardCharsets.UTF_8);

    private final UnsafeBuffer images = new UnsafeBuffer(ByteBuffer.allocateDirect(4096));
    private final RepairChangeSetEncoder encoder = new RepairChangeSetEncoder();
    private final RecordList log = new RecordList();
    private int imagesLength;

    @Test
    void shouldDeliverWholeRowsOfEveryKind()
    {
        final List<String> expected = new ArrayList<>();
        encoder.begin(3, 9, 4, KEY);
        encoder.late(11);
        encoder.late(12);
        pair(false, "p1", "s1", expected);
        session(false, 1_000, expected);
        unmatched(false, 1, "s2", expected);
        pair(true, "p2", "s".repeat(255), expected);
        session(true, 2_000, expected);
        unmatched(true, 0, "p3", expected);
        final List<byte[]> parts = encoder.end();

        assertTrue(new RepairPublisher(log).publish(parts, 77, 5, 1, 9, 4));

        assertEquals(1, log.size());
        final ChangeSetDecoder decoder = new ChangeSetDecoder().wrap(log.get(0), 0);
        assertTrue(decoder.isRepair());
        assertEquals("77 3 0 1 5 9 4 2 11 12 6", decoder.position() + " " + decoder.slot() + " " +
            decoder.ordinal() + " " + decoder.epoch() + " " + decoder.generation() + " " + decoder.rule() + " " +
            decoder.baseGeneration() + " " + decoder.lateEvents() + " " + decoder.lateEvent(0) + " " +
            decoder.lateEvent(1) + " " + decoder.changes());
        assertEquals("shop|7", decoder.key());
        assertEquals(ChangeSetEncoder.CAUSED_BY_REQUEST, decoder.causeStream());
        assertEquals(expected, rows(decoder));
    }

    @Test
    void shouldAgreeWithTheSchema()
    {
        encoder.begin(3, 9, 4, KEY);
        encoder.late(11);
        pair(true, "p2", "s2", new ArrayList<>());
        session(true, 2_000, new ArrayList<>());
        unmatched(true, 1, "s3", new ArrayList<>());
        new RepairPublisher(log).publish(encoder.end(), 77, 5, 1, 9, 4);

        final RepairChangeSetDecoder codec = new RepairChangeSetDecoder();
        codec.wrapAndApplyHeader(log.get(0), 0, new MessageHeaderDecoder());
        assertEquals("0 77 5 3 0 1 5 9 254 4", codec.number() + " " + codec.position() + " " + codec.causeIndex() +
            " " + codec.slot() + " " + codec.ordinal() + " " + codec.epoch() + " " + codec.generation() + " " +
            codec.rule() + " " + codec.causeStream() + " " + codec.baseGeneration());
        assertEquals(11, codec.late().next().latePosition());
        assertEquals(0, codec.retractedPairs().count());
        assertEquals(0, codec.retractedSessions().count());
        assertEquals(0, codec.retractedUnmatched().count());
        final RepairChangeSetDecoder.InsertedPairsDecoder pair = codec.insertedPairs().next();
        assertEquals("2 20 200", pair.leftRevision() + " " + pair.leftTime() + " " + pair.leftValue());
        assertEquals("p2 s2", text(pair::getLeftId) + " " + text(pair::getRightId));
        final RepairChangeSetDecoder.InsertedSessionsDecoder session = codec.insertedSessions().next();
        assertEquals("2000 77 1", session.start() + " " + session.publication() + " " + session.isFinal());
        final RepairChangeSetDecoder.InsertedUnmatchedDecoder alone = codec.insertedUnmatched().next();
        assertEquals("1 1 3 s3",
            alone.side() + " " + alone.isFinal() + " " + alone.revision() + " " + text(alone::getId));
        assertEquals("shop|7", text(codec::getKey));
    }

    @Test
    void shouldGoOnInFurtherRecordsWhenThereAreManyRows()
    {
        final List<String> expected = new ArrayList<>();
        encoder.begin(3, 9, 1, KEY);
        for (int i = 0; i < 9_000; i++)
        {
            encoder.late(i);
        }
        for (int i = 0; i < 2_000; i++)
        {
            pair(false, "p" + i, "s" + i, expected);
        }
        for (int i = 0; i < 1_000; i++)
        {
            unmatched(true, 0, "p" + i, expected);
        }
        final List<byte[]> parts = encoder.end();
        assertTrue(new RepairPublisher(log).publish(parts, 77, 5, 1, 9, 1));

        final List<String> found = new ArrayList<>();
        long late = 0;
        for (int i = 0; i < log.size(); i++)
        {
            final ChangeSetDecoder decoder = new ChangeSetDecoder().wrap(log.get(i), 0);
            assertEquals(i, decoder.part());
            assertEquals(i < log.size() - 1, decoder.hasMore());
            assertEquals(2, decoder.generation());
            late += decoder.lateEvents();
            found.addAll(rows(decoder));
        }
        assertEquals(9_000, late);
        assertEquals(expected, found);
    }

    @Test
    void shouldRefuseWhatIsDamagedOrBuiltOnAnotherGenerationOrOfAnotherRule()
    {
        encoder.begin(3, 9, 4, KEY);
        pair(true, "p2", "s2", new ArrayList<>());
        final List<byte[]> parts = encoder.end();

        assertFalse(new RepairPublisher(log).publish(parts, 77, 5, 1, 9, 5));
        assertFalse(new RepairPublisher(log).publish(parts, 77, 5, 1, 8, 4));
        parts.get(0)[parts.get(0).length - 1] ^= 1;
        assertFalse(new RepairPublisher(log).publish(parts, 77, 5, 1, 9, 4));
        assertEquals(0, log.size());
    }

    @Test
    void shouldHaveTheSameDigestForTheSameCandidateOnly()
    {
        encoder.begin(3, 9, 4, KEY);
        pair(true, "p2", "s2", new ArrayList<>());
        final byte[] digest = new ChangeSetDecoder().wrap(new UnsafeBuffer(encoder.end().get(0)), 0).digest();
        encoder.begin(3, 9, 4, KEY);
        pair(true, "p2", "s2", new ArrayList<>());
        assertArrayEquals(digest, new ChangeSetDecoder().wrap(new UnsafeBuffer(encoder.end().get(0)), 0).digest());
        encoder.begin(3, 9, 5, KEY);
        pair(true, "p2", "s2", new ArrayList<>());
        assertFalse(java.util.Arrays.equals(
            digest, new ChangeSetDecoder().wrap(new UnsafeBuffer(encoder.end().get(0)), 0).digest()));
    }

    private interface Getter
    {
        int get(byte[] target, int offset, int length);
    }

    private static String text(final Getter getter)
    {
        final byte[] bytes = new byte[255];
        return new String(bytes, 0, getter.get(bytes, 0, bytes.length), StandardCharsets.UTF_8);
    }

    private static List<String> rows(final ChangeSetDecoder decoder)
    {
        final UnsafeBuffer id = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
        final List<String> rows = new ArrayList<>();
        while (decoder.next())
        {
            final int length = decoder.putRowId(id, 0);
            final String content = switch (decoder.kind())
            {
                case PAIR -> decoder.left().time() + " " + decoder.right().value();
                case SESSION -> decoder.session().end() + " " + decoder.session().sum() + " " +
                    decoder.session().publication();
                case UNMATCHED -> decoder.row().time() + " " + decoder.isFinal();
            };
            rows.add((decoder.isRetraction() ? "-" : "+") + id.getStringWithoutLengthUtf8(0, length) + " " + content);
        }
        return rows;
    }

    private void pair(final boolean isInsertion, final String left, final String right, final List<String> expected)
    {
        imagesLength = 0;
        final int leftAt = image(left, 2);
        final int leftLength = imagesLength;
        final int rightAt = image(right, 3);
        encoder.pair(isInsertion, images.addressOffset() + leftAt, leftLength,
            images.addressOffset() + rightAt, imagesLength - leftLength);
        expected.add((isInsertion ? "+" : "-") + "pair|9|shop%7C7|" + left + "@2|" + right + "@3 20 300");
    }

    private void unmatched(final boolean isInsertion, final int side, final String row, final List<String> expected)
    {
        imagesLength = 0;
        final int rowAt = image(row, 3);
        encoder.unmatched(isInsertion, side, true, images.addressOffset() + rowAt, imagesLength);
        expected.add((isInsertion ? "+" : "-") + "unmatched|9|shop%7C7|" + (side == 0 ? "left" : "right") + "|" + row +
            "@3 30 true");
    }

    private void session(final boolean isInsertion, final long start, final List<String> expected)
    {
        SessionImage.put(images.addressOffset(), start, start + 5, 2, 0, 500, 1, 499);
        SessionImage.putPublication(images.addressOffset(), isInsertion ? 0 : 60, true);
        encoder.session(isInsertion, images.addressOffset());
        expected.add((isInsertion ? "+" : "-") + "session|9|shop%7C7|" + start + " " + (start + 5) + " 500 " +
            (isInsertion ? 77 : 60));
    }

    private int image(final String id, final int revision)
    {
        final int imageAt = imagesLength;
        final byte[] bytes = id.getBytes(StandardCharsets.UTF_8);
        final UnsafeBuffer idBuffer = new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
        idBuffer.putBytes(0, bytes);
        final long address = images.addressOffset() + imageAt;
        RowImage.put(address, revision, revision * 10L, revision * 100L, 1, revision * 1_000L);
        RowImage.putId(address, idBuffer.addressOffset(), bytes.length);
        imagesLength += RowImage.length(bytes.length);
        return imageAt;
    }
}
