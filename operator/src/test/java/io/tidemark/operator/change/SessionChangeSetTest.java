package io.tidemark.operator.change;

import io.tidemark.operator.codec.MessageHeaderEncoder;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Change-sets of sessions: the engine's encoder and the decoder against the codec generated from the schema. */
class SessionChangeSetTest
{
    private static final byte[] KEY = "account|7".getBytes(StandardCharsets.UTF_8);

    private final RecordList records = new RecordList();
    private final ChangeSetEncoder changes = new ChangeSetEncoder(records);
    private final SessionChangeSetEncoder encoder = changes.ofSessions();
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();
    private final long memory = UnsafeApi.allocateMemory(1024);

    @AfterEach
    void free()
    {
        UnsafeApi.freeMemory(memory);
    }

    @Test
    void shouldWriteTheBytesOfTheGeneratedCodec()
    {
        begin();
        encoder.retract(image(0, -9, 12, 4, -1, -77, Long.MIN_VALUE, Long.MAX_VALUE, 3, false));
        encoder.insert(image(1, -9, 11, 3, 0, 5, 1, 2, 12, true));
        assertTrue(encoder.commit());
        assertEquals(1, changes.changeSets());

        final UnsafeBuffer generated = new UnsafeBuffer(new byte[1024]);
        final io.tidemark.operator.codec.SessionChangeSetEncoder sbe =
            new io.tidemark.operator.codec.SessionChangeSetEncoder();
        sbe.wrapAndApplyHeader(generated, 0, new MessageHeaderEncoder())
            .number(0).position(12).causeIndex(0x5_0000_0001L).slot(65_535).ordinal(4).epoch(5).generation(6).rule(7)
            .causeStream((short)0).causePartition(2).side((short)0).flags((short)0).part(0);
        sbe.retractedCount(1).next().start(-9).end(12).members(4).sumHigh(-1).sumLow(-77).min(Long.MIN_VALUE)
            .max(Long.MAX_VALUE).publication(3).isFinal((short)0);
        sbe.insertedCount(1).next().start(-9).end(11).members(3).sumHigh(0).sumLow(5).min(1).max(2).publication(12)
            .isFinal((short)1);
        sbe.putKey(KEY, 0, KEY.length);
        final byte[] expected = new byte[MessageHeaderEncoder.ENCODED_LENGTH + sbe.encodedLength()];
        generated.getBytes(0, expected);
        final byte[] actual = new byte[records.get(0).capacity()];
        records.get(0).getBytes(0, actual);
        assertArrayEquals(expected, actual);
    }

    @Test
    void shouldHandOutWholeRowsRetractionsFirst()
    {
        begin();
        encoder.retract(image(0, -9, 12, 4, -1, -77, Long.MIN_VALUE, Long.MAX_VALUE, 3, false));
        encoder.insert(image(1, -9, 11, 3, 0, -1, 1, 2, 12, true));
        encoder.commit();

        assertTrue(ChangeSetDecoder.isChangeSet(records.get(0), 0));
        decoder.wrap(records.get(0), 0);
        assertEquals("account|7", decoder.key());
        assertEquals(2, decoder.changes());
        assertEquals(12, decoder.position());
        assertTrue(decoder.next());
        assertTrue(decoder.isRetraction());
        assertEquals(RowKind.SESSION, decoder.kind());
        assertFalse(decoder.isPair());
        assertEquals(BigInteger.valueOf(-77), decoder.session().sum());
        assertEquals(
            List.of(-9L, 12L, 4L, Long.MIN_VALUE, Long.MAX_VALUE, 3L), List.of(
            decoder.session().start(), decoder.session().end(), decoder.session().count(), decoder.session().min(),
            decoder.session().max(), decoder.session().publication()));
        assertTrue(decoder.next());
        assertFalse(decoder.isRetraction());
        assertTrue(decoder.isFinal());
        assertEquals(BigInteger.ONE.shiftLeft(64).subtract(BigInteger.ONE), decoder.session().sum());
        assertEquals("session|7|account%7C7|-9", rowId());
        assertFalse(decoder.next());
    }

    @Test
    void shouldWriteOnlyInsertionsOrOnlyRetractions()
    {
        begin();
        encoder.retract(image(0, 1, 1, 1, 0, 1, 1, 1, 3, false));
        assertTrue(encoder.commit());
        begin();
        encoder.insert(image(0, 1, 1, 1, 0, 1, 1, 1, 3, false));
        assertTrue(encoder.commit());
        begin();
        assertFalse(encoder.commit());
        assertEquals(2, records.size());
        assertTrue(decoder.wrap(records.get(0), 0).next());
        assertTrue(decoder.isRetraction());
        assertTrue(decoder.wrap(records.get(1), 0).next());
        assertFalse(decoder.isRetraction());
    }

    @Test
    void shouldOrderSessionsOfAKeyByTheTextsOfTheirStarts()
    {
        final Random random = new Random(7);
        for (int i = 0; i < 20_000; i++)
        {
            final long a = random.nextLong() >> random.nextInt(64);
            final long b = random.nextInt(4) == 0 ? a / 10 : random.nextLong() >> random.nextInt(64);
            assertEquals(
                Integer.signum(Long.toString(a).compareTo(Long.toString(b))),
                Integer.signum(RowIds.compareSessions(a, b)), () -> a + " and " + b);
        }
        assertTrue(RowIds.compareSessions(Long.MIN_VALUE, 0) < 0);
        assertTrue(RowIds.compareSessions(Long.MIN_VALUE, -9) > 0);
    }

    private void begin()
    {
        final UnsafeBuffer key = new UnsafeBuffer(UnsafeApi.allocateMemory(KEY.length), KEY.length);
        key.putBytes(0, KEY);
        encoder.begin(12, 65_535, 4, 5, 6, 7, 0, 2, 0x5_0000_0001L, key.addressOffset(), KEY.length);
        UnsafeApi.freeMemory(key.addressOffset());
    }

    private long image(
        final int at,
        final long start,
        final long end,
        final long count,
        final long sumHigh,
        final long sumLow,
        final long min,
        final long max,
        final long publication,
        final boolean isFinal)
    {
        final long address = memory + 128L * at;
        SessionImage.put(address, start, end, count, sumHigh, sumLow, min, max);
        SessionImage.putPublication(address, publication, isFinal);
        return address;
    }

    private String rowId()
    {
        final ExpandableArrayBuffer id = new ExpandableArrayBuffer(RowIds.MAX_LENGTH);
        return id.getStringWithoutLengthUtf8(0, decoder.putRowId(id, 0));
    }
}
