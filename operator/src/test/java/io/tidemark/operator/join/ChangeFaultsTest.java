package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.left;
import static io.tidemark.ingest.fixture.FeedLanguage.payment;
import static io.tidemark.ingest.fixture.FeedLanguage.right;
import static io.tidemark.ingest.fixture.FeedLanguage.signal;
import static io.tidemark.ingest.fixture.FeedLanguage.time;
import static io.tidemark.operator.join.Scenario.faults;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.SettingsBuilder;
import io.tidemark.ingest.fixture.Settings.Unmatched;

/**
 * Families E and J of FAULTS.md, as far as they concern the joins themselves: what is retracted and inserted.
 */
class ChangeFaultsTest
{
    /** Case 27; a row is of one key, so one that changes its key is withdrawn there and inserted here. */
    @ParameterizedTest
    @EnumSource
    void shouldOnlyRetractWhenARowLeavesTheResult(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().unmatched(Unmatched.NONE, true, true)))
        {
            scenario.feed(payment("P1").at("12:00"), signal("S1").at("12:00")).expect("+(P1,S1)")
                .feed(payment("P1").at("12:00").revision(2).retract()).expect("-(P1,S1)")
                .feed(payment("P1").key("k2").at("12:00").revision(2)).expect();
        }
    }

    /** Case 28; a retraction repeats what was inserted, whatever the event that withdraws says. */
    @ParameterizedTest
    @EnumSource
    void shouldRetractTheRowThatWasInserted(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().partitions(2, 1)))
        {
            scenario.feed(payment("P1").at("12:00").value(7), signal("S1").at("12:00").value(9))
                .feed(payment("P1").at("12:01").value(8).revision(2).retract().value(8).partition(1))
                .expect("+(P1,S1)", "-(P1,S1)");
            assertEquals(
                scenario.changeSets().get(0).insertions(), scenario.changeSets().get(1).retractions());
        }
    }

    /** Case 29. */
    @ParameterizedTest
    @EnumSource
    void shouldNotTakeAWithdrawnRowForAMatch(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(
                signal("S1").at("12:00"), signal("S1").at("12:00").revision(2).retract(), payment("P1").at("12:00"))
                .promise("12:11").expect()
                .promise("12:11:00.001").expect("+(P1,∅)")
                .promise("13:00").expect();
        }
    }

    /** Case 30. */
    @ParameterizedTest
    @EnumSource
    void shouldLeaveNothingWhenAProvisionalRowIsWithdrawn(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().unmatched(Unmatched.PROVISIONAL, true, false)))
        {
            scenario.feed(payment("P1").at("12:00")).expect("+(P1,∅)?")
                .feed(payment("P1").at("12:00").revision(2).retract()).expect("-(P1,∅)?")
                .promise("13:00").expect();
        }
    }

    /** Case 31, transposed to joins: one change-set, retractions first, each group by row id. */
    @ParameterizedTest
    @EnumSource
    void shouldRevisePairsInOneChangeSetInOrderOfRowId(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().unmatched(Unmatched.PROVISIONAL, true, true)))
        {
            scenario.feed(
                payment("P3").at("12:02"), payment("P1").at("12:00"), payment("P2").at("12:58"),
                signal("S1").at("12:05"))
                .expect(
                "+(P3,∅)?", "+(P1,∅)?", "+(P2,∅)?",
                "-(P1,∅)?", "-(P3,∅)?", "+(P1,S1)", "+(P3,S1)")
                .feed(signal("S1").at("12:08").revision(1))
                .expect("-(P1,S1)", "-(P3,S1)", "+(P1,S1r1)", "+(P3,S1r1)")
                .feed(signal("S1").at("12:10:30").revision(2))
                .expect("-(P1,S1r1)", "-(P3,S1r1)", "+(P1,∅)?", "+(P3,∅)?", "+(∅,S1r2)?");
        }
    }

    /** Case 65. */
    @ParameterizedTest
    @EnumSource
    void shouldTakeBothEndsOfARowForPartOfIt(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, Settings.overlapJoin().longest("1h", "0s").joint(true)))
        {
            scenario.feed(
                left("A1").from("12:00", "12:10"), right("B1").from("12:10", "12:20"),
                left("A2").from("12:00", "12:09:59.999"))
                .expect("+(A1,B1)");
        }
    }

    /** Case 66: a long row is there as long as anything can meet it, whatever the clock of its own side. */
    @ParameterizedTest
    @EnumSource
    void shouldMatchALongRowLongAfterItBegan(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, Settings.overlapJoin().longest("3h", "0s").joint(true)))
        {
            scenario.feed(left("A1").from("12:00", "14:00")).promise("13:50").expectHeld(1, 0, 1)
                .feed(right("B1").from("13:55", "13:56")).expect("+(A1,B1)")
                .promise("14:03").expectHeld(1, 1, 2)
                .promise("14:03:00.001").expectHeld(0, 0, 0);
        }
    }

    /** The row with interval [90,120] and time 100 under lateness 10 and length 50: open to 180, gone at 181. */
    @ParameterizedTest
    @EnumSource
    void shouldHoldAnOverlapRowToItsVeryBound(final Joins joins)
    {
        final SettingsBuilder settings =
            Settings.overlapJoin().longest(50, 50).lateness(10).maxMove(10).maxAhead(Settings.OFF);
        try (Scenario scenario = new Scenario(joins, settings))
        {
            scenario.feed(left("A").at(100).span(90, 120)).promise(180).expectHeld(1, 0, 1)
                .feed(right("B").at(170).span(120, 170)).expect("+(A,B)")
                .feed(left("A").at(100).span(90, 120)).expect()
                .promise(181).expectHeld(1, 1, 2)
                .feed(right("B").at(170).revision(1).retract()).expect("-(A,B)").expectHeld(0, 0, 1);
        }
        try (Scenario scenario = new Scenario(joins, settings))
        {
            scenario.feed(left("A").at(100).span(90, 120)).promise(181).expectHeld(0, 0, 0)
                .feed(right("B").at(171).span(121, 171)).expect();
        }
    }

    /** A withdrawn revision that comes again changes nothing. */
    @ParameterizedTest
    @EnumSource
    void shouldNotBringBackARevisionThatWasWithdrawn(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, Settings.overlapJoin().longest("1h", "0s")))
        {
            scenario.feed(left("A").from("12:00", "12:10"), right("B").from("12:05", "12:06")).expect("+(A,B)")
                .feed(right("B").at("12:05").retract()).expect("-(A,B)")
                .feed(right("B").from("12:05", "12:06")).expect()
                .feed(right("B").from("12:05", "12:06").revision(1)).expect("+(A,Br1)");
        }
    }

    /** Case 67. */
    @ParameterizedTest
    @EnumSource
    void shouldRejectARowWithoutStartOrWithItsEndBeforeIt(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, Settings.overlapJoin().longest("1h", "0s").joint(true)))
        {
            scenario.feed(
                left("A1").from("12:00", "12:10").span(FeedEvent.NONE, time("12:10")),
                left("A2").from("12:10", "12:00"),
                right("B1").from("12:00", "12:10"))
                .expectRejected("A1", "A2").expectWatermark("L", null).expect().expectHeld(1, 0, 1);
        }
    }
}
