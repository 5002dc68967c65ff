package io.tidemark.operator.clock;

import io.tidemark.operator.EventRules;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.TestEvent;
import io.tidemark.operator.spec.Times;
import io.tidemark.operator.spec.WatermarkSpec;
import org.junit.jupiter.api.Test;

import java.util.Arrays;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The laws of SEMANTICS.md section 3, one by one, and faults 11 to 17. Times are minutes unless said otherwise. */
class ClocksTest
{
    private static final long M = 60_000_000_000L;
    private static final long IDLE = 30_000_000_000L;
    private static final int LEFT = 0;
    private static final int RIGHT = 1;
    private static final WatermarkSpec IDLING = spec(IDLE, 0);

    private long now;

    @Test
    void shouldNotStartBeforeEveryPartitionHasDelivered()
    {
        final Clocks clocks = clocks(2, 1, WatermarkSpec.DEFAULT);
        upsert(clocks, 0, 5 * M);
        assertEquals(Times.MINUS_INFINITY, clocks.watermark(LEFT));
        assertEquals(Times.MINUS_INFINITY, clocks.partitionClock(1));
        upsert(clocks, 1, 4 * M);
        assertEquals(4 * M, clocks.watermark(LEFT));
        assertEquals(Times.MINUS_INFINITY, clocks.watermark(RIGHT));
    }

    @Test
    void shouldFollowTheSlowestActivePartition()
    {
        final Clocks clocks = clocks(2, 1, WatermarkSpec.DEFAULT);
        upsert(clocks, 0, 5 * M);
        upsert(clocks, 1, 4 * M);
        upsert(clocks, 0, 9 * M);
        assertEquals(4 * M, clocks.watermark(LEFT));
        upsert(clocks, 1, 10 * M);
        assertEquals(9 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldNeverGoBack()
    {
        final Clocks clocks = clocks(1, 1, WatermarkSpec.DEFAULT);
        upsert(clocks, 0, 5 * M);
        upsert(clocks, 0, 4 * M);
        assertEquals(5 * M, clocks.partitionClock(0));
        assertEquals(5 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldTakeTheDelayOffUpsertsButNotOffWatermarkEvents()
    {
        final Clocks clocks = clocks(1, 1, spec(WatermarkSpec.NEVER, 2 * M));
        upsert(clocks, 0, 5 * M);
        assertEquals(3 * M, clocks.watermark(LEFT));
        watermark(clocks, 0, 4 * M);
        assertEquals(4 * M, clocks.watermark(LEFT));
        upsert(clocks, 0, 6 * M);
        assertEquals(4 * M, clocks.watermark(LEFT));
        assertEquals(4 * M, clocks.largestWatermarkEvent(0));
    }

    @Test
    void shouldNotMoveWithRetractionsAndInvalidEvents()
    {
        final Clocks clocks = clocks(1, 1, WatermarkSpec.DEFAULT);
        upsert(clocks, 0, 5 * M);
        other(clocks, 0);
        assertEquals(5 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldSaturateAndKeepInfinitiesApartFromTimes()
    {
        final Clocks clocks = clocks(1, 1, new WatermarkSpec(true, 2 * M, WatermarkSpec.NEVER, 0, 20 * M));
        upsert(clocks, 0, Times.MIN);
        assertEquals(Times.MIN, clocks.watermark(LEFT));
        assertEquals(Times.MIN, clocks.fallback(LEFT));
        watermark(clocks, 0, Times.PLUS_INFINITY);
        watermark(clocks, 0, Times.PLUS_INFINITY);
        assertEquals(Times.PLUS_INFINITY, clocks.watermark(LEFT));
        assertEquals(Times.PLUS_INFINITY, clocks.fallback(LEFT));
    }

    @Test
    void shouldJudgeBothSidesByTheSmallerWatermarkWhenJoint()
    {
        final Clocks clocks = new Clocks(new int[]{0, 1}, 2, WatermarkSpec.DEFAULT, true);
        upsert(clocks, 0, 40 * M);
        assertEquals(Times.MINUS_INFINITY, clocks.acceptance(LEFT));
        upsert(clocks, 1, 12 * M);
        assertEquals(12 * M, clocks.acceptance(LEFT));
        assertEquals(12 * M, clocks.acceptance(RIGHT));
        assertEquals(40 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldJudgeEachSideByItsOwnWatermarkByDefault()
    {
        final Clocks clocks = clocks(1, 1, WatermarkSpec.DEFAULT);
        upsert(clocks, 0, 40 * M);
        upsert(clocks, 1, 12 * M);
        assertEquals(40 * M, clocks.acceptance(LEFT));
        assertEquals(12 * M, clocks.acceptance(RIGHT));
    }

    @Test
    void shouldBecomeIdleOneNanosecondAfterTheTimeout()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 0, M);
        upsertAt(clocks, 1, IDLE, 2 * M);
        assertTrue(clocks.isActive(0));
        upsertAt(clocks, 1, IDLE + 1, 2 * M);
        assertFalse(clocks.isActive(0));
        assertEquals(2 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldCountAPartitionThatHasNotDeliveredFromTheFirstEventOfThePipeline()
    {
        final Clocks clocks = clocks(1, 1, IDLING);
        upsertAt(clocks, 0, 100, M);
        upsertAt(clocks, 0, 100 + IDLE, 2 * M);
        assertTrue(clocks.isActive(1));
        upsertAt(clocks, 0, 100 + IDLE + 1, 3 * M);
        assertFalse(clocks.isActive(1));
        assertEquals(3 * M, clocks.watermark(RIGHT));
    }

    @Test
    void shouldCountAnEventThatArrivedBeforeOthersFromTheLargestArrival()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 1_000, M);
        upsertAt(clocks, 1, 10, M);
        assertEquals(1_000, clocks.lastArrival(1));
        assertEquals(1_000, clocks.arrivalNow());
    }

    @Test
    void shouldKeepAPartitionActiveByEventsOfWhateverFate()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 0, M);
        upsertAt(clocks, 1, 0, 2 * M);
        clocks.beforeEvent(0, IDLE);
        upsertAt(clocks, 1, 2 * IDLE, 3 * M);
        assertTrue(clocks.isActive(0));
    }

    @Test
    void shouldPassDeadlinesInOrderOfTimeAndKeepTheHighestWatermarkInBetween()
    {
        final Clocks clocks = clocks(3, 1, IDLING);
        upsertAt(clocks, 0, 0, M);
        upsertAt(clocks, 1, 1, 2 * M);
        upsertAt(clocks, 2, 2, 9 * M);
        upsertAt(clocks, 1, 3, 2 * M);
        // deadlines: 0 at IDLE + 1, 2 at IDLE + 3, 1 at IDLE + 4
        assertTrue(clocks.nextDeadline(IDLE + 3));
        assertEquals(2 * M, clocks.watermark(LEFT));
        assertTrue(clocks.isActive(2));
        assertTrue(clocks.nextDeadline(IDLE + 3));
        assertFalse(clocks.isActive(2));
        assertTrue(clocks.isActive(1));
        assertFalse(clocks.nextDeadline(IDLE + 3));
        clocks.activate(1, IDLE + 3);
        assertEquals(2 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldPassEqualDeadlinesTogether()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 7, 5 * M);
        upsertAt(clocks, 1, 7, 4 * M);
        final long changes = clocks.activityChanges();
        clocks.tick(7 + IDLE + 1);
        assertFalse(clocks.isActive(0));
        assertFalse(clocks.isActive(1));
        assertEquals(5 * M, clocks.watermark(LEFT));
        assertTrue(clocks.isAllIdle(RIGHT));
        assertEquals(changes + 1, clocks.activityChanges());
    }

    @Test
    void shouldPassTheDeadlineOfTheEventsOwnPartitionBeforeItIsActiveAgain()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 0, M);
        upsertAt(clocks, 1, IDLE, 2 * M);
        clocks.beforeEvent(0, IDLE + 1);
        assertTrue(clocks.isActive(0));
        assertEquals(2 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldChangeNothingByATickBeforeTheFirstEvent()
    {
        final Clocks clocks = clocks(2, 1, IDLING);
        clocks.tick(100 * IDLE);
        assertTrue(clocks.isActive(0));
        upsertAt(clocks, 0, 3, M);
        assertEquals(100 * IDLE, clocks.lastArrival(1));
    }

    @Test
    void shouldNeverIdleByDefault()
    {
        final Clocks clocks = clocks(2, 1, WatermarkSpec.DEFAULT);
        upsertAt(clocks, 0, 0, M);
        clocks.tick(Long.MAX_VALUE);
        assertTrue(clocks.isActive(1));
    }

    @Test
    void shouldFollowTheOtherInputWhileAllIdle()
    {
        // fault 12
        final Clocks clocks = clocks(1, 2, IDLING);
        upsertAt(clocks, 1, 0, 720 * M);
        upsertAt(clocks, 2, 0, 720 * M);
        upsertAt(clocks, 0, IDLE + 1, 720 * M);
        assertTrue(clocks.isAllIdle(RIGHT));
        upsertAt(clocks, 0, IDLE + 2, 750 * M);
        assertEquals(750 * M, clocks.watermark(RIGHT));
    }

    @Test
    void shouldNotFollowTheOtherInputWhenThatIsAllIdleToo()
    {
        final Clocks clocks = clocks(1, 1, IDLING);
        upsertAt(clocks, 0, 0, 9 * M);
        upsertAt(clocks, 1, 0, 4 * M);
        clocks.tick(IDLE + 1);
        assertEquals(9 * M, clocks.watermark(LEFT));
        assertEquals(4 * M, clocks.watermark(RIGHT));
    }

    @Test
    void shouldFollowTheOtherInputAsSoonAsThatIsActiveAgain()
    {
        final Clocks clocks = clocks(1, 1, IDLING);
        upsertAt(clocks, 0, 0, 9 * M);
        upsertAt(clocks, 1, 0, 4 * M);
        clocks.tick(IDLE + 1);
        clocks.beforeEvent(0, IDLE + 2);
        assertEquals(9 * M, clocks.watermark(RIGHT));
    }

    @Test
    void shouldLeaveNoTraceOfTheOrderInWhichPartitionsWentIdle()
    {
        // fault 13
        for (int first = 0; first < 2; first++)
        {
            final Clocks clocks = clocks(2, 1, IDLING);
            upsertAt(clocks, first, 0, (725 - first) * M);
            upsertAt(clocks, 1 - first, 1, (724 + first) * M);
            clocks.tick(IDLE + 1);
            assertEquals(first == 0 ? 724 * M : 725 * M, clocks.watermark(LEFT));
            clocks.tick(IDLE + 2);
            assertEquals(725 * M, clocks.watermark(LEFT));
        }
    }

    @Test
    void shouldNotIdleAPartitionWhoseBacklogArrivedInTime()
    {
        // fault 14: what counts is stored arrivals, so an engine that hung for an hour finds its backlog on time
        final Clocks clocks = clocks(2, 1, IDLING);
        for (int i = 0; i < 5_000; i++)
        {
            upsertAt(clocks, 0, i * 2L, (720 + i / 250) * M);
            upsertAt(clocks, 1, i * 2L + 1, 760 * M);
        }
        assertTrue(clocks.isActive(0));
        assertEquals(739 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldTakePartAtOnceWhenAPartitionResumes()
    {
        // fault 15
        final Clocks clocks = clocks(2, 1, IDLING);
        upsertAt(clocks, 0, 0, 720 * M);
        upsertAt(clocks, 1, IDLE + 1, 750 * M);
        assertEquals(750 * M, clocks.watermark(LEFT));
        upsertAt(clocks, 0, IDLE + 2, 748 * M);
        assertTrue(clocks.isActive(0));
        upsertAt(clocks, 1, IDLE + 3, 770 * M);
        assertEquals(750 * M, clocks.watermark(LEFT));
        for (final long minute : new long[]{751, 760, 765})
        {
            upsertAt(clocks, 0, IDLE + 4, minute * M);
            assertEquals(minute * M, clocks.watermark(LEFT));
        }
    }

    @Test
    void shouldStartWithoutAPartitionThatNeverDeliveredOnceItIsIdle()
    {
        // fault 16
        final Clocks clocks = clocks(3, 1, IDLING);
        upsertAt(clocks, 0, 0, 740 * M);
        upsertAt(clocks, 1, 2, 745 * M);
        upsertAt(clocks, 0, 3, 740 * M);
        assertEquals(Times.MINUS_INFINITY, clocks.watermark(LEFT));
        clocks.tick(IDLE + 1);
        assertFalse(clocks.isActive(2));
        assertEquals(740 * M, clocks.watermark(LEFT));
        upsertAt(clocks, 2, IDLE + 2, 737 * M);
        assertTrue(clocks.isActive(2));
        assertEquals(740 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldNotBeDraggedByARecordFromTheFuture()
    {
        // fault 17: judged by its own stored arrival, so a replay years later rejects it too
        final WatermarkSpec spec = new WatermarkSpec(false, 0, WatermarkSpec.NEVER, 5 * M, 0);
        final EventRules rules = EventRules.ofPoints(spec);
        final Clocks clocks = clocks(1, 1, spec);
        final TestEvent event = new TestEvent().key("k").id("X").arrival(720 * M).time(2_000_000 * M);
        assertEquals(RejectReason.TOO_FAR_AHEAD, rules.judge(event.view()));
        clocks.beforeEvent(0, 720 * M);
        assertEquals(Times.MINUS_INFINITY, clocks.watermark(LEFT));
        for (int i = 1; i <= 10; i++)
        {
            event.arrival((720 + i) * M).time((720 + i) * M);
            assertEquals(RejectReason.NONE, rules.judge(event.view()));
            upsertAt(clocks, 0, (720 + i) * M, (720 + i) * M);
        }
        assertEquals(730 * M, clocks.watermark(LEFT));
    }

    @Test
    void shouldFallBackBehindTheWatermarkByTheKeySkewButNotBehindWatermarkEvents()
    {
        final Clocks clocks = clocks(1, 1, keyScope(WatermarkSpec.NEVER));
        upsert(clocks, 0, 60 * M);
        assertEquals(60 * M, clocks.watermark(LEFT));
        assertEquals(40 * M, clocks.fallback(LEFT));
        watermark(clocks, 0, 50 * M);
        assertEquals(50 * M, clocks.fallback(LEFT));
        upsert(clocks, 0, 80 * M);
        assertEquals(60 * M, clocks.fallback(LEFT));
    }

    @Test
    void shouldTakeTheSmallestWatermarkEventOfActivePartitionsAndNoneWhenAllAreIdle()
    {
        final Clocks clocks = clocks(2, 1, keyScope(IDLE));
        watermarkAt(clocks, 0, 0, 50 * M);
        assertEquals(Times.MINUS_INFINITY, clocks.fallback(LEFT));
        watermarkAt(clocks, 1, 0, 30 * M);
        assertEquals(30 * M, clocks.fallback(LEFT));
        clocks.tick(IDLE + 1);
        // W is 50, the larger of the two, so 30 by way of the skew; V stays: a minimum over nothing moves nothing
        assertEquals(50 * M, clocks.watermark(LEFT));
        assertEquals(30 * M, clocks.fallback(LEFT));
        clocks.beforeEvent(0, IDLE + 2);
        assertEquals(50 * M, clocks.fallback(LEFT));
    }

    private void upsert(final Clocks clocks, final int source, final long time)
    {
        upsertAt(clocks, source, ++now, time);
    }

    private void watermark(final Clocks clocks, final int source, final long time)
    {
        watermarkAt(clocks, source, ++now, time);
    }

    private void other(final Clocks clocks, final int source)
    {
        clocks.beforeEvent(source, ++now);
    }

    private static void upsertAt(final Clocks clocks, final int source, final long arrival, final long time)
    {
        clocks.beforeEvent(source, arrival);
        clocks.afterValidUpsert(source, time);
    }

    private static void watermarkAt(final Clocks clocks, final int source, final long arrival, final long time)
    {
        clocks.beforeEvent(source, arrival);
        clocks.afterWatermark(source, time);
    }

    private static Clocks clocks(final int left, final int right, final WatermarkSpec spec)
    {
        return new Clocks(sides(left, right), 2, spec, false);
    }

    private static int[] sides(final int left, final int right)
    {
        final int[] sides = new int[left + right];
        Arrays.fill(sides, left, left + right, RIGHT);
        return sides;
    }

    private static WatermarkSpec spec(final long idleAfterNs, final long delayNs)
    {
        return new WatermarkSpec(false, delayNs, idleAfterNs, WatermarkSpec.OFF, 0);
    }

    private static WatermarkSpec keyScope(final long idleAfterNs)
    {
        return new WatermarkSpec(true, 0, idleAfterNs, WatermarkSpec.OFF, 20 * M);
    }
}
