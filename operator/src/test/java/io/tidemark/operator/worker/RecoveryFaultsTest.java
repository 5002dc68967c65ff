package io.tidemark.operator.worker;

import io.tidemark.ingest.event.SourceLogs;
import io.tidemark.store.page.StateFullException;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_0;
import static io.tidemark.operator.worker.PipelineFixture.PAYMENTS_1;
import static io.tidemark.operator.worker.PipelineFixture.SIGNALS;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Families F and H of FAULTS.md, by their numbers: checkpoint, restore, replay, and state in maps. */
class RecoveryFaultsTest
{
    private static final long SEED = 23;

    @TempDir
    Path directory;

    @Test
    void shouldJudgeByTheClocksOfTheCheckpointAfterARestart34()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        pipeline.append(PAYMENTS_0, 0, 1, 5_000);
        pipeline.append(PAYMENTS_1, 1, 1, 5_000);
        pipeline.append(SIGNALS, 2, 1, 5_000);
        checkpointed(pipeline);
        pipeline.append(PAYMENTS_0, 3, 1, 4_899);
        pipeline.append(PAYMENTS_0, 4, 1, 4_900);
        assertEquals(3, checkpointed(pipeline).position());
        assertEquals(1, pipeline.records(PipelineRuntime.LATE));
    }

    @Test
    void shouldStoreTheClocksOfTheCutAndNotThoseOfTheWriting35()
    {
        // The snapshot is written while later events move the clocks: their registers must not get into it.
        final RandomPipeline pipeline = pipeline("cut").append(3_000)
            .checkpoints(new CheckpointSettings(Long.MAX_VALUE, 50, 3, false, true, "test"));
        pipeline.runUntil(2_990);
        try (Replay replay = new Replay(pipeline.context().operatorFactory(new PagedOperatorFactory(
            directory.resolve("scratch"), PipelineFixture.in(directory).spec(), 10_000)), 0))
        {
            assertTrue(replay.run().checkpoints() > 0);
        }
    }

    @Test
    void shouldMakeFinalWhatIsDueAfterARestartThoughNobodyTouchesItsKey36()
    {
        final PipelineFixture pipeline = PipelineFixture.in(directory);
        try (SourceLogs sources = SourceLogs.open(directory, pipeline.spec().topology(), () -> 0, () -> 1))
        {
            sources.appender(PAYMENTS_0).upsert(5_000).key("quiet").id("P").arrival(1).append();
        }
        checkpointed(pipeline);
        for (int source = PAYMENTS_0; source <= SIGNALS; source++)
        {
            pipeline.appendWatermark(source, 6_101);
        }
        checkpointed(pipeline);
        assertEquals(1, pipeline.records(PipelineRuntime.CHANGES));
    }

    @Test
    void shouldThrowAwayTheWorkingStateOfADeadProcess40() throws IOException
    {
        final List<String> expected = undisturbed(800);
        final RandomPipeline pipeline = pipeline("dead").checkpoints(300, 2).append(800);
        pipeline.runUntil(700);
        final Path state = Files.createDirectories(pipeline.directory().resolve("state"));
        Files.write(state.resolve("pages-0.map"), new byte[100_000]);
        Files.write(state.resolve("pages-7.map"), "a map of a dead process".getBytes(StandardCharsets.UTF_8));
        assertTrue(pipeline.runToTheEnd().position() > 0);
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldJudgeEachEventByTheClocksThatItMetWhenAllIsBuiltAgain41()
    {
        final List<String> expected = undisturbed(800);
        final RandomPipeline pipeline = pipeline("again").checkpoints(200, 2).append(800);
        pipeline.runToTheEnd();
        each(new CheckpointDirectory(pipeline.directory()).path(), RecoveryFaultsTest::delete);
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(0, report.position());
        assertEquals(800, report.tailPositions());
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldNotDependOnTheClockOfTheDayNorOnHowManyEventsComeAtOnce42()
    {
        final RandomPipeline pipeline = pipeline("pieces").checkpoints(7, 2);
        for (int i = 0; i < 40; i++)
        {
            pipeline.append(i % 3 == 0 ? 1 : 19);
            pipeline.runToTheEnd();
        }
        assertEquals(undisturbed(40 / 3 + 1 + 19 * (40 - 40 / 3 - 1)), pipeline.outcome());
    }

    @Test
    void shouldUseTheCheckpointBeforeWhenAFileOfTheNewestIsEmpty60()
    {
        final List<String> expected = undisturbed(800);
        final RandomPipeline pipeline = pipeline("empty").checkpoints(200, 3).append(800);
        pipeline.runUntil(799);
        final CheckpointDirectory checkpoints = new CheckpointDirectory(pipeline.directory());
        final List<Long> positions = checkpoints.positions();
        final String newest = checkpoints.manifest(positions.get(0)).files().stream()
            .reduce((first, last) -> last).orElseThrow().name();
        write(checkpoints.path().resolve(newest), new byte[0]);
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(positions.get(1), report.position());
        assertTrue(report.refused().get(0).contains("has 0 bytes"), report.refused().get(0));
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldTakeTheSameSnapshotAtTheSamePositionWhateverGoesOnMeanwhile61()
    {
        final RandomPipeline quiet = pipeline("quiet").checkpoints(100, 50).append(2_000);
        quiet.runToTheEnd();
        final RandomPipeline busy = pipeline("busy").append(2_000)
            .checkpoints(new CheckpointSettings(Long.MAX_VALUE, 100, 50, false, true, "test"));
        busy.runToTheEnd();
        final CheckpointDirectory quietOnes = new CheckpointDirectory(quiet.directory());
        final CheckpointDirectory busyOnes = new CheckpointDirectory(busy.directory());
        int compared = 0;
        for (final long position : busyOnes.positions())
        {
            if (quietOnes.has(position))
            {
                assertEquals(quietOnes.manifest(position).stateDigest(), busyOnes.manifest(position).stateDigest());
                compared++;
            }
        }
        assertTrue(compared > 0);
    }

    @Test
    void shouldStopBeforeTheStateIsFullAndGoOnWithMoreRoom62()
    {
        final List<String> expected = undisturbed(3_000);
        final RandomPipeline pipeline = pipeline("full").checkpoints(100, 2).append(3_000);
        final StateFullException full = assertThrows(StateFullException.class, () ->
        {
            try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
                new PagedOperatorFactory(pipeline.directory(), PipelineFixture.in(directory).spec(), 60))))
            {
                runtime.runUntilCaughtUp();
            }
        });
        assertTrue(full.getMessage().contains("allow it more room and start again"), full.getMessage());
        pipeline.runToTheEnd();
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldRefuseACheckpointOfAnotherFormatByItsNumber64()
    {
        final RandomPipeline pipeline = pipeline("format").checkpoints(100, 1).append(100);
        pipeline.runToTheEnd();
        final CheckpointDirectory checkpoints = new CheckpointDirectory(pipeline.directory());
        each(checkpoints.path(), file ->
        {
            if (file.toString().endsWith(".manifest"))
            {
                write(file, read(file).replace("tidemark-checkpoint 5\n", "tidemark-checkpoint 7\n")
                    .getBytes(StandardCharsets.UTF_8));
            }
        });
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(0, report.position());
        assertTrue(report.refused().get(0).contains("has format 7, and this program knows format 5"),
            report.refused().get(0));
    }

    private static RecoveryReport checkpointed(final PipelineFixture pipeline)
    {
        try (PipelineRuntime runtime = PipelineRuntime.open(pipeline.context().operatorFactory(
            new PagedOperatorFactory(pipeline.dataDirectory(), pipeline.spec(), 10_000))))
        {
            runtime.runUntilCaughtUp();
            runtime.checkpoint();
            return runtime.recovery();
        }
    }

    private List<String> undisturbed(final int events)
    {
        final RandomPipeline pipeline = pipeline("undisturbed").append(events);
        pipeline.runToTheEnd();
        return pipeline.outcome();
    }

    private RandomPipeline pipeline(final String name)
    {
        return new RandomPipeline(directory.resolve(name), SEED);
    }

    private static void each(final Path directory, final Consumer<Path> action)
    {
        try (Stream<Path> files = Files.list(directory))
        {
            files.sorted().forEach(action);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void delete(final Path file)
    {
        try
        {
            Files.delete(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static void write(final Path file, final byte[] content)
    {
        try
        {
            Files.write(file, content);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
