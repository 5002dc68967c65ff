package io.tidemark.operator.join;

import static io.tidemark.ingest.fixture.FeedLanguage.duration;
import static io.tidemark.ingest.fixture.FeedLanguage.endOfInput;
import static io.tidemark.ingest.fixture.FeedLanguage.payment;
import static io.tidemark.ingest.fixture.FeedLanguage.signal;
import static io.tidemark.operator.join.Scenario.faults;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.Settings.Unmatched;

/**
 * Families B and K of FAULTS.md: what is held, and until when.
 */
class StateFaultsTest
{
    /** Case 8. */
    @ParameterizedTest
    @EnumSource
    void shouldForgetRowsOfSilentKeysAtOnceWhenTheirTimeIsUp(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            for (int i = 0; i < joins.many(); i++)
            {
                scenario.feed(payment("P" + i).key("k" + i).at("12:00"));
            }
            scenario.promise("12:11").expectHeld(joins.many(), 0, joins.many()).expect()
                .promise("12:11:00.001").expectHeld(0, 0, 0).expectChanges(joins.many());
        }
    }

    /** Case 9. */
    @ParameterizedTest
    @EnumSource
    void shouldHoldNothingOfKeysThatWereUsedOnce(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            for (int i = 0; i < joins.many(); i++)
            {
                scenario.feed(payment("P" + i).key("k" + i).at("12:00"), signal("S" + i).key("k" + i).at("12:00"));
            }
            scenario.expectChanges(joins.many())
                .promise("12:50").expectHeld(joins.many(), joins.many(), 2 * joins.many())
                .promise("12:50:00.001").expectHeld(0, 0, 0).expect();
        }
    }

    /** Case 10. */
    @ParameterizedTest
    @EnumSource
    void shouldEvictOneRowOfAKeyAndKeepItsNewOne(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults().maxMove("0s")))
        {
            scenario.feed(signal("S1").at("11:10")).promise("11:59").expectHeld(1, 0, 1)
                .feed(signal("S2").at("12:00")).promise("12:00").expectHeld(2, 0, 2)
                .promise("12:00:00.001").expectHeld(1, 0, 1)
                .feed(payment("P1").at("12:05")).expect("+(P1,S2)");
        }
    }

    /** Case 11. */
    @ParameterizedTest
    @EnumSource
    void shouldEndOnceWhenTheEndOfInputComesTwice(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.feed(payment("P1").at("12:00"))
                .promise(Long.MAX_VALUE).expect("+(P1,∅)").expectHeld(0, 0, 0)
                .promise(Long.MAX_VALUE).expect().expectHeld(0, 0, 0)
                .feed(payment("P2").at("23:00")).expectLate("P2");
        }
    }

    /** Case 11, the absurd record. */
    @ParameterizedTest
    @EnumSource
    void shouldRejectAnAbsurdTimeWithoutMovingAClock(final Joins joins)
    {
        try (Scenario scenario = new Scenario(joins, faults()))
        {
            scenario.promise("12:00").feed(payment("X").at(Long.MAX_VALUE - 1000))
                .expectRejected("X").expectWatermark("payments", "12:00").expectHeld(0, 0, 0)
                .feed(endOfInput("payments")).expect();
        }
    }

    /** Case 68, by our rules: a record is known while its row is open, and max_move after its lateness. */
    @ParameterizedTest
    @EnumSource
    void shouldForgetIdsWhenARepeatIsTooLateAnyway(final Joins joins)
    {
        final var settings = faults().reach(duration("47m"), 0).maxMove("0s").unmatched(Unmatched.NONE, true, false);
        try (Scenario scenario = new Scenario(joins, settings))
        {
            for (int i = 0; i < joins.many(); i++)
            {
                scenario.feed(payment("P" + i).key("k" + i).at("12:00"));
            }
            scenario.promise("12:03").expectHeld(joins.many(), 0, joins.many())
                .feed(payment("P0").key("k0").at("12:00")).expectLate()
                .promise("12:03:00.001").expectHeld(0, 0, 0)
                .feed(payment("P1").key("k1").at("12:00")).expectLate("P1");
            assertEquals(1, scenario.counters().duplicates());
        }
    }

    /** Case 68 with a promise of three minutes: the record outlives its row by that. */
    @ParameterizedTest
    @EnumSource
    void shouldRememberIdsForMaxMoveLongerThanRows(final Joins joins)
    {
        final var settings = faults().reach(duration("47m"), 0).maxMove("3m").unmatched(Unmatched.NONE, true, false);
        try (Scenario scenario = new Scenario(joins, settings))
        {
            scenario.feed(payment("P1").at("12:00"))
                .promise("12:03:00.001").expectHeld(0, 0, 1)
                .promise("12:06").expectHeld(0, 0, 1)
                .feed(payment("P1").at("12:00")).expectLate()
                .feed(payment("P1").at("12:03").revision(1)).expectLate("P1")
                .promise("12:06:00.001").expectHeld(0, 0, 0)
                .feed(payment("P1").at("12:03:00.001")).expectLate("P1").expectHeld(1, 0, 1);
            assertEquals(1, scenario.counters().duplicates());
        }
    }
}
