package io.tidemark.operator.worker;

import io.tidemark.ingest.fixture.CrashProcess;
import io.tidemark.ingest.fixture.CrashVictims;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Processes that are halted while they take old queue files away: the next one finishes it, and nothing shows. */
class PruneCrashTest
{
    private static final List<String> PLACES = List.of(
        "cycles.before-mark:1", "cycles.before-delete:1", "cycles.mid-delete:1", "cycles.mid-delete:2",
        "cycles.mid-delete:5",
        "cycles.after-delete:1");
    private static final long HORIZON_NS = 2 * DayPipeline.DAY_NS;
    private static final int DAYS = 7;

    @TempDir
    Path directory;

    /** The process that is halted. */
    static final class Child
    {
        private Child()
        {
        }

        /**
         * Runs.
         *
         * @param args day; then of each pipeline in turn its data directory and its place.
         */
        public static void main(final String[] args)
        {
            final int day = Integer.parseInt(args[0]);
            final CrashVictims victims = new CrashVictims();
            for (int i = 1; i < args.length; i += 2)
            {
                final DayPipeline pipeline = new DayPipeline(Path.of(args[i]), HORIZON_NS);
                victims.add(args[i + 1], () -> pipeline.run(day));
            }
            victims.runAndHalt();
        }
    }

    @Test
    void shouldFinishWhereverItsProcessIsHalted() throws IOException, InterruptedException
    {
        final DayPipeline undisturbed = new DayPipeline(directory.resolve("undisturbed"), Long.MAX_VALUE);
        for (int day = 0; day < DAYS - 1; day++)
        {
            undisturbed.append(day).run(day);
        }
        undisturbed.append(DAYS - 1);
        final List<DayPipeline> halted = new ArrayList<>();
        final List<String> arguments = new ArrayList<>(List.of(Integer.toString(DAYS - 1)));
        for (final String place : PLACES)
        {
            final Path data = directory.resolve("halted-" + halted.size());
            SparseCopy.copy(directory.resolve("undisturbed"), data);
            halted.add(new DayPipeline(data, HORIZON_NS));
            arguments.addAll(List.of(data.toString(), place));
        }
        assertEquals(Set.of(true),
            Set.copyOf(CrashProcess.run(directory.resolve("child.log"), Child.class, arguments)));
        undisturbed.run(DAYS - 1);
        undisturbed.append(DAYS).run(DAYS);
        for (final DayPipeline pipeline : halted)
        {
            pipeline.run(DAYS - 1);
            pipeline.append(DAYS).run(DAYS);
            assertEquals(Set.of("[5, 6, 7]"), Set.copyOf(pipeline.days().values()));
            assertEquals(undisturbed.outcome(), pipeline.outcome());
        }
    }
}
