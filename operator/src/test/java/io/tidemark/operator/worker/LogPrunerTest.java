package io.tidemark.operator.worker;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.RetentionHold;
import io.tidemark.ingest.order.OrderException;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;

import static io.tidemark.operator.worker.DayPipeline.DAY_MS;
import static io.tidemark.operator.worker.DayPipeline.DAY_NS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Which queue files are taken away, and when (FAULTS.md 51), and what can't be done any more afterwards. */
class LogPrunerTest
{
    private static final long NO_HORIZON = Long.MAX_VALUE;

    @TempDir
    Path directory;

    @Test
    void shouldTakeAwayDaysThatNeitherCheckpointNorRepairNeedsInAllLogsTogether51()
    {
        final DayPipeline pipeline = processed(new DayPipeline(directory, 2 * DAY_NS), 0, 6);
        assertDays(pipeline, 3, 4, 5);
        assertEquals(18, pipeline.run(5));
    }

    @Test
    void shouldKeepWhatACheckpointThatIsKeptStandsOn51()
    {
        assertDays(processed(new DayPipeline(directory, DAY_NS / 2).keep(5), 0, 6), 1, 2, 3, 4, 5);
    }

    @Test
    void shouldKeepEverythingWhileSomebodyReads51()
    {
        final RetentionHold hold = RetentionHold.acquire(directory);
        final DayPipeline pipeline = processed(new DayPipeline(directory, DAY_NS / 2), 0, 4);
        assertTrue(RetentionHold.isHeld(directory));
        assertDays(pipeline, 0, 1, 2, 3);
        hold.close();
        assertDays(processed(pipeline, 4, 5), 4);
    }

    @Test
    void shouldLetNobodyBeginToReadWhileFilesAreTakenAway() throws InterruptedException
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final Thread reader;
        try (RetentionHold.Release release = RetentionHold.tryRelease(directory))
        {
            assertTrue(release != null);
            reader = new Thread(() ->
            {
                final RetentionHold hold = RetentionHold.acquire(directory);
                begun.countDown();
                hold.close();
            });
            reader.start();
            while (!RetentionHold.isHeld(directory))
            {
                // it has said that it wants to, and waits
                Thread.onSpinWait();
            }
            assertEquals(1, begun.getCount());
        }
        reader.join();
        assertEquals(0, begun.getCount());
        final RetentionHold hold = RetentionHold.acquire(directory);
        assertNull(RetentionHold.tryRelease(directory));
        hold.close();
    }

    /** A hold that is being made looks like one of a dead holder until it is locked. */
    @Test
    void shouldNotTakeHoldsThatAreBeingMadeForThoseOfDeadHolders() throws InterruptedException
    {
        final AtomicBoolean ends = new AtomicBoolean();
        final Thread looking = new Thread(() ->
        {
            while (!ends.get())
            {
                RetentionHold.isHeld(directory);
            }
        });
        looking.start();
        try
        {
            for (int i = 0; i < 2_000; i++)
            {
                try (RetentionHold hold = RetentionHold.acquire(directory))
                {
                    assertTrue(hold != null && RetentionHold.isHeld(directory));
                }
            }
        }
        finally
        {
            ends.set(true);
            looking.join();
        }
    }

    @Test
    void shouldKeepWhatTheCheckpointsOfAnotherTableStandOn51()
    {
        final Path second = directory.resolve("rules/2");
        final DayPipeline serving = processed(new DayPipeline(directory, NO_HORIZON), 0, 4);
        // The table of a new rule is built, and stopped; the one that serves goes on and would need but its last day.
        new DayPipeline(directory, NO_HORIZON).results(second, directory).run(4);
        serving.horizon(DAY_NS / 2).results(directory, second);
        assertDays(processed(serving, 5, 8), 3, 5, 6, 7);
        // It is gone on with, and needs but its last day; the one that serves needs that too.
        final DayPipeline built = new DayPipeline(directory, DAY_NS / 2).results(second, directory);
        assertEquals(21, built.run(8));
        assertDays(built, 7);
    }

    @Test
    void shouldKeepEverythingForATableThatHasNoCheckpointYet51() throws IOException
    {
        final Path second = directory.resolve("rules/2");
        final DayPipeline serving = new DayPipeline(directory, DAY_NS / 2).results(directory, second);
        Files.createDirectories(second);
        assertDays(processed(serving, 0, 4), 0, 1, 2, 3);
        assertEquals(12, new DayPipeline(directory, DAY_NS / 2).results(second, directory).run(4));
    }

    @Test
    void shouldFinishWhatAProcessThatDiedHadBegun()
    {
        final DayPipeline pipeline = processed(new DayPipeline(directory, NO_HORIZON), 0, 4);
        OrderHistory.prunedBefore(directory, 2);
        try (Log order = Log.open(directory.resolve(PipelineRuntime.ORDER), () -> 4 * DAY_MS))
        {
            order.deleteBefore(1);
        }
        pipeline.run(4);
        assertDays(pipeline, 2, 3);
    }

    @Test
    void shouldTakeNothingAwayOnTheWordOfADamagedMarker() throws IOException
    {
        final DayPipeline pipeline = processed(new DayPipeline(directory, NO_HORIZON), 0, 4);
        OrderHistory.prunedBefore(directory, 1);
        final Path marker = directory.resolve(OrderHistory.MARKER);
        Files.writeString(marker, Files.readString(marker).replace("1 ", "3 "));
        final String message = assertThrows(LogException.class, () -> pipeline.run(4)).getMessage();
        assertTrue(message.contains(marker.toString()) && message.contains("delete it"), message);
        assertDays(pipeline, 0, 1, 2, 3);
        Files.delete(marker);
        assertEquals(12, pipeline.run(4));
    }

    @Test
    void shouldSayWhatWasPrunedToWhomeverNeedsIt() throws IOException
    {
        final DayPipeline pipeline = processed(new DayPipeline(directory, 2 * DAY_NS), 0, 6);
        final String replay = assertThrows(
            OrderException.class, () -> new Replay(pipeline.context(6), 0).close()).getMessage();
        assertTrue(replay.contains("before position 10 was pruned") && replay.contains("--from-checkpoint 18"), replay);
        final DayPipeline other = new DayPipeline(directory, 2 * DAY_NS).results(directory.resolve("rules/2"));
        final String table = assertThrows(OrderException.class, () -> other.run(6)).getMessage();
        assertTrue(table.contains("before position 10 was pruned"), table);
        try (Stream<Path> files = Files.list(new CheckpointDirectory(directory).path()))
        {
            for (final Path file : files.toList())
            {
                Files.delete(file);
            }
        }
        final String run = assertThrows(OrderException.class, () -> pipeline.run(6)).getMessage();
        assertTrue(run.contains("before position 10 was pruned") && run.contains("put the checkpoints back"), run);
    }

    private static DayPipeline processed(final DayPipeline pipeline, final int fromDay, final int toDay)
    {
        for (int day = fromDay; day < toDay; day++)
        {
            pipeline.append(day);
            pipeline.run(day);
        }
        return pipeline;
    }

    private static void assertDays(final DayPipeline pipeline, final int... days)
    {
        assertEquals(Set.of(Arrays.toString(days)), Set.copyOf(pipeline.days().values()), pipeline.days().toString());
    }
}
