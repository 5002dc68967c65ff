package io.tidemark.bench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * {@code tidemark bench}: benchmarks by name. Everything is made from a seed, so that two runs do the same work.
 */
@Command(
    name = "bench",
    mixinStandardHelpOptions = true,
    description = "Runs benchmarks, or lists them when none is named.")
public final class Bench implements Callable<Integer>
{
    private static final String ALL = "all";

    private final PrintStream out;
    private final PrintStream messages;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Benchmarks to run, or 'all'.")
    private List<String> names = new ArrayList<>();

    @Option(
        names = "--events",
        paramLabel = "N",
        defaultValue = "2000000",
        description = "Events a round; those that fill the window, a quarter at least, are not measured. Default: ${DEFAULT-VALUE}.")
    private int events;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "3",
        description = "Rounds of pipeline and floor, in turns. Default: ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1", description = "Of the events. Default: 1.")
    private long seed;

    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "Where to write, to the disk to be measured. Default: that of temporary files.")
    private Path directory;

    @Option(names = "--json", description = "Print JSON instead of tables.")
    private boolean json;

    Bench(final PrintStream out, final PrintStream messages)
    {
        this.out = out;
        this.messages = messages;
    }

    /**
     * Where the launcher starts.
     *
     * @param args names of benchmarks and options.
     */
    public static void main(final String[] args)
    {
        System.exit(execute(System.out, System.err, args));
    }

    static int execute(final PrintStream out, final PrintStream messages, final String... args)
    {
        return new CommandLine(new Bench(out, messages)).execute(args);
    }

    @Override
    public Integer call()
    {
        if (names.isEmpty())
        {
            list();
            return 0;
        }
        final BenchSettings settings = new BenchSettings(events, rounds, seed, directory, messages);
        printMachine();
        final List<WorkloadFigures> figures = new ArrayList<>();
        for (final Workload workload : Workload.all())
        {
            if (names.contains(ALL) || names.contains(workload.name()))
            {
                figures.add(WorkloadRun.run(workload, settings));
            }
        }
        new FigureTable(out).print(figures);
        return 0;
    }

    private void list()
    {
        for (final Workload workload : Workload.all())
        {
            out.printf(Locale.ROOT, "%-14s %s%n", workload.name(), workload.about());
        }
    }

    private void printMachine()
    {
        out.printf(Locale.ROOT, "%s, %d cores, load average %.1f, seed %d, %d events, %d rounds%n",
            Runtime.version(), Runtime.getRuntime().availableProcessors(),
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage(), seed, events, rounds);
    }
}
