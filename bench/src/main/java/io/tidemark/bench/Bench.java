package io.tidemark.bench;

import io.tidemark.operator.spec.Unmatched;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;

/**
 * {@code tidemark bench}: benchmarks by name. Everything is made from a seed, so that two runs do the same work.
 */
@Command(
    name = "tidemark bench",
    subcommands = {JmhCommand.class, RecoveryCommand.class, SinksCommand.class},
    mixinStandardHelpOptions = true,
    description = "Runs benchmarks, or lists them when none is named.")
public final class Bench implements Callable<Integer>
{
    private static final String ALL = "all";
    private static final String STATE = "state";
    private static final String COST = "cost";
    private static final int COST_ROWS = 10_000_000;
    private static final int STATE_ROWS = 1_000_000;
    private static final int EVENTS = 2_000_000;
    /** Positions are kept in ints, and the least that gives a prefix and a rest. */
    private static final int FEWEST_EVENTS = 1_000;

    private final PrintStream out;
    private final PrintStream messages;

    @Spec
    private CommandLine.Model.CommandSpec command;

    @Parameters(paramLabel = "NAME", arity = "0..*", description = "Benchmarks to run, or 'all'.")
    private List<String> names = new ArrayList<>();

    @Option(
        names = "--events",
        paramLabel = "N",
        description = "Events a round (default: " + EVENTS + "). Those that fill the window, a quarter at least, " +
            "are not measured. Of 'state': rows (default: " + STATE_ROWS + "). Of 'cost': the most rows (default: " +
            COST_ROWS + ").")
    private int events;

    @Option(
        names = "--rounds",
        paramLabel = "N",
        defaultValue = "3",
        description = "Rounds of pipeline and floor, in turns (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
        names = "--seed",
        paramLabel = "N",
        defaultValue = "1",
        description = "Of the events (default: ${DEFAULT-VALUE}).")
    private long seed;

    @Option(
        names = "--dir",
        paramLabel = "DIR",
        description = "On the disk that is to be measured (default: that of temporary files).")
    private Path directory;

    @Option(names = "--json", description = "Print JSON with every round instead of tables.")
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
        return new CommandLine(new Bench(out, messages))
            .setOut(new PrintWriter(out, true, StandardCharsets.UTF_8))
            .setErr(new PrintWriter(messages, true, StandardCharsets.UTF_8))
            .execute(args);
    }

    @Override
    public Integer call()
    {
        if (names.isEmpty())
        {
            list();
            return 0;
        }
        check();
        final Report report =
            new Report(new BenchSettings(events == 0 ? EVENTS : events, rounds, seed, directory, messages));
        for (final Workload workload : Workload.all())
        {
            if (isAskedFor(workload.name()))
            {
                report.add(WorkloadRun.run(workload, report.settings()));
            }
        }
        if (isAskedFor(STATE))
        {
            runState(report, events == 0 ? STATE_ROWS : events);
        }
        if (isAskedFor(COST))
        {
            CostRun.all(events == 0 ? COST_ROWS : events, report.settings()).forEach(report::add);
        }
        if (json)
        {
            new FigureJson(out).print(report);
        }
        else
        {
            new FigureTable(out).print(report);
        }
        return 0;
    }

    private static void runState(final Report report, final int rows)
    {
        // once for the compiler
        StateRun.run(rows / 10, rows / 100, Unmatched.FINAL, report.settings());
        for (final Unmatched unmatched : new Unmatched[]{Unmatched.NONE, Unmatched.FINAL})
        {
            report.add(StateRun.run(rows, 1, unmatched, report.settings()));
            report.add(StateRun.run(rows, rows, unmatched, report.settings()));
        }
    }

    private boolean isAskedFor(final String name)
    {
        return names.contains(ALL) || names.contains(name);
    }

    private void check()
    {
        for (final String name : names)
        {
            if (!name.equals(ALL) && !name.equals(STATE) && !name.equals(COST) &&
                Workload.all().stream().noneMatch((workload) -> workload.name().equals(name)))
            {
                throw new ParameterException(command.commandLine(),
                    "There is no benchmark '" + name + "'; without a name they are listed.");
            }
        }
        if (events != 0 && events < FEWEST_EVENTS)
        {
            throw new ParameterException(command.commandLine(), "--events must be " + FEWEST_EVENTS + " or more.");
        }
        if (rounds < 1)
        {
            throw new ParameterException(command.commandLine(), "--rounds must be 1 or more.");
        }
    }

    private void list()
    {
        for (final Workload workload : Workload.all())
        {
            line(workload.name(), workload.about());
        }
        line(STATE, "bytes a row: 1,000,000 rows of one key, and of 1,000,000 keys one row each");
        line(COST, "one event as state grows: 1e3 to 1e7 rows in a key, 1e3 to 1e6 keys, for all three rules");
        line(ALL, "all of these");
        line("sinks", "changes a second into each sink, and its lag behind the change log at a steady rate");
        line("recovery", "checkpoints of a large state, and a start from the newest with a tail behind it");
        line("jmh [REGEX]", "single operations, with what they allocate");
    }

    private void line(final String name, final String about)
    {
        out.printf(Locale.ROOT, "%-14s %s%n", name, about);
    }
}
