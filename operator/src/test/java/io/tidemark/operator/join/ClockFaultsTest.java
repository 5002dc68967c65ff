package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.PAYMENTS;
import static io.tidemark.ingest.fixture.FeedLanguage.SIGNALS;
import static io.tidemark.ingest.fixture.FeedLanguage.payment;
import static io.tidemark.ingest.fixture.FeedLanguage.signal;
import static io.tidemark.ingest.fixture.FeedLanguage.tick;
import static io.tidemark.ingest.fixture.FeedLanguage.time;
import static io.tidemark.ingest.fixture.FeedLanguage.watermark;
import static io.tidemark.operator.join.Scenario.faults;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.operator.oracle.TotalOrder;

/**
 * Family C of FAULTS.md: watermark and idleness.
 */
class ClockFaultsTest
{
    /** Case 12. */
    @ParameterizedTest
    @EnumSource
    void shouldNotWaitForAnIdleInput(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().partitions(1, 2).idleAfter("30s")))
        {
            scenario.feed(
                watermark(SIGNALS, "12:00").arrivesAt("12:00"),
                watermark(SIGNALS, "12:00").partition(1).arrivesAt("12:00:00.001"),
                payment("P0").at("12:00").arrivesAt("12:00:20"),
                payment("Z0").key("z").at("12:00").arrivesAt("12:00:40"))
                .expectWatermark(SIGNALS, "12:00").expect()
                .feed(payment("P1").at("12:30").arrivesAt("12:01"))
                .expectWatermark(PAYMENTS, "12:30").expectWatermark(SIGNALS, "12:30")
                .expect("+(P0,∅)", "+(Z0,∅)").expectHeld(1, 0, 1);
        }
    }

    /** Case 13. */
    @ParameterizedTest
    @EnumSource
    void shouldEndAtTheSameWatermarkWhateverTheOrderOfIdling(final Joins joins)
    {
        final FeedEvent p0 = watermark(PAYMENTS, "12:05");
        final FeedEvent p1 = watermark(PAYMENTS, "12:04").partition(1);
        try (Scenario scenario = new Scenario(joins, faults().partitions(2, 1).idleAfter("10s")))
        {
            scenario.feed(p0.arrivesAt("12:00"), p1.arrivesAt("12:00:05"))
                .feed(tick("12:00:11")).expectWatermark(PAYMENTS, "12:04")
                .feed(tick("12:00:16")).expectWatermark(PAYMENTS, "12:05");
        }
        try (Scenario scenario = new Scenario(joins, faults().partitions(2, 1).idleAfter("10s")))
        {
            scenario.feed(p1.arrivesAt("12:00"), p0.arrivesAt("12:00:05"))
                .feed(tick("12:00:11")).expectWatermark(PAYMENTS, "12:05")
                .feed(tick("12:00:16")).expectWatermark(PAYMENTS, "12:05");
        }
    }

    /** Case 14: order and idleness follow stored arrivals, so a stop of the engine leaves no trace. */
    @ParameterizedTest
    @EnumSource
    void shouldNotTakeABacklogForSilence(final Joins joins)
    {
        final List<FeedEvent> p0 = new ArrayList<>();
        final List<FeedEvent> p1 = new ArrayList<>();
        for (int i = 0; i < 240; i++)
        {
            final long atNs = time("12:00") + i * 5_000_000_000L;
            p0.add(payment("A" + i).at(atNs).arrivesAt(atNs));
            p1.add(payment("B" + i).at(atNs + 1).partition(1).arrivesAt(atNs + 1));
            p1.add(payment("C" + i).at(atNs + 1200_000_000_000L).partition(1).arrivesAt(atNs + 1200_000_000_000L));
        }
        p1.sort((a, b) -> Long.compare(a.arrival(), b.arrival()));
        try (Scenario scenario = new Scenario(joins, faults().partitions(2, 1).idleAfter("30s")))
        {
            scenario.feed(watermark(SIGNALS, "12:00").arrivesAt(time("12:00") - 1))
                .feed(TotalOrder.merge(List.of(p0, p1, List.of())))
                .expectLate();
            assertEquals(720, scenario.counters().accepted());
        }
    }

    /** Case 15. */
    @ParameterizedTest
    @EnumSource
    void shouldWaitForAPartitionAgainFromItsFirstEventWhenItResumes(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().partitions(2, 1).idleAfter("30s")))
        {
            scenario.feed(
                watermark(SIGNALS, "13:30").arrivesAt("12:00"),
                watermark(PAYMENTS, "12:00").arrivesAt("12:00:01"),
                payment("Q1").at("12:30").partition(1).arrivesAt("12:00:20"))
                .expectWatermark(PAYMENTS, "12:00")
                .feed(payment("Q2").at("12:30").partition(1).arrivesAt("12:00:40"))
                .expectWatermark(PAYMENTS, "12:30")
                .feed(
                payment("P1").at("12:28").arrivesAt("12:00:41"),
                payment("Q3").at("12:50").partition(1).arrivesAt("12:00:42"))
                .expectWatermark(PAYMENTS, "12:30")
                .feed(
                payment("P2").at("12:31").arrivesAt("12:00:43"),
                payment("P3").at("12:40").arrivesAt("12:00:44"),
                payment("P4").at("12:45").arrivesAt("12:00:45"))
                .expectWatermark(PAYMENTS, "12:45").expectLate();
        }
    }

    /** Case 16. */
    @ParameterizedTest
    @EnumSource
    void shouldNotForgetAPartitionThatHasNeverDelivered(final Joins joins)
    {
        final FeedEvent[] before = {
            watermark(SIGNALS, "13:00").arrivesAt("12:00"),
            signal("S1").at("12:20").arrivesAt("12:00:00.001"),
            payment("P0").at("12:20").arrivesAt("12:00:10"),
            payment("P1").at("12:25").key("z").partition(1).arrivesAt("12:00:20")};
        try (Scenario scenario = new Scenario(joins, faults().partitions(3, 1).idleAfter("30s")))
        {
            scenario.feed(before)
                .expectWatermark(PAYMENTS, null).expect("+(P0,S1)").expectLate()
                .feed(tick("12:00:30.002")).expectWatermark(PAYMENTS, "12:20")
                .feed(payment("P2").at("12:17").partition(2).arrivesAt("12:00:31"))
                .expectLate().expect("+(P2,S1)");
        }
        try (Scenario scenario = new Scenario(joins, faults().partitions(3, 1).idleAfter("30s")))
        {
            scenario.feed(before).feed(tick("12:00:30.002"))
                .feed(payment("P2").at("12:16:59.999").partition(2).arrivesAt("12:00:31"))
                .expectLate("P2");
        }
    }

    /** Case 17; the stored arrival decides, so there is no clock to replay years later with. */
    @ParameterizedTest
    @EnumSource
    void shouldRejectATimeFarAheadOfItsArrival(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().maxAhead("5m")))
        {
            scenario.feed(payment("X").at("2031-01-01T00:00:00Z").arrivesAt("12:00:05"))
                .expectRejected("X").expectWatermark(PAYMENTS, null);
            for (int minute = 1; minute <= 10; minute++)
            {
                final String at = String.format("12:%02d", minute);
                scenario.feed(payment("P" + minute).at(at).arrivesAt(at));
            }
            scenario.expectLate().expectRejected("X").expectWatermark(PAYMENTS, "12:10")
                .feed(payment("Y").at("12:16:00").arrivesAt("12:11")).expectRejected("X")
                .feed(payment("Z").at("12:16:00.002").arrivesAt("12:11:00.001")).expectRejected("X", "Z");
        }
    }
}
