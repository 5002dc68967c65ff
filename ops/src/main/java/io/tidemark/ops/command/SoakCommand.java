package io.tidemark.ops.command;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.tidemark.ops.Tidemark;
import org.agrona.concurrent.SystemEpochClock;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParentCommand;

/**
 * Kills real processes and looks whether it shows.
 */
@Command(
    name = "soak",
    description = {
        "Feeds a pipeline with random events while the processes that import and run them are killed (SIGKILL) at " +
        "random moments, several times each. Then nobody disturbs anything: the same feeds are imported once more, " +
        "and must give the same source logs; and those logs, copied, are run once more, and must give the same " +
        "order, change log, late and rejected events, byte for byte, and the state's digest.",
        "Exit code 3, and the data are kept, when anything differs."})
final class SoakCommand implements Callable<Integer>
{
    private static final int IMPORT_KILLS_PER_FEED = 2;
    private static final int RUN_KILLS_PER_FEED = 4;
    private static final long PATIENCE_S = 300;
    /** Now and then a process is not killed but asked to stop, which is none of the kills. */
    private static final int STOP_ONE_OF = 8;
    /** What the JVM says of itself when SIGTERM has ended it. */
    private static final int TERMINATED = 143;

    @ParentCommand
    private RootCommand root;

    @Parameters(index = "0", arity = "0..1", paramLabel = "DIR", description = "Where; a new temporary directory.")
    private Path directory;

    @Option(names = "--kills", defaultValue = "300", description = "How many kills; 300 unless given.")
    private int kills;

    @Option(names = "--events", defaultValue = "20000", description = "Events a feed; 20000 unless given.")
    private int events;

    @Option(names = "--seed", description = "Of events and moments; the clock's unless given.")
    private Long seed;

    private Random random;
    private int importKills;
    private int runKills;
    private int untouched;
    private int stops;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final long used = seed != null ? seed : SystemEpochClock.INSTANCE.time();
        random = new Random(used);
        final Path base = directory != null ? Files.createDirectories(directory) :
            Files.createTempDirectory("tidemark-soak-");
        root.console().note("soak in " + base + ", seed " + used);
        final Path killed = pipeline(base, "killed");
        final Path imported = pipeline(base, "imported");
        final Path repeated = pipeline(base, "repeated");
        final SoakFeed feed = new SoakFeed(used, events);
        final List<Path> feeds = new ArrayList<>();
        while (importKills + runKills < kills)
        {
            feeds.add(feed.next(base, feeds.size()));
            torture(killed, feeds.get(feeds.size() - 1));
            root.console().note(String.format(Locale.ROOT, "%,d of %,d kills, %,d events",
                importKills + runKills, kills, feed.written()));
        }
        finish(killed, "run", "--until-caught-up");
        for (final Path each : feeds)
        {
            finish(imported, "ingest", each.toString());
        }
        copyInputs(killed.resolve("data"), repeated.resolve("data"));
        finish(repeated, "run", "--until-caught-up");
        return compare(base, new SoakComparison(killed, imported, repeated), feed);
    }

    /** Results name records by their place in the source logs, which has the day of the import in it. */
    private static void copyInputs(final Path from, final Path to) throws IOException
    {
        final List<Path> files;
        try (Stream<Path> all = Files.walk(from.resolve("sources")))
        {
            files = new ArrayList<>(all.filter(Files::isRegularFile).toList());
        }
        files.add(from.resolve("format.json"));
        for (final Path file : files)
        {
            final Path copy = to.resolve(from.relativize(file).toString());
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy);
        }
    }

    private int compare(final Path base, final SoakComparison comparison, final SoakFeed feed)
    {
        final String difference = comparison.difference();
        final String what = String.format(Locale.ROOT,
            "%,d kills (%,d of imports, %,d of runs; %,d processes were stopped, %,d done before), %,d events",
            importKills + runKills, importKills, runKills, stops, untouched, feed.written());
        if (difference != null)
        {
            root.console().line(what + ": " + difference + "; the data are in " + base);
            return ExitCode.DONE_WITH_COMPLAINTS;
        }
        root.console().line(what + ": the same source logs, order, " +
            String.format(Locale.ROOT, "%,d", comparison.records()) +
            " records and state as without: " + comparison.stateDigest());
        return ExitCode.DONE;
    }

    private void torture(final Path pipeline, final Path feed) throws IOException, InterruptedException
    {
        for (int i = 0; i < IMPORT_KILLS_PER_FEED && importKills + runKills < kills; i++)
        {
            importKills += kill(pipeline, "ingest", feed.toString()) ? 1 : 0;
        }
        finish(pipeline, "ingest", feed.toString());
        for (int i = 0; i < RUN_KILLS_PER_FEED && importKills + runKills < kills; i++)
        {
            runKills += kill(pipeline, "run", "--until-caught-up") ? 1 : 0;
        }
    }

    private boolean kill(final Path pipeline, final String command, final String argument)
        throws IOException, InterruptedException
    {
        final Process process = start(pipeline, command, argument);
        // A JVM starts in some hundred milliseconds; most of what can go wrong lies behind that.
        final boolean ended = process.waitFor(100 + random.nextInt(1_500), TimeUnit.MILLISECONDS);
        if (!ended && random.nextInt(STOP_ONE_OF) == 0)
        {
            stop(pipeline, command, process);
            return false;
        }
        if (ended && process.exitValue() != 0)
        {
            throw failed(pipeline, command, process.exitValue());
        }
        process.destroyForcibly().waitFor();
        untouched += ended ? 1 : 0;
        return !ended;
    }

    /** Asks a process to stop: it ends in order, or as the JVM does that has not begun to work yet. */
    private void stop(final Path pipeline, final String command, final Process process) throws InterruptedException
    {
        process.destroy();
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new FailedException(command + " on " + pipeline + " does not stop; what it said is in " +
                said(pipeline));
        }
        if (process.exitValue() != 0 && process.exitValue() != TERMINATED)
        {
            throw failed(pipeline, command, process.exitValue());
        }
        stops++;
    }

    private void finish(final Path pipeline, final String command, final String argument)
        throws IOException, InterruptedException
    {
        final Process process = start(pipeline, command, argument);
        if (!process.waitFor(PATIENCE_S, TimeUnit.SECONDS))
        {
            process.destroyForcibly();
            throw new FailedException(command + " on " + pipeline + " has not ended for " + PATIENCE_S +
                " s; what it said is in " + said(pipeline));
        }
        if (process.exitValue() != 0)
        {
            throw failed(pipeline, command, process.exitValue());
        }
    }

    private static FailedException failed(final Path pipeline, final String command, final int exitCode)
    {
        return new FailedException(command + " on " + pipeline + " ended with exit code " + exitCode +
            "; what it said is in " + said(pipeline));
    }

    static Process start(final Path pipeline, final String command, final String argument) throws IOException
    {
        final List<String> line = new ArrayList<>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        line.add("-XX:TieredStopAtLevel=1");
        line.add("-Xshare:auto");
        for (final String flag : ManagementFactory.getRuntimeMXBean().getInputArguments())
        {
            if (flag.startsWith("--"))
            {
                line.add(flag);
            }
        }
        line.addAll(List.of("-cp", System.getProperty("java.class.path"), Tidemark.class.getName(), command, "-c",
            pipeline.resolve("tidemark.yaml").toString(), argument));
        return new ProcessBuilder(line).redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.to(said(pipeline).toFile())).start();
    }

    private static Path said(final Path pipeline)
    {
        return pipeline.resolve("last-process.log");
    }

    private static Path pipeline(final Path base, final String name) throws IOException
    {
        final Path pipeline = Files.createDirectories(base.resolve(name));
        Files.writeString(pipeline.resolve("tidemark.yaml"), SoakFeed.configuration());
        return pipeline;
    }
}
