package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.payment;
import static io.tidemark.ingest.fixture.FeedLanguage.signal;
import static io.tidemark.operator.join.Scenario.faults;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.Settings.Unmatched;

/**
 * Family A of FAULTS.md: bounds and lateness of the interval join.
 */
class BoundsFaultsTest
{
    /** Case 1. */
    @ParameterizedTest
    @EnumSource
    void shouldAcceptWhatStandsOnTheBorderOfLatenessAndRefuseWhatIsOneTickBefore(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.clock("12:10")
                .feed(payment("P1").at("12:07"), payment("P2").at("12:06:59.999"), signal("S1").at("12:07"))
                .expect("+(P1,S1)")
                .expectLate("P2");
        }
    }

    /** Case 2, its first half. */
    @ParameterizedTest
    @EnumSource
    void shouldMatchWhatIsAcceptedAtTheEndOfTheWindow(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.clock("12:19").feed(payment("P1").at("12:19"))
                .clock("12:30").feed(signal("S1").at("12:27"))
                .expect("+(P1,S1)")
                .expectLate();
        }
    }

    /** Case 3. */
    @ParameterizedTest
    @EnumSource
    void shouldNotCallARowUnmatchedWhileAnAcceptedPartnerCanCome(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(payment("P1").at("12:00")).clock("12:08:00.001").clock("12:11").expect()
                .feed(signal("S1").at("12:08")).expect("+(P1,S1)")
                .clock("13:00").expect();
        }
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(payment("P1").at("12:00")).clock("12:08:00.001").clock("12:11").expect()
                .clock("12:11:00.001").expect("+(P1,∅)")
                .feed(signal("S1").at("12:08")).expect().expectLate("S1");
        }
    }

    /** Case 4. */
    @ParameterizedTest
    @EnumSource
    void shouldPublishARowThatCameLateButInTimeWhenItIsDue(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(payment("P0").key("k0").at("12:20")).clock("12:22:30")
                .feed(payment("P1").key("k1").at("12:19:30")).expectLate()
                .clock("12:30:30").expect()
                .clock("12:30:30.001").expect("+(P1,∅)")
                .clock("12:31:00.001").expect("+(P0,∅)");
        }
    }

    /** Case 5. */
    @ParameterizedTest
    @EnumSource
    void shouldNotCallARowUnmatchedWhenItsPartnerHasGoneBeforeIt(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().unmatched(Unmatched.FINAL, true, true)))
        {
            scenario.feed(signal("S1").at("11:13"), payment("P1").at("12:00")).expect("+(P1,S1)")
                .promise("12:03").expectHeld(2, 0, 2)
                .promise("12:03:00.001").expectHeld(1, 1, 2)
                .promise("12:11").expectHeld(1, 1, 2)
                .promise("12:11:00.001").expectHeld(0, 0, 0)
                .expect();
        }
    }

    /** Case 6; a correction is accepted while its row is open. */
    @ParameterizedTest
    @EnumSource
    void shouldRetractExactlyWhatWasInsertedWhenThePartnerIsOnlyAGhost(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(signal("S1").at("11:20"), payment("P1").at("12:00")).expect("+(P1,S1)")
                .clock("12:10:30")
                .feed(payment("P1").at("12:00").revision(2).retract()).expect("-(P1,S1)")
                .expectLate()
                .clock("13:00").expect();
        }
        try (Scenario scenario = new Scenario(joins, faults().unmatched(Unmatched.FINAL, true, true)))
        {
            scenario.feed(signal("S1").at("11:20"), payment("P1").at("12:00")).clock("12:10:30").expect("+(P1,S1)")
                .feed(payment("P1").at("12:00").revision(2).retract()).expect("-(P1,S1)", "+(∅,S1)")
                .clock("13:00").expect();
        }
    }

    /** Case 7. */
    @ParameterizedTest
    @EnumSource
    void shouldHoldARowAsLongAsTheCommonClockLetsAPartnerCome(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(
                payment("P1").at("11:53"), payment("P9").key("z").at("12:40"),
                signal("S9").key("y").at("12:00"), signal("S1").at("11:58"))
                .expect("+(P1,S1)")
                .expectLate()
                .promise("12:04").feed(signal("S2").at("12:01")).expect("+(P1,S2)");
        }
    }
}
