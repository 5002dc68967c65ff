package io.tidemark.operator.change;

import io.tidemark.ingest.log.RecordLimits;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.codec.MessageHeaderEncoder;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The engine's encoder and decoder against the codec that is generated from the schema, and against one another. */
class ChangeSetCodecTest
{
    private static final String KEY = "merchant-7";

    private final Images images = new Images(1 << 20);
    private final RecordList records = new RecordList();
    private final ChangeSetEncoder encoder = new ChangeSetEncoder(records);
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();

    @Test
    void shouldWriteTheBytesOfTheGeneratedCodec()
    {
        begin(encoder, 0);
        final long subject = images.row("P1", 3, 1_111, 250, 1, 77);
        final long old = images.row("P1", 2, 1_110, 240, 1, 70);
        final long partner = images.row("S-long-enough-for-a-loop", 9, Long.MIN_VALUE + 1, Long.MAX_VALUE, 65_535, -1);
        put(old, encoder::before);
        put(subject, encoder::after);
        put(partner, encoder::retractPair);
        encoder.retractUnmatched(1, true, partner, RowImage.lengthAt(partner));
        put(partner, encoder::insertPair);
        put(old, encoder::insertPair);
        encoder.insertUnmatched(0, false, subject, RowImage.lengthAt(subject));
        assertTrue(encoder.commit());

        final UnsafeBuffer generated = new UnsafeBuffer(new byte[1024]);
        final int length = writeGenerated(generated);
        final byte[] expected = new byte[length];
        generated.getBytes(0, expected);
        final byte[] actual = new byte[records.get(0).capacity()];
        records.get(0).getBytes(0, actual);
        assertArrayEquals(expected, actual);
    }

    private static int writeGenerated(final UnsafeBuffer target)
    {
        final io.tidemark.operator.codec.ChangeSetEncoder sbe = new io.tidemark.operator.codec.ChangeSetEncoder();
        sbe.wrapAndApplyHeader(target, 0, new MessageHeaderEncoder())
            .number(0).position(12).causeIndex(0x5_0000_0001L).slot(65_535).ordinal(4).epoch(5).generation(6).rule(7)
            .causeStream((short)1).causePartition(2).side((short)0).flags((short)0).part(0);
        sbe.beforeCount(1).next().revision(2).time(1_110).value(240).partition(1).index(70).putId(ascii("P1"), 0, 2);
        sbe.afterCount(1).next().revision(3).time(1_111).value(250).partition(1).index(77).putId(ascii("P1"), 0, 2);
        sbe.retractedPairsCount(1).next().revision(9).time(Long.MIN_VALUE + 1).value(Long.MAX_VALUE)
            .partition(65_535).index(-1).putId(ascii("S-long-enough-for-a-loop"), 0, 24);
        sbe.retractedUnmatchedCount(1).next().side((short)1).isFinal((short)1)
            .revision(9).time(Long.MIN_VALUE + 1).value(Long.MAX_VALUE)
            .partition(65_535).index(-1).putId(ascii("S-long-enough-for-a-loop"), 0, 24);
        final io.tidemark.operator.codec.ChangeSetEncoder.InsertedPairsEncoder pairs = sbe.insertedPairsCount(2);
        pairs.next().revision(9).time(Long.MIN_VALUE + 1).value(Long.MAX_VALUE)
            .partition(65_535).index(-1).putId(ascii("S-long-enough-for-a-loop"), 0, 24);
        pairs.next().revision(2).time(1_110).value(240).partition(1).index(70).putId(ascii("P1"), 0, 2);
        sbe.insertedUnmatchedCount(1).next().side((short)0).isFinal((short)0)
            .revision(3).time(1_111).value(250).partition(1).index(77).putId(ascii("P1"), 0, 2);
        sbe.putKey(ascii(KEY), 0, KEY.length());
        return MessageHeaderEncoder.ENCODED_LENGTH + sbe.encodedLength();
    }

    @Test
    void shouldReadTheBytesOfTheGeneratedCodec()
    {
        final UnsafeBuffer generated = new UnsafeBuffer(new byte[1024]);
        writeGenerated(generated);
        decoder.wrap(generated, 0);
        assertEquals(12, decoder.position());
        assertEquals(0x5_0000_0001L, decoder.causeIndex());
        assertEquals(65_535, decoder.slot());
        assertEquals(4, decoder.ordinal());
        assertEquals(5, decoder.epoch());
        assertEquals(6, decoder.generation());
        assertEquals(7, decoder.rule());
        assertEquals(1, decoder.causeStream());
        assertEquals(2, decoder.causePartition());
        assertEquals(0, decoder.subjectSide());
        assertEquals(0, decoder.part());
        assertFalse(decoder.hasMore());
        assertEquals(KEY, decoder.key());
        assertEquals(5, decoder.changes());
        assertEquals(List.of(
            "-pair P1@2 S-long-enough-for-a-loop@9",
            "-unmatched 1 true S-long-enough-for-a-loop@9",
            "+pair P1@3 S-long-enough-for-a-loop@9",
            "+pair P1@3 P1@2",
            "+unmatched 0 false P1@3"), changes(decoder));
        assertEquals(5, changes(decoder.rewind()).size());
    }

    @Test
    void shouldShowAllFieldsOfBothRowsOfAPair()
    {
        begin(encoder, 1);
        put(images.row("S", 1, 10, 11, 12, 13), encoder::after);
        put(images.row("P", 2, -20, -21, 22, 23), encoder::insertPair);
        encoder.commit();
        assertTrue(decoder.wrap(records.get(0), 0).next());
        assertTrue(decoder.isPair());
        assertFalse(decoder.isRetraction());
        assertEquals("P 2 -20 -21 22 23", fields(decoder.left()));
        assertEquals("S 1 10 11 12 13", fields(decoder.right()));
        assertFalse(decoder.next());
        assertFalse(decoder.next());
    }

    @Test
    void shouldNotWriteAChangeSetWithoutChanges()
    {
        begin(encoder, 0);
        put(images.row("P", 1), encoder::after);
        assertFalse(encoder.commit());
        assertEquals(0, records.size());
    }

    @Test
    void shouldStartAfreshAfterAChangeSetThatWasNotWritten()
    {
        begin(encoder, 0);
        put(images.row("P", 1), encoder::before);
        assertFalse(encoder.commit());
        begin(encoder, 0);
        put(images.row("Q", 1), encoder::after);
        put(images.row("S", 1), encoder::insertPair);
        assertTrue(encoder.commit());
        assertEquals(List.of("+pair Q@1 S@1"), changes(decoder.wrap(records.get(0), 0)));
    }

    @Test
    void shouldGoOnInTheNextRecordWithTheSameIdentityAndSubject()
    {
        begin(encoder, 0);
        put(images.row("P", 1), encoder::before);
        put(images.row("P", 2), encoder::after);
        final int rows = 5_000;
        for (int i = 0; i < rows; i++)
        {
            put(images.row("S" + (10_000 + i), 1), encoder::retractPair);
        }
        for (int i = 0; i < rows; i++)
        {
            put(images.row("S" + (10_000 + i), 1), encoder::insertPair);
        }
        encoder.commit();
        final List<String> changes = new ArrayList<>();
        for (int part = 0; part < records.size(); part++)
        {
            decoder.wrap(records.get(part), 0);
            assertTrue(records.get(part).capacity() <= RecordLimits.MAX_LENGTH);
            assertEquals(part, decoder.part());
            assertEquals(part, decoder.number());
            assertEquals(part < records.size() - 1, decoder.hasMore());
            assertEquals(12, decoder.position());
            assertEquals(KEY, decoder.key());
            changes.addAll(changes(decoder));
        }
        assertEquals(2 * rows, changes.size());
        for (int i = 0; i < rows; i++)
        {
            assertEquals("-pair P@1 S" + (10_000 + i) + "@1", changes.get(i));
            assertEquals("+pair P@2 S" + (10_000 + i) + "@1", changes.get(rows + i));
        }
    }

    @Test
    void shouldLoseNothingWhereverARecordIsFull()
    {
        final Random random = new Random(3);
        for (int round = 0; round < 2_000; round++)
        {
            images.reset();
            final RecordList parts = new RecordList();
            final int maxLength = 700 + random.nextInt(600);
            final ChangeSetEncoder small = new ChangeSetEncoder(parts, maxLength);
            final List<String> expected = putRandomRows(small, random);
            assertEquals(!expected.isEmpty(), small.commit());
            final List<String> actual = new ArrayList<>();
            for (int part = 0; part < parts.size(); part++)
            {
                assertTrue(parts.get(part).capacity() <= maxLength);
                actual.addAll(changes(decoder.wrap(parts.get(part), 0)));
                assertEquals(part < parts.size() - 1, decoder.hasMore());
            }
            assertEquals(expected, actual);
        }
    }

    private List<String> putRandomRows(final ChangeSetEncoder to, final Random random)
    {
        final List<String> expected = new ArrayList<>();
        begin(to, 0);
        final String subject = "P".repeat(1 + random.nextInt(100));
        put(images.row(subject, 1), to::before);
        put(images.row(subject, 2), to::after);
        for (int i = random.nextInt(10); i > 0; i--)
        {
            final String id = randomId(random);
            put(images.row(id, 1), to::retractPair);
            expected.add("-pair " + subject + "@1 " + id + "@1");
        }
        for (int i = random.nextInt(10); i > 0; i--)
        {
            final String id = randomId(random);
            to.retractUnmatched(1, true, images.row(id, 4), RowImage.length(id.length()));
            expected.add("-unmatched 1 true " + id + "@4");
        }
        for (int i = random.nextInt(10); i > 0; i--)
        {
            final String id = randomId(random);
            put(images.row(id, 3), to::insertPair);
            expected.add("+pair " + subject + "@2 " + id + "@3");
        }
        for (int i = random.nextInt(10); i > 0; i--)
        {
            final String id = randomId(random);
            to.insertUnmatched(0, false, images.row(id, 5), RowImage.length(id.length()));
            expected.add("+unmatched 0 false " + id + "@5");
        }
        return expected;
    }

    @Test
    void shouldRefuseRecordsOfAnotherKind()
    {
        final UnsafeBuffer other = new UnsafeBuffer(new byte[100]);
        new MessageHeaderEncoder().wrap(other, 0).schemaId(7_361).templateId(1);
        assertFalse(ChangeSetDecoder.isChangeSet(other, 0));
        assertThrows(IllegalArgumentException.class, () -> decoder.wrap(other, 0));
    }

    @Test
    void shouldAgreeWithTheSchemaOnEveryOffset()
    {
        assertEquals(MessageHeaderDecoder.ENCODED_LENGTH, ChangeSetDescriptor.HEADER_LENGTH);
        assertEquals(io.tidemark.operator.codec.ChangeSetDecoder.BLOCK_LENGTH, ChangeSetDescriptor.BLOCK_LENGTH);
        assertEquals(io.tidemark.operator.codec.ChangeSetDecoder.SCHEMA_ID, ChangeSetDescriptor.SCHEMA_ID);
        assertEquals(io.tidemark.operator.codec.ChangeSetDecoder.SCHEMA_VERSION, ChangeSetDescriptor.SCHEMA_VERSION);
        assertEquals(io.tidemark.operator.codec.ChangeSetDecoder.TEMPLATE_ID, ChangeSetDescriptor.TEMPLATE_ID);
        assertEquals(
            io.tidemark.operator.codec.ChangeSetDecoder.BeforeDecoder.sbeBlockLength(), RowImage.BLOCK_LENGTH);
    }

    private void begin(final ChangeSetEncoder to, final int subjectSide)
    {
        to.begin(12, 65_535, 4, 5, 6, 7, 1, 2, 0x5_0000_0001L, subjectSide, images.text(KEY), KEY.length());
    }

    private interface ImageCall
    {
        void put(long address, int length);
    }

    private static void put(final long image, final ImageCall call)
    {
        call.put(image, RowImage.lengthAt(image));
    }

    private static List<String> changes(final ChangeSetDecoder from)
    {
        final List<String> changes = new ArrayList<>();
        while (from.next())
        {
            final String op = from.isRetraction() ? "-" : "+";
            changes.add(from.isPair() ?
                op + "pair " + name(from.left()) + " " + name(from.right()) :
                op + "unmatched " + from.rowSide() + " " + from.isFinal() + " " + name(from.row()));
        }
        return changes;
    }

    private static String name(final RowImageDecoder row)
    {
        return row.id() + "@" + row.revision();
    }

    private static String fields(final RowImageDecoder row)
    {
        return row.id() + " " + row.revision() + " " + row.time() + " " + row.value() + " " + row.partition() + " " +
            row.index();
    }

    private static byte[] ascii(final String text)
    {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static String randomId(final Random random)
    {
        return "x".repeat(1 + random.nextInt(120));
    }
}
