package io.tidemark.bench;

import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.operator.worker.Worker;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Benchmarks do the work that they say, on a small size; how long they take is nobody's business here. */
class WorkloadRunTest
{
    private static final int EVENTS = 20_000;
    private static final int ID_LENGTH = 13;

    private record Past(int stream, long timeNs)
    {
    }

    @TempDir
    static Path directory;

    /** Each workload runs once, for all tests to look at. */
    private static final Map<String, WorkloadFigures> FIGURES = new HashMap<>();

    static List<Workload> workloads()
    {
        return Workload.all();
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldWriteAsManyPairsAsThereAre(final Workload workload)
    {
        final WorkloadFigures figures = figures(workload);

        assertEquals(EVENTS, figures.last().accepted());
        assertEquals(0, figures.last().refused());
        assertEquals(pairs(workload, EVENTS - figures.measured()), figures.outputs().measuredPairs());
        assertTrue(figures.bytesPerEvent() >= figures.matchesPerEvent() * RowImage.length(ID_LENGTH));
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldMeasureFloorAndPipelineOverTheSameEvents(final Workload workload)
    {
        final WorkloadFigures figures = figures(workload);

        assertEquals(2, figures.sequencer().count());
        assertEquals(2, figures.worker().count());
        for (final Rounds floors : List.of(figures.sequencerFloor(), figures.workerFloor()))
        {
            assertEquals(2, floors.count());
            floors.all().forEach((floor) -> assertEquals(figures.measured(), floor.events()));
        }
        for (final Measure worker : figures.worker().all())
        {
            // the prefix ends with the duty cycle that it ends in
            assertTrue(worker.events() <= figures.measured(), worker::toString);
            assertTrue(worker.events() > figures.measured() - Worker.MOST_EVENTS, worker::toString);
        }
        assertTrue(figures.ratio() > 0 && figures.workerRatio() > 0);
        assertTrue(figures.cpuNsPerEvent() > figures.worker().median().cpuNsPerEvent());
        assertTrue(figures.floorCpuNsPerEvent() > figures.workerFloor().median().cpuNsPerEvent());
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldHoldTheRowsThatStateSays(final Workload workload)
    {
        final PipelineFigures state = figures(workload).last();

        assertTrue(state.liveRows() > 0 && state.liveRows() <= state.rows(), state::toString);
        assertTrue(state.rows() <= EVENTS, state::toString);
        assertTrue(state.keys() > 0 && state.keys() <= Math.min(state.rows(), workload.keys()), state::toString);
        assertTrue(state.bytesPerRow() > RowImage.length(ID_LENGTH), state::toString);
    }

    @Test
    void shouldNotCallAWindowFullThatIsNot()
    {
        final Workload small = new Workload("small", "", 100, false, 50, 500, 500, Unmatched.NONE);

        assertTrue(WorkloadRun.run(small, settings(1)).isWindowFull());
        assertFalse(figures(workload("uniform")).isWindowFull());
    }

    @Test
    void shouldDrawZipfKeysByTheirRank()
    {
        final EventFeed feed = new EventFeed(workload("zipf"), 1);
        final int[] drawn = new int[workload("zipf").keys()];
        for (int i = 0; i < 200_000; i++)
        {
            feed.next();
            drawn[feed.key()]++;
        }

        assertEquals(2.0, (double)drawn[0] / drawn[1], 0.2);
        assertEquals(10.0, (double)drawn[0] / drawn[9], 2);
    }

    @Test
    void shouldSayBytesARowForOneKeyAndForMany()
    {
        for (final Unmatched unmatched : new Unmatched[]{Unmatched.NONE, Unmatched.FINAL})
        {
            final StateFigures one = StateRun.run(5_000, 1, unmatched, settings(1));
            final StateFigures many = StateRun.run(5_000, 5_000, unmatched, settings(1));

            assertEquals(1, one.keys());
            assertEquals(5_000, one.rows());
            assertEquals(5_000, many.keys());
            assertEquals(5_000, many.rows());
            assertTrue(one.bytesPerRow() > RowImage.length(ID_LENGTH), one::toString);
        }
    }

    private static WorkloadFigures figures(final Workload workload)
    {
        return FIGURES.computeIfAbsent(workload.name(), (name) -> WorkloadRun.run(workload, settings(2)));
    }

    private static Workload workload(final String name)
    {
        return Workload.all().stream().filter((workload) -> workload.name().equals(name)).findFirst().orElseThrow();
    }

    /** Counts pairs by looking at all rows of a key; those whose second event belongs to the prefix don't count. */
    private static long pairs(final Workload workload, final int prefix)
    {
        final long lookNs = workload.lookEvents() * Workload.STEP_NS;
        final EventFeed feed = new EventFeed(workload, 1);
        final Map<Integer, List<Past>> pastOfKey = new HashMap<>();
        long pairs = 0;
        for (int i = 0; i < EVENTS; i++)
        {
            final long timeNs = feed.next().timeNs();
            final List<Past> past = pastOfKey.computeIfAbsent(feed.key(), (key) -> new ArrayList<>());
            if (i >= prefix)
            {
                for (final Past row : past)
                {
                    if (row.stream != feed.stream() && Math.abs(row.timeNs - timeNs) <= lookNs)
                    {
                        pairs++;
                    }
                }
            }
            past.add(new Past(feed.stream(), timeNs));
        }
        return pairs;
    }

    private static BenchSettings settings(final int rounds)
    {
        final PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream(), false, StandardCharsets.UTF_8);
        return new BenchSettings(EVENTS, rounds, 1, directory, nowhere);
    }
}
