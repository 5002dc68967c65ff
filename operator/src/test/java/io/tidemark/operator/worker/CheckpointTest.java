package io.tidemark.operator.worker;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.order.ControlLog;
import io.tidemark.ingest.order.OrderTailer;
import io.tidemark.store.snapshot.CheckpointDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Checkpoints of a pipeline on real logs: when they are taken, what is kept, and how a start goes on from them. */
class CheckpointTest
{
    private static final long SEED = 17;

    @TempDir
    Path directory;

    @Test
    void shouldGoOnFromTheNewestCheckpointAndProcessOnlyTheTail()
    {
        final List<String> expected = undisturbed(2_000);
        final RandomPipeline pipeline = pipeline("killed").checkpoints(300, 3).append(2_000);
        assertEquals(0, pipeline.runUntil(1_500).position());
        final RecoveryReport second = pipeline.runUntil(1_800);
        assertTrue(second.position() >= 300, () -> "recovered at " + second.position());
        assertEquals(List.of(), second.refused());
        assertTrue(second.tailPositions() < 300, () -> "tail of " + second.tailPositions());
        final RecoveryReport third = pipeline.runToTheEnd();
        assertTrue(third.replayNs() > 0);
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldWriteTheSameBytesHoweverOftenItIsStopped()
    {
        final List<String> expected = undisturbed(1_200);
        final RandomPipeline pipeline = pipeline("stopped").checkpoints(100, 2);
        for (int i = 0; i < 12; i++)
        {
            pipeline.append(100);
            pipeline.runUntil(100L * i + 37);
            if (i % 2 == 0)
            {
                pipeline.runToTheEnd();
            }
        }
        assertEquals(0, pipeline.runToTheEnd().tailPositions());
        assertEquals(expected.get(expected.size() - 1), pipeline.outcome().get(expected.size() - 1));
        assertEquals(0, pipeline.runToTheEnd().tailPositions());
    }

    @Test
    void shouldUseAnOlderCheckpointWhenTheNewestIsDamagedAndSayWhich() throws IOException
    {
        final List<String> expected = undisturbed(2_000);
        final RandomPipeline pipeline = pipeline("damaged").checkpoints(200, 5).append(2_000);
        pipeline.runUntil(1_999);
        final CheckpointDirectory checkpoints = new CheckpointDirectory(pipeline.directory());
        final List<Long> positions = checkpoints.positions();
        assertTrue(positions.size() >= 2, positions::toString);
        final Path manifest = checkpoints.path().resolve(String.format("%019d.manifest", positions.get(0)));
        Files.write(manifest, new byte[0]);
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(positions.get(1), report.position());
        assertEquals(1, report.refused().size());
        assertTrue(report.refused().get(0).startsWith("checkpoint " + positions.get(0) + " is not used: "),
            report.refused().get(0));
        assertEquals(expected, pipeline.outcome());
        assertEquals(List.of(), pipeline.runToTheEnd().refused());
    }

    @Test
    void shouldStartFromTheBeginningWhenNoCheckpointIsWhole() throws IOException
    {
        final List<String> expected = undisturbed(500);
        final RandomPipeline pipeline = pipeline("all").checkpoints(100, 3).append(500);
        pipeline.runUntil(499);
        final CheckpointDirectory checkpoints = new CheckpointDirectory(pipeline.directory());
        final int before = checkpoints.positions().size();
        try (Stream<Path> files = Files.list(checkpoints.path()))
        {
            for (final Path file : files.filter(path -> path.toString().endsWith(".pages")).toList())
            {
                final byte[] bytes = Files.readAllBytes(file);
                bytes[bytes.length / 2] ^= 4;
                Files.write(file, bytes);
            }
        }
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(0, report.position());
        assertEquals(before, report.refused().size());
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldNameTheSettingThatACheckpointWasMadeWithOtherwise()
    {
        final RandomPipeline pipeline = pipeline("settings").append(100)
            .checkpoints(madeWith("slots=16; rule.look_back=47m; rule.lateness=3m"));
        pipeline.runToTheEnd();
        final String message = assertThrows(RecoveryException.class, () -> pipeline
            .checkpoints(madeWith("slots=16; rule.look_back=48m; rule.lateness=3m; rule.emit=final")).runToTheEnd())
            .getMessage();
        assertTrue(message.contains("other settings: 'rule.emit' was not set and is final, " +
            "'rule.look_back' was 47m and is 48m. Set back what differs, or"), message);
        pipeline.checkpoints(madeWith("slots=16; rule.look_back=47m; rule.lateness=3m")).runToTheEnd();
    }

    private static CheckpointSettings madeWith(final String settings)
    {
        return new CheckpointSettings(Long.MAX_VALUE, Long.MAX_VALUE, 3, false, false, settings);
    }

    @Test
    void shouldMakeResultsAgainThatTheirLogHasLost() throws IOException
    {
        final List<String> expected = undisturbed(500);
        final RandomPipeline pipeline = pipeline("lost").checkpoints(100, 3).append(500);
        pipeline.runToTheEnd();
        deleteTree(pipeline.directory().resolve(PipelineRuntime.CHANGES));
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(0, report.position());
        assertTrue(report.refused().get(0).contains("it ends with record -1"), report.refused().get(0));
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldRefuseToStartWithoutTheOrderThatResultsFollow() throws IOException
    {
        final RandomPipeline pipeline = pipeline("order").checkpoints(100, 3).append(500);
        pipeline.runToTheEnd();
        deleteTree(pipeline.directory().resolve(PipelineRuntime.ORDER));
        assertTrue(assertThrows(LogException.class, pipeline::open).getMessage().contains("order"));
        deleteTree(pipeline.directory().resolve(CheckpointDirectory.NAME));
        assertTrue(assertThrows(RecoveryException.class, pipeline::open).getMessage().contains("is empty"));
    }

    @Test
    void shouldTakeACheckpointThatIsAskedFor()
    {
        final RandomPipeline pipeline = pipeline("asked").append(400);
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntilCaughtUp();
            assertEquals(0, runtime.checkpointStats().position());
            try (ControlLog control = ControlLog.open(pipeline.directory(), () -> 0))
            {
                assertEquals(0, control.requestBarrier());
            }
            runtime.runUntilCaughtUp();
            assertEquals(400, runtime.checkpointStats().position());
            assertEquals(1, runtime.checkpointStats().requests());
        }
        assertEquals(400, pipeline.runToTheEnd().position());
    }

    @Test
    void shouldPutABarrierBehindWhatIsOrderedWhenItIsStoppedInTheMiddleOfABacklog()
    {
        final int events = 20_000;
        final List<String> expected = undisturbed(events);
        final RandomPipeline pipeline = pipeline("backlog").append(events);
        for (final long stop : new long[]{0, 1, 1_000, 9_000, events})
        {
            final long stopped;
            try (PipelineRuntime runtime = pipeline.open())
            {
                runtime.runUntil(() -> runtime.position() >= stop);
                stopped = runtime.checkpoint();
            }
            assertTrue(stopped >= stop && stopped < stop + 10_000, () -> "stopped at " + stopped);
            assertEquals(stopped, newestBarrier(pipeline));
            final RecoveryReport report = pipeline.runUntil(0);
            assertEquals(stopped, report.position());
            assertEquals(0, report.tailPositions());
        }
        pipeline.runToTheEnd();
        assertEquals(expected, pipeline.outcome());
    }

    /** The position after which the last record of the order is a barrier; 0 when there is none, -1 when it is none. */
    private static long newestBarrier(final RandomPipeline pipeline)
    {
        long position = 0;
        try (Log log = Log.openReadOnly(pipeline.directory().resolve(PipelineRuntime.ORDER));
            OrderTailer order = new OrderTailer(log, PipelineFixture.in(pipeline.directory()).spec().topology(), true))
        {
            while (order.nextRun())
            {
                position = order.isBarrier() ? order.position() : -1;
            }
        }
        return position;
    }

    /** Kind 39 of FAULTS.md. */
    @Test
    void shouldCheckpointWhereItStandsWhenItIsStoppedInTheMiddleOfAReplay()
    {
        final List<String> expected = undisturbed(3_000);
        final RandomPipeline pipeline = pipeline("middle").append(3_000);
        pipeline.runUntil(2_900);
        final long stopped;
        try (PipelineRuntime runtime = pipeline.open())
        {
            runtime.runUntil(() -> runtime.position() >= 1_000);
            stopped = runtime.checkpoint();
        }
        assertTrue(stopped >= 1_000 && stopped < 2_900, () -> "stopped at " + stopped);
        final RecoveryReport report = pipeline.runToTheEnd();
        assertEquals(stopped, report.position());
        assertEquals(expected, pipeline.outcome());
    }

    @Test
    void shouldKeepEventsGoingWhileACheckpointIsWritten()
    {
        final List<String> expected = undisturbed(4_000);
        final RandomPipeline pipeline = pipeline("background").append(4_000)
            .checkpoints(new CheckpointSettings(Long.MAX_VALUE, 100, 2, true, true, "test"));
        for (int stop = 500; stop <= 4_000; stop += 500)
        {
            pipeline.runUntil(stop);
        }
        pipeline.runToTheEnd();
        assertEquals(expected, pipeline.outcome());
        assertTrue(new CheckpointDirectory(pipeline.directory()).positions().size() <= 2);
    }

    private List<String> undisturbed(final int events)
    {
        final RandomPipeline pipeline = pipeline("undisturbed").append(events);
        pipeline.runToTheEnd();
        return pipeline.outcome();
    }

    private RandomPipeline pipeline(final String name)
    {
        return new RandomPipeline(directory.resolve(name), SEED).checkpoints(Long.MAX_VALUE, 3);
    }

    private static void deleteTree(final Path root) throws IOException
    {
        try (Stream<Path> files = Files.walk(root))
        {
            for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
            {
                Files.delete(file);
            }
        }
    }
}
