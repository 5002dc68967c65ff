package io.tidemark.bench;

import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

import java.util.concurrent.Callable;

/**
 * {@code tidemark bench jmh}: benchmarks of single operations. {@code gc.alloc.rate.norm} is bytes an operation,
 * {@code cpu.norm} thread time.
 */
@Command(
    name = "jmh",
    mixinStandardHelpOptions = true,
    description = "Times single operations, and says what they allocate.")
final class JmhCommand implements Callable<Integer>
{
    @Parameters(
        paramLabel = "REGEX",
        arity = "0..1",
        defaultValue = ".*",
        description = "Of class and method names (default: all).")
    private String regex;

    @Option(
        names = "--forks",
        paramLabel = "N",
        defaultValue = "1",
        description = "JVMs for each benchmark; 0 runs in this one (default: ${DEFAULT-VALUE}).")
    private int forks;

    @Option(
        names = "--iterations",
        paramLabel = "N",
        defaultValue = "5",
        description = "Measured, after as many to warm up (default: ${DEFAULT-VALUE}).")
    private int iterations;

    @Option(
        names = "--millis",
        paramLabel = "N",
        defaultValue = "1000",
        description = "Length of an iteration (default: ${DEFAULT-VALUE}).")
    private int millis;

    @Override
    public Integer call() throws RunnerException
    {
        final ChainedOptionsBuilder options = new OptionsBuilder()
            .include(regex)
            .forks(forks)
            .warmupIterations(iterations)
            .warmupTime(TimeValue.milliseconds(millis))
            .measurementIterations(iterations)
            .measurementTime(TimeValue.milliseconds(millis))
            .shouldFailOnError(true)
            .addProfiler(GCProfiler.class)
            .addProfiler(CpuProfiler.class);
        new Runner(options.build()).run();
        return 0;
    }
}
