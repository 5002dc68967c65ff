package io.tidemark.operator;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.spec.JoinRule;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.spec.WatermarkSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The rules of SEMANTICS.md section 1 as tables: the event, then what becomes of it. */
class EventRulesTest
{
    private static final WatermarkSpec AHEAD_100 = new WatermarkSpec(false, 0, WatermarkSpec.NEVER, 100, 0);
    private static final WatermarkSpec AHEAD_OFF =
        new WatermarkSpec(false, 0, WatermarkSpec.NEVER, WatermarkSpec.OFF, 0);
    private static final String MIN = "-9223372036854775807";
    private static final String MAX = "9223372036854775806";

    private final TestEvent event = new TestEvent().key("k").id("i");

    @ParameterizedTest
    @CsvSource({
        // arrival, time, verdict
        "1000, 1100, NONE",
        "1000, 1101, TOO_FAR_AHEAD",
        "1000, -5, NONE",
        "1000, " + MIN + ", NONE",
        MIN + ", " + MAX + ", TOO_FAR_AHEAD",
        MAX + ", " + MAX + ", NONE",
        "-50, 50, NONE",
        "-50, 51, TOO_FAR_AHEAD",
        "0, 9223372036854775807, IMPOSSIBLE_TIME",
        "0, -9223372036854775808, IMPOSSIBLE_TIME"})
    void shouldJudgeTimesByTheirOwnArrival(final long arrival, final long time, final RejectReason verdict)
    {
        final EventRules rules = EventRules.ofPoints(AHEAD_100);
        assertEquals(verdict, rules.judge(event.arrival(arrival).time(time).view()));
        assertEquals(verdict, rules.judge(event.kind(EventKind.RETRACT).view()));
    }

    @Test
    void shouldNotLimitTimesWhenMaxAheadIsOff()
    {
        final EventView far = event.arrival(Times.MIN).time(Times.MAX).view();
        assertEquals(RejectReason.NONE, EventRules.ofPoints(AHEAD_OFF).judge(far));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {
        // start, time, end, verdict; max_length 20, max_before 5
        "10, 10, 10, NONE",
        "10, 15, 30, NONE",
        "10, 16, 30, STARTS_TOO_EARLY",
        "10, 15, 31, SPAN_TOO_LONG",
        "10, 9, 30, TIME_OUTSIDE_SPAN",
        "10, 13, 12, TIME_OUTSIDE_SPAN",
        "12, 11, 10, SPAN_REVERSED",
        "-, 11, 20, SPAN_MISSING",
        "10, 11, -, SPAN_MISSING",
        "-, 11, -, SPAN_MISSING",
        MIN + ", 0, " + MAX + ", SPAN_TOO_LONG",
        MIN + ", " + MIN + ", " + MIN + ", NONE",
        "10, 10, 9223372036854775807, IMPOSSIBLE_TIME"})
    void shouldJudgeSpansOfOverlapJoins(
        final Long start, final long time, final Long end, final RejectReason verdict)
    {
        final EventRules rules = EventRules.of(overlap(20, 5), AHEAD_OFF);
        assertEquals(verdict, rules.judge(event.time(time).start(start).end(end).view()));
    }

    @Test
    void shouldMeasureSpansExactlyWhereTheirLengthOverflows()
    {
        final EventRules rules = EventRules.of(overlap(Long.MAX_VALUE, Long.MAX_VALUE), AHEAD_OFF);
        assertEquals(RejectReason.SPAN_TOO_LONG,
            rules.judge(event.start(-2L).time(0).end(Times.MAX).view()));
        assertEquals(RejectReason.NONE,
            rules.judge(event.start(-1L).time(0).end(Times.MAX).view()));
    }

    @ParameterizedTest
    @CsvSource(nullValues = "-", value = {"10, -", "-, 10", "10, 10"})
    void shouldNotTakeSpansWhereTheyDoNotBelong(final Long start, final Long end)
    {
        final EventView upsert = event.time(10).start(start).end(end).view();
        assertEquals(RejectReason.SPAN_NOT_ALLOWED, EventRules.ofPoints(AHEAD_OFF).judge(upsert));
        final EventView retraction = event.kind(EventKind.RETRACT).view();
        assertEquals(RejectReason.SPAN_NOT_ALLOWED, EventRules.of(overlap(20, 5), AHEAD_OFF).judge(retraction));
    }

    @Test
    void shouldAcceptARetractionOfAnOverlapJoinWithoutSpan()
    {
        final EventView retraction = event.kind(EventKind.RETRACT).time(10).view();
        assertEquals(RejectReason.NONE, EventRules.of(overlap(20, 5), AHEAD_OFF).judge(retraction));
    }

    @Test
    void shouldNotTrustThatIngestTurnedNonEventsAway()
    {
        final EventRules rules = EventRules.ofPoints(AHEAD_OFF);
        assertEquals(RejectReason.UNKNOWN_KIND, rules.judge(event.kind(3).view()));
        assertEquals(RejectReason.NEGATIVE_REVISION, rules.judge(event.kind(0).revision(-1).view()));
        assertEquals(RejectReason.EMPTY_NAME, rules.judge(event.revision(0).key("").view()));
        assertEquals(RejectReason.EMPTY_NAME, rules.judge(event.key("k").id("").view()));
    }

    @ParameterizedTest
    @CsvSource({"0", "9223372036854775807", MAX, MIN})
    void shouldTakeEveryWatermarkEventAndIgnoreTheRestOfIt(final long time)
    {
        final EventView watermark =
            event.kind(EventKind.WATERMARK).time(time).revision(-1).key("").start(3L).view();
        assertEquals(RejectReason.NONE, EventRules.ofPoints(AHEAD_100).judge(watermark));
    }

    @ParameterizedTest
    @EnumSource(RejectReason.class)
    void shouldFindEachReasonByItsCode(final RejectReason reason)
    {
        assertEquals(reason, RejectReason.of(reason.code()));
    }

    @ParameterizedTest
    @EnumSource(LateReason.class)
    void shouldFindEachLateReasonByItsCode(final LateReason reason)
    {
        assertEquals(reason, LateReason.of(reason.code()));
    }

    @Test
    void shouldRefuseCodesThatItDoesNotKnow()
    {
        assertThrows(IllegalArgumentException.class, () -> RejectReason.of(200));
        assertThrows(IllegalArgumentException.class, () -> LateReason.of(-1));
    }

    private static JoinRule overlap(final long maxLengthNs, final long maxBeforeNs)
    {
        return new JoinRule(1, true, 0, 0, maxLengthNs, maxBeforeNs, Unmatched.FINAL, true, false, 3, false, 3);
    }
}
