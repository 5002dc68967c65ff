package io.tidemark.operator.worker;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.ingest.fixture.CrashProcess;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.join.Census;
import io.tidemark.operator.join.JoinEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SlotDigest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_0;
import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_1;
import static io.tidemark.operator.worker.PipelineFixture.SIGNALS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What a checkpoint is a cut of, and a start goes on with: kinds 37, 38, 44, 59 and 63 of FAULTS.md. Kinds 37 and 38
 * are about several workers; with one the same can go wrong between what was cut and what is restored.
 */
class CutFaultsTest
{
    private static final int LEFT = 0;

    @TempDir
    Path directory;

    @Test
    void shouldRestoreEachClockAndIdleFlagAsItStoodAndNeverTheLargest37()
    {
        final PipelineFixture pipeline = new PipelineFixture(directory, 1_000);
        pipeline.append(PAYMENTS_0, 0, 1, 5_030);
        pipeline.append(PAYMENTS_1, 1, 1, 5_010);
        pipeline.append(SIGNALS, 2, 1, 5_000);
        pipeline.clock(900);
        pipeline.append(PAYMENTS_1, 3, 1, 5_010);
        pipeline.clock(1_500);
        pipeline.append(SIGNALS, 4, 1, 5_000);
        processed(pipeline, operator -> assertClocks(operator.clocks(), 5_010, false, true));
        processed(pipeline, operator -> assertClocks(operator.clocks(), 5_010, false, true));
        pipeline.append(PAYMENTS_1, 5, 1, 4_910);
        pipeline.append(PAYMENTS_1, 6, 1, 4_909);
        processed(pipeline, operator ->
        {
            assertEquals(1, operator.tally().late());
            assertClocks(operator.clocks(), 5_010, false, true);
        });
        // When the other has fallen silent too, the larger of the two counts, after a restart as before.
        pipeline.clock(5_000);
        pipeline.append(SIGNALS, 7, 1, 5_000);
        processed(pipeline, operator -> assertClocks(operator.clocks(), 5_030, false, false));
        processed(pipeline, operator -> assertClocks(operator.clocks(), 5_030, false, false));
        pipeline.append(PAYMENTS_1, 8, 1, 5_011);
        processed(pipeline, operator -> assertClocks(operator.clocks(), 5_030, false, true));
    }

    private static void assertClocks(
        final Clocks clocks, final long watermark, final boolean isFirstActive, final boolean isSecondActive)
    {
        assertEquals(watermark, clocks.watermark(LEFT));
        assertEquals(5_030, clocks.partitionClock(PAYMENTS_0));
        assertEquals(isFirstActive, clocks.isActive(PAYMENTS_0));
        assertEquals(isSecondActive, clocks.isActive(PAYMENTS_1));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 16})
    void shouldRememberARemovalWhereTheRowWasAndNotWhereTheEventThatCausedItIs38(final int slots) throws IOException
    {
        final PipelineFixture pipeline = pipeline(slots);
        append(pipeline, PAYMENTS_0, "k1", "P1", 5_000, 1);
        processed(pipeline, operator -> assertEquals(1, census(operator).open()));
        for (int source = PAYMENTS_0; source <= SIGNALS; source++)
        {
            append(pipeline, source, "k2", "F" + source, source == SIGNALS ? 12_000 : 10_000, 2 + source);
        }
        final List<Census> before = new ArrayList<>();
        processed(pipeline, operator -> before.add(census(operator)));
        assertEquals(3, before.get(0).open());
        assertEquals(3, before.get(0).records());

        final CheckpointDirectory checkpoints = new CheckpointDirectory(directory);
        final List<Long> positions = checkpoints.positions();
        final Manifest newest = checkpoints.manifest(positions.get(0));
        assertEquals(2, newest.files().size(), "only what changed was written");
        final List<SlotDigest> then = checkpoints.manifest(positions.get(1)).slots();
        final TreeSet<Integer> changed = new TreeSet<>();
        newest.slots().stream().filter(slot -> !then.contains(slot)).forEach(slot -> changed.add(slot.slot()));
        assertTrue(changed.contains(slotOfRemoved()), changed::toString);
        assertEquals(slots == 1 ? 1 : 2, changed.size());

        append(pipeline, PAYMENTS_0, "k1", "P1", 5_000, 9);
        processed(pipeline, operator ->
        {
            assertEquals(before.get(0), census(operator));
            assertEquals(1, operator.tally().late());
            assertEquals(0, operator.tally().duplicates());
        });
    }

    /** The change log's one row is that of the removed payment, which was final without a match. */
    private int slotOfRemoved()
    {
        try (Log log = Log.openReadOnly(directory.resolve(PipelineRuntime.CHANGES)); LogTailer tailer = log.tailer())
        {
            assertTrue(tailer.poll());
            final ChangeSetDecoder decoder = new ChangeSetDecoder();
            decoder.wrap(tailer.buffer(), tailer.offset());
            assertFalse(tailer.poll());
            return decoder.slot();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"sources/payments-0", PipelineRuntime.ORDER})
    void shouldNotStartWhereTheRecordThatACheckpointStandsOnIsGone44(final String log) throws IOException
    {
        final DayPipeline pipeline = new DayPipeline(directory, Long.MAX_VALUE);
        for (int day = 0; day < 3; day++)
        {
            pipeline.append(day).run(day);
        }
        final List<String> before = pipeline.outcome();
        Files.delete(directory.resolve(log).resolve("19700103F.cq4"));
        pipeline.append(4);
        final String message = assertThrows(LogException.class, () -> pipeline.run(4)).getMessage();
        assertTrue(message.contains(log) && message.contains("put the missing queue file"), message);
        assertEquals(before, pipeline.outcome());
    }

    @Test
    void shouldOpenNoStateOfAProcessThatWasKilledInTheMiddleOfAnUpdate59() throws IOException, InterruptedException
    {
        final RandomPipeline killed = CrashRun.Kind.JOIN.in(directory.resolve("killed"), 3).append(400);
        final RandomPipeline undisturbed = CrashRun.Kind.JOIN.in(directory.resolve("undisturbed"), 3).append(400);
        undisturbed.runToTheEnd();
        assertEquals(List.of(true), CrashProcess.run(directory.resolve("child.log"), CrashRun.class,
            List.of("JOIN", killed.directory().toString(), "worker.after-event:333")));
        // State is in memory that dies with its process: there is no map, and so no lock of a dead process in it.
        final Path state = killed.directory().resolve("state");
        try (Stream<Path> files = Files.exists(state) ? Files.list(state) : Stream.empty())
        {
            assertEquals(0, files.count());
        }
        assertTrue(killed.runToTheEnd().position() >= 320);
        assertEquals(undisturbed.outcome(), killed.outcome());
    }

    @Test
    void shouldHoldAsManyRowsAsThereAreWhenHalfOfThemAreEvictedInOneStep63()
    {
        final int half = 50_000;
        final PipelineFixture pipeline = pipeline(16);
        pipeline.append(PAYMENTS_0, 0, half, 5_000);
        pipeline.append(PAYMENTS_0, half, half, 200_000);
        processed(pipeline, operator -> assertEquals(2 * half, census(operator).open()));
        pipeline.appendWatermark(PAYMENTS_1, 150_000);
        pipeline.appendWatermark(SIGNALS, 150_000);
        processed(pipeline, operator -> assertHalf(operator, half));
        processed(pipeline, operator -> assertHalf(operator, half));
    }

    private static void assertHalf(final JoinEngine operator, final int half)
    {
        assertEquals(half, census(operator).open());
        assertEquals(half, census(operator).records());
        assertEquals(half, operator.rows());
    }

    private static Census census(final JoinEngine operator)
    {
        return operator.census();
    }

    private PipelineFixture pipeline(final int slots)
    {
        final PipelineSpec spec = PipelineFixture.in(directory).spec();
        return new PipelineFixture(directory, new PipelineSpec(
            spec.topology(), 0, spec.rule(), spec.watermark(), slots, 1_000_000));
    }

    private static void append(
        final PipelineFixture pipeline,
        final int source,
        final String key,
        final String id,
        final long time,
        final long arrival)
    {
        try (SourceLogs sources =
            SourceLogs.open(pipeline.dataDirectory(), pipeline.spec().topology(), () -> 0, () -> 1))
        {
            sources.appender(source).upsert(time).key(key).id(id).arrival(arrival).append();
        }
    }

    /** Goes on from the newest checkpoint to the end, looks at the operator, and takes a checkpoint. */
    private static void processed(final PipelineFixture pipeline, final Consumer<JoinEngine> look)
    {
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
            new PagedOperatorFactory(pipeline.dataDirectory(), pipeline.spec(), 100_000))))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
            look.accept((JoinEngine)runtime.operator());
        }
    }
}
