package io.tidemark.operator.change;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.codec.RejectedEventDecoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

class OutcomePublisherTest
{
    private static final long DAY_NS = 86_400_000_000_000L;

    private final RecordList late = new RecordList();
    private final RecordList rejects = new RecordList();
    private final OutcomePublisher publisher = new OutcomePublisher(late, rejects);

    @Test
    void shouldPutALateEventIntoTheRepairQueue()
    {
        final TestEvent event = new TestEvent()
            .kind(EventKind.RETRACT).key("k").id("payment-1").revision(4).time(3 * DAY_NS + 5).arrival(9);
        publisher.late(12, 0x77, 3, 1, 4 * DAY_NS, LateReason.ROW_NOT_OPEN, event.view());
        final LateEventDecoder decoded =
            new LateEventDecoder().wrapAndApplyHeader(late.get(0), 0, new MessageHeaderDecoder());
        assertEquals(12, decoded.position());
        assertEquals(0x77, decoded.index());
        assertEquals(3 * DAY_NS + 5, decoded.time());
        assertEquals(4 * DAY_NS, decoded.acceptanceClock());
        assertEquals(3, decoded.due());
        assertEquals(3, decoded.source());
        assertEquals(1, decoded.stream());
        assertEquals(4, decoded.revision());
        assertEquals(EventKind.RETRACT, decoded.kind());
        assertEquals(LateReason.ROW_NOT_OPEN, LateReason.of(decoded.reason()));
        assertEquals("k", text(decoded.keyLength(), decoded::getKey));
        assertEquals("payment-1", text(decoded.idLength(), decoded::getId));
        assertEquals(late.get(0).capacity(), MessageHeaderDecoder.ENCODED_LENGTH + decoded.encodedLength());
        assertEquals(0, rejects.size());
    }

    /** The codec takes the length 255 for none. */
    @ParameterizedTest
    @ValueSource(ints = {1, 127, 128, 254, 255})
    void shouldRememberKeysAndIdsOfAnyLength(final int length)
    {
        final String key = "k".repeat(length);
        final String id = "i".repeat(length);
        final TestEvent event = new TestEvent().key(key).id(id).time(5).arrival(9);
        publisher.late(1, 2, 0, 0, 6, LateReason.BEFORE_ACCEPTANCE_CLOCK, event.view());
        publisher.rejected(3, 4, 0, 0, RejectReason.MOVES_TOO_FAR, event.view());
        final LateEventDecoder decodedLate =
            new LateEventDecoder().wrapAndApplyHeader(late.get(0), 0, new MessageHeaderDecoder());
        assertEquals(key, text(decodedLate.keyLength(), decodedLate::getKey));
        assertEquals(id, text(decodedLate.idLength(), decodedLate::getId));
        assertEquals(late.get(0).capacity(), MessageHeaderDecoder.ENCODED_LENGTH + decodedLate.encodedLength());
        final RejectedEventDecoder decodedReject =
            new RejectedEventDecoder().wrapAndApplyHeader(rejects.get(0), 0, new MessageHeaderDecoder());
        assertEquals(key, text(decodedReject.keyLength(), decodedReject::getKey));
        assertEquals(id, text(decodedReject.idLength(), decodedReject::getId));
        assertEquals(rejects.get(0).capacity(), MessageHeaderDecoder.ENCODED_LENGTH + decodedReject.encodedLength());
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "86399999999999, 0", "86400000000000, 1", "-1, -1", "-86400000000000, -1",
        "-9223372036854775807, -106752", "9223372036854775806, 106751"})
    void shouldBeDueOnTheUtcDayOfTheTime(final long time, final int due)
    {
        publisher.late(1, 1, 0, 0, 0, LateReason.BEFORE_ACCEPTANCE_CLOCK,
            new TestEvent().key("k").id("i").time(time).view());
        assertEquals(due,
            new LateEventDecoder().wrapAndApplyHeader(late.get(0), 0, new MessageHeaderDecoder()).due());
    }

    @Test
    void shouldRememberARejectedEventAsItStood()
    {
        final TestEvent event = new TestEvent().key("").id("i").revision(-1).time(5).start(7L).value(-3).kind(200);
        publisher.rejected(8, 9, 1, 300, RejectReason.UNKNOWN_KIND, event.arrival(2).view());
        final RejectedEventDecoder decoded =
            new RejectedEventDecoder().wrapAndApplyHeader(rejects.get(0), 0, new MessageHeaderDecoder());
        assertEquals(8, decoded.position());
        assertEquals(9, decoded.index());
        assertEquals(2, decoded.arrival());
        assertEquals(5, decoded.time());
        assertEquals(7, decoded.start());
        assertEquals(Long.MIN_VALUE, decoded.end());
        assertEquals(-3, decoded.value());
        assertEquals(1, decoded.stream());
        assertEquals(300, decoded.partition());
        assertEquals(-1, decoded.revision());
        assertEquals(200, decoded.kind());
        assertEquals(RejectReason.UNKNOWN_KIND, RejectReason.of(decoded.reason()));
        assertEquals("", text(decoded.keyLength(), decoded::getKey));
        assertEquals("i", text(decoded.idLength(), decoded::getId));
    }

    private interface Getter
    {
        int get(byte[] target, int offset, int length);
    }

    private static String text(final int length, final Getter getter)
    {
        final byte[] bytes = new byte[length];
        getter.get(bytes, 0, length);
        return new String(bytes, java.nio.charset.StandardCharsets.UTF_8);
    }
}
