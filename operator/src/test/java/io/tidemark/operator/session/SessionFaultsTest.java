package io.tidemark.operator.session;

import static io.tidemark.ingest.fixture.FeedLanguage.activity;
import static io.tidemark.ingest.fixture.FeedLanguage.endOfInput;
import static io.tidemark.ingest.fixture.FeedLanguage.time;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.SettingsBuilder;
import io.tidemark.operator.join.Scenario;
import io.tidemark.operator.oracle.ResultRow;

/**
 * Family D of FAULTS.md: sessions; of families B and F what concerns them. A session is final at a clock behind its end
 * by more than gap and lateness, 14 minutes here, and then stands.
 */
class SessionFaultsTest
{
    private static Scenario tell(final SessionsUnderTest sessions, final SettingsBuilder settings)
    {
        return new Scenario(settings.build(), sessions::open);
    }

    /** Case 19. */
    @ParameterizedTest
    @EnumSource
    void shouldJoinEventsExactlyAGapApartWheneverTheClockComes(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00")).clock("12:11").expect("+[12:00,12:00]#1?")
                .feed(activity("E2").at("12:11")).expect("-[12:00,12:00]#1?", "+[12:00,12:11]#2?")
                .feed(activity("E3").at("12:22:00.001")).expect("+[12:22:00.001,12:22:00.001]#1?");
        }
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00"), activity("E2").at("12:11")).clock("12:11")
                .expect("+[12:00,12:00]#1?", "-[12:00,12:00]#1?", "+[12:00,12:11]#2?")
                .feed(activity("E3").at("12:22:00.001")).expect("+[12:22:00.001,12:22:00.001]#1?");
        }
    }

    /** Case 20. */
    @ParameterizedTest
    @EnumSource
    void shouldWaitForGapAndLatenessAndTakeWhatIsExactlyAtTheEnd(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00")).expect("+[12:00,12:00]#1?")
                .clock("12:03:00.001").expect().clock("12:14").expect()
                .feed(activity("E2").at("12:11")).expect("-[12:00,12:00]#1?", "+[12:00,12:11]#2?").expectLate();
        }
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00")).expect("+[12:00,12:00]#1?")
                .promise("12:14").expect().expectHeld(1, 0, 1)
                .promise("12:14:00.001").expect("-[12:00,12:00]#1?", "+[12:00,12:00]#1").expectHeld(0, 0, 0)
                .feed(activity("E2").at("12:11")).expect().expectLate("E2").expectHeld(0, 0, 0);
        }
    }

    /** Case 21. */
    @ParameterizedTest
    @EnumSource
    void shouldRefuseWhatIsTooLateAlsoBesideAnOpenSession(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:40")).expect("+[12:40,12:40]#1?")
                .feed(activity("E0").at("12:36:59.999")).expect().expectLate("E0")
                .feed(activity("E2").at("12:37")).expect("-[12:40,12:40]#1?", "+[12:37,12:40]#2?").expectLate("E0");
        }
    }

    /** Case 22. */
    @ParameterizedTest
    @EnumSource
    void shouldExtendAPublishedSessionAndNotBeginOneBesideIt(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00"), activity("E2").at("12:05"))
                .expect("+[12:00,12:00]#1?", "-[12:00,12:00]#1?", "+[12:00,12:05]#2?")
                .clock("12:16:00.001").clock("12:17").expect()
                .feed(activity("E3").at("12:14:30")).expect("-[12:00,12:05]#2?", "+[12:00,12:14:30]#3?");
        }
    }

    /** Case 23, and 31: retractions by row id, then the insertion, in one change-set. */
    @ParameterizedTest
    @EnumSource
    void shouldTakeBackBothStatementsWhenAnEventBridgesTwoSessions(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().partitions(2)))
        {
            scenario.feed(
                activity("E1").at("12:00"), activity("E2").at("12:02"), activity("E3").at("12:20"),
                activity("E4").at("12:21"), activity("F").key("other").partition(1).at("12:13"))
                .expectChanges(7)
                .feed(activity("E5").at("12:11"))
                .expect("-[12:00,12:02]#2?", "-[12:20,12:21]#2?", "+[12:00,12:21]#5?");
            assertEquals(1, scenario.changeSets().get(scenario.changeSets().size() - 1).insertions().size());
            assertEquals(2, scenario.changeSets().get(scenario.changeSets().size() - 1).retractions().size());
        }
    }

    /** Case 24. */
    @ParameterizedTest
    @EnumSource
    void shouldEndAMergedSessionOnceAndItsPartsNever(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().partitions(2).emitFinal()))
        {
            scenario.feed(
                activity("E1").at("12:00"), activity("E2").at("12:02"), activity("E3").at("12:15"),
                FeedLanguage.watermark(FeedLanguage.ACTIVITY, "12:08").partition(1), activity("E4").at("12:08"))
                .promise("12:13:00.001").expect().promise("12:26").expect().promise("12:26:00.001").expect()
                .promise("12:29").expect().expectHeld(4, 0, 4)
                .promise("12:29:00.001").expect("+[12:00,12:15]#4").expectHeld(0, 0, 0)
                .promise("12:50").expect();
        }
    }

    /** Case 25; that batches leave no trace is in {@link SessionBatchesTest}. */
    @ParameterizedTest
    @EnumSource
    void shouldMakeOneSessionOfEventsThatComeOneByOne(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().emitFinal()))
        {
            for (int i = 0; i < 5; i++)
            {
                scenario.feed(activity("E" + i).at("12:00:00." + 2 * i)).expect();
            }
            scenario.promise("12:14:00.801").expect("+[12:00,12:00:00.800]#5");
        }
    }

    /** Case 11: the end of input, twice. */
    @ParameterizedTest
    @EnumSource
    void shouldEndASessionOnceAtTheEndOfInput(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(activity("E1").at("12:00")).expect("+[12:00,12:00]#1?")
                .feed(endOfInput(FeedLanguage.ACTIVITY)).expect("-[12:00,12:00]#1?", "+[12:00,12:00]#1")
                .feed(endOfInput(FeedLanguage.ACTIVITY)).expect().expectHeld(0, 0, 0)
                .feed(activity("absurd").at(Long.MAX_VALUE - 1000)).expect().expectRejected("absurd");
        }
    }

    /** Case 36: a session ends at its time with no event of its key, from a snapshot too. */
    @ParameterizedTest
    @EnumSource
    void shouldEndASessionWithoutAnotherEventOfItsKey(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().emitFinal()))
        {
            scenario.feed(activity("E1").at("12:00"), activity("E2").at("12:02")).clock("12:05")
                .clock("12:16").expect().clock("12:16:00.001").expect("+[12:00,12:02]#2");
        }
    }

    /** The rounds of the issue: two sessions 22 minutes apart, and a bridge a gap from both. */
    @ParameterizedTest
    @EnumSource
    void shouldBridgeOnTheBoundaryOfBothOnceAndOnlyThere(final SessionsUnderTest sessions)
    {
        final FeedEvent bridge = activity("bridge").at("12:11").value(9);
        try (Scenario scenario = tell(sessions, Settings.ofSessions().partitions(2)))
        {
            scenario.feed(activity("E1").at("12:00").value(74), activity("E2").partition(0).at("12:22").value(51))
                .expect("+[12:00,12:00]#1=74?", "+[12:22,12:22]#1=51?")
                .feed(bridge.partition(1))
                .expect("-[12:00,12:00]#1=74?", "-[12:22,12:22]#1=51?", "+[12:00,12:22]#3=134?")
                .feed(bridge).expect()
                .feed(activity("beyond").at("12:33:01").value(1000)).expect("+[12:33:01,12:33:01]#1=1000?");
            assertEquals(1, scenario.counters().duplicates());
            // partition 1 stalls at 12:11: nothing is final, and all that comes is a member
            scenario.feed(activity("far").key("m").at("14:00")).expectChanges(1)
                .feed(activity("in between").at("12:33").value(1))
                .expect("-[12:00,12:22]#3=134?", "-[12:33:01,12:33:01]#1=1000?", "+[12:00,12:33:01]#5=1135?")
                .feed(activity("in between").at("12:33").revision(1).retract())
                .expect("-[12:00,12:33:01]#5=1135?", "+[12:00,12:22]#3=134?", "+[12:33:01,12:33:01]#1=1000?")
                .promise("12:36").expect()
                .promise("12:36:00.001").expect("-[12:00,12:22]#3=134?", "+[12:00,12:22]#3=134")
                .feed(activity("after").at("12:05")).expect().expectLate("after");
        }
    }

    /** Section 7: a split can leave a part that is final already, and it is published as that. */
    @ParameterizedTest
    @EnumSource
    void shouldPublishAsFinalWhatIsFinalWhenItIsMade(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().maxMove("1h")))
        {
            scenario.feed(activity("E1").at("12:00"), activity("E2").at("12:10"), activity("E3").at("12:20"))
                .promise("12:20").expectChanges(5)
                .feed(activity("E2").at("12:10").revision(1).retract())
                .expect("-[12:00,12:20]#3?", "+[12:00,12:00]#1", "+[12:20,12:20]#1?");
        }
    }

    /** Section 7: extremes are exact when the member that had them goes, and sums beyond 64 bits. */
    @ParameterizedTest
    @EnumSource
    void shouldKnowSmallestLargestAndSumOfWhatIsLeft(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions()))
        {
            scenario.feed(
                activity("E1").at("12:00").value(Long.MAX_VALUE), activity("E2").at("12:00").value(Long.MAX_VALUE),
                activity("E3").at("12:01").value(7)).expectChanges(5);
            scenario.feed(activity("E3").at("12:01").value(8).revision(1))
                .expect("-[12:00,12:01]#3=18446744073709551621?", "+[12:00,12:01]#3=18446744073709551622?")
                .feed(activity("E1").at("12:00").revision(1).retract())
                .expect("-[12:00,12:01]#3=18446744073709551622?", "+[12:00,12:01]#2=9223372036854775815?")
                .feed(activity("E2").at("12:00").revision(1).retract())
                .expect("-[12:00,12:01]#2=9223372036854775815?", "+[12:01,12:01]#1=8?");
            assertEquals(time("12:01"), ((ResultRow.Session)scenario.changeSets()
                .get(scenario.changeSets().size() - 1).insertions().get(0)).start());
        }
    }

    /** Section 7: what is aggregated can't be corrected, and does not count twice. */
    @ParameterizedTest
    @EnumSource
    void shouldKeepOldMembersAsSumsOnly(final SessionsUnderTest sessions)
    {
        try (Scenario scenario = tell(sessions, Settings.ofSessions().aggregate()))
        {
            scenario.feed(activity("E1").at("12:00"), activity("E2").at("12:05")).expectChanges(3)
                .promise("12:08").expectHeld(1, 0, 1)
                .feed(activity("E1").at("12:00")).expect().expectLate("E1")
                .feed(activity("E2").at("12:05")).expect().expectLate("E1")
                .feed(activity("E2").at("12:05").revision(1).retract())
                .expect("-[12:00,12:05]#2?", "+[12:00,12:00]#1?")
                .feed(activity("E3").at("12:11")).expect("-[12:00,12:00]#1?", "+[12:00,12:11]#2?")
                .promise("12:25").expect().promise("12:25:00.001").expect("-[12:00,12:11]#2?", "+[12:00,12:11]#2")
                .expectHeld(0, 0, 0);
        }
    }
}
