package io.tidemark.ops.command;

import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.stream.LongStream;

import io.tidemark.ingest.log.Log;
import io.tidemark.operator.Tally;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.worker.PagedOperatorFactory;
import io.tidemark.operator.worker.PipelineRuntime;
import io.tidemark.operator.worker.RuntimeContext;
import io.tidemark.ops.config.Configuration;
import io.tidemark.ops.config.DataFormat;
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
        final PipelineSpec spec = configuration.spec();
        new DataFormat(configuration).fixResults();
        final Path data = configuration.dataDirectory();
        runtime = PipelineRuntime.open(new RuntimeContext()
            .dataDirectory(data)
            .spec(spec)
            .live(isLive)
            .epochClock(SystemEpochClock.INSTANCE)
            .nanoClock(new SystemEpochNanoClock())
            .operatorFactory(new PagedOperatorFactory(data, spec, maxPages(spec))));
    }

    /** Whether an earlier run has left an order, which this one follows and compares its results with. */
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

    void until(final BooleanSupplier isStopped)
    {
        runtime.runUntil(isStopped);
    }

    void endOfInput()
    {
        runtime.endOfInput();
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
