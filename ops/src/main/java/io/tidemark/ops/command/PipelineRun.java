package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.Tally;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RecoveryReport;
import io.tidemark.operator.worker.RuntimeContext;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.DataFormat;
import io.tidemark.ops.config.RuleTables;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemEpochNanoClock;

/**
 * A pipeline opened on the data directory of its configuration.
 */
final class PipelineRun implements AutoCloseable
{
    private static final long LEAST_PAGES = 1 << 16;

    private final Configuration configuration;
    private final PipelineRuntime runtime;

    /**
     * @param configuration of the pipeline.
     * @param isLive        whether it runs until it is stopped, so that silence is told by the wall clock.
     */
    PipelineRun(final Configuration configuration, final boolean isLive)
    {
        this.configuration = configuration;
        new DataFormat(configuration).fixResults();
        runtime = PipelineRuntime.open(context(configuration, configuration.resultsDirectory()).live(isLive));
    }

    /** What a pipeline is made of, with its state in a directory of its own or in the data directory. */
    static RuntimeContext context(final Configuration configuration, final Path stateDirectory)
    {
        final PipelineSpec spec = configuration.spec();
        return new RuntimeContext()
            .dataDirectory(configuration.dataDirectory())
            .resultsDirectory(configuration.resultsDirectory())
            .otherResults(() -> new RuleTables(configuration).goingOn())
            .firstGeneration(new RuleTables(configuration).firstGeneration())
            .spec(spec)
            .checkpoints(configuration.checkpoints())
            .repairHorizonNs(configuration.repairHorizonNs())
            .epochClock(SystemEpochClock.INSTANCE)
            .nanoClock(new SystemEpochNanoClock())
            .operatorFactory(new PagedOperatorFactory(stateDirectory, spec, maxPages(spec)));
    }

    /** Whether an earlier run has left an order. */
    static boolean hasEarlier(final Configuration configuration)
    {
        return Log.exists(configuration.dataDirectory().resolve(PipelineRuntime.ORDER));
    }

    /** Ends when all that the logs hold is processed, or when it is told to stop. */
    void untilCaughtUp(final BooleanSupplier isStopped)
    {
        long logged = logged();
        while (!isStopped.getAsBoolean() && tally().events() < logged)
        {
            final long goal = logged;
            runtime.runUntil(() -> isStopped.getAsBoolean() || tally().events() >= goal);
            logged = logged();
        }
        if (!isStopped.getAsBoolean())
        {
            runtime.runUntilCaughtUp();
        }
    }

    /** Ends when all is processed again that an earlier run had in its order. */
    void untilRepeated()
    {
        runtime.runUntil(() -> runtime.recovery().replayNs() != 0);
    }

    void until(final BooleanSupplier isStopped)
    {
        runtime.runUntil(isStopped);
    }

    void endOfInput()
    {
        runtime.endOfInput();
    }

    /** How the run began. */
    RecoveryReport recovery()
    {
        return runtime.recovery();
    }

    /** Takes a checkpoint, so that the next run begins where this one ends. */
    void checkpoint()
    {
        runtime.checkpoint();
    }

    long position()
    {
        return runtime.position();
    }

    Tally tally()
    {
        return runtime.operator().tally();
    }

    long rows()
    {
        return runtime.operator().rows();
    }

    @Override
    public void close()
    {
        runtime.close();
    }

    private long logged()
    {
        return LongStream.of(SourceCounts.of(configuration.dataDirectory(), configuration.topology())).sum();
    }

    /** A page holds one row at least; rows are what the configuration limits. */
    private static long maxPages(final PipelineSpec spec)
    {
        return Math.max(LEAST_PAGES, spec.maxRows());
    }
}
