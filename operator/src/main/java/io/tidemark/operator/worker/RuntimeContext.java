package io.tidemark.operator.worker;

import io.tidemark.ingest.order.Sequencer;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.WatermarkSpec;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.IdleStrategy;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;

/**
 * What a {@link PipelineRuntime} is made of. Data directory, spec, operator and clocks must be given; nothing in this
 * module knows where to find a clock. {@link #conclude} checks it, once.
 */
public final class RuntimeContext
{
    private Path dataDirectory;
    private Path resultsDirectory;
    private Supplier<List<Path>> otherResults = List::of;
    private int firstGeneration = RepairPublications.FIRST_GENERATION;
    private PipelineSpec spec;
    private OperatorFactory operatorFactory;
    private EpochClock epochClock;
    private EpochNanoClock nanoClock;
    private IdleStrategy idleStrategy = new BackoffIdleStrategy();
    private long repairHorizonNs = Long.MAX_VALUE;
    private CheckpointSettings checkpoints = CheckpointSettings.ON_DEMAND;
    private PublicationHandlerFactory publicationFactory;
    private boolean live;
    private boolean concluded;

    /**
     * Under which source, order and control logs live.
     *
     * @param directory created where it does not exist.
     * @return this.
     */
    public RuntimeContext dataDirectory(final Path directory)
    {
        dataDirectory = directory;
        return this;
    }

    /**
     * Under which results live: change, late and reject logs, state, checkpoints and counters of one rule version.
     *
     * @param directory default: the data directory.
     * @return this.
     */
    public RuntimeContext resultsDirectory(final Path directory)
    {
        resultsDirectory = directory;
        return this;
    }

    /**
     * Under which results of other rule versions live that are made of the same logs and may go on: what their
     * checkpoints reach back to is kept.
     *
     * @param directories asked whenever old files could be taken away; default: none.
     * @return this.
     */
    public RuntimeContext otherResults(final Supplier<List<Path>> directories)
    {
        otherResults = directories;
        return this;
    }

    /**
     * The generation that the table begins with.
     *
     * @param generation default: 1.
     * @return this.
     */
    public RuntimeContext firstGeneration(final int generation)
    {
        firstGeneration = generation;
        return this;
    }

    /**
     * What decides the results.
     *
     * @param pipeline topology, rule and clocks.
     * @return this.
     */
    public RuntimeContext spec(final PipelineSpec pipeline)
    {
        spec = pipeline;
        return this;
    }

    /**
     * Makes the operator.
     *
     * @param factory is called once, and closed with the runtime.
     * @return this.
     */
    public RuntimeContext operatorFactory(final OperatorFactory factory)
    {
        operatorFactory = factory;
        return this;
    }

    /**
     * Picks the day of a log's file, and says when the process was last alive.
     *
     * @param clock of the system, or of a test.
     * @return this.
     */
    public RuntimeContext epochClock(final EpochClock clock)
    {
        epochClock = clock;
        return this;
    }

    /**
     * Gives ticks their time.
     *
     * @param clock of the system, or of a test.
     * @return this.
     */
    public RuntimeContext nanoClock(final EpochNanoClock clock)
    {
        nanoClock = clock;
        return this;
    }

    /**
     * What the thread does when there is nothing to do.
     *
     * @param strategy default: spin, yield, then park for up to a millisecond.
     * @return this.
     */
    public RuntimeContext idleStrategy(final IdleStrategy strategy)
    {
        idleStrategy = strategy;
        return this;
    }

    /**
     * Whether the run goes on until it is stopped, so that silence of a partition is noticed by the wall clock.
     *
     * @param isLive default: false, no ticks.
     * @return this.
     */
    public RuntimeContext live(final boolean isLive)
    {
        live = isLive;
        return this;
    }

    /**
     * When checkpoints are taken, and how.
     *
     * @param settings default: only when somebody asks for one.
     * @return this.
     */
    public RuntimeContext checkpoints(final CheckpointSettings settings)
    {
        checkpoints = settings;
        return this;
    }

    /**
     * Makes what turns publications into change-sets.
     *
     * @param factory default: {@link RepairPublications}.
     * @return this.
     */
    public RuntimeContext publicationFactory(final PublicationHandlerFactory factory)
    {
        publicationFactory = factory;
        return this;
    }

    /**
     * How far back from the largest time raw logs are kept for repairs.
     *
     * @param ns default: they are never taken away.
     * @return this.
     */
    public RuntimeContext repairHorizonNs(final long ns)
    {
        repairHorizonNs = ns;
        return this;
    }

    RuntimeContext conclude()
    {
        if (concluded)
        {
            throw new IllegalStateException("a context is for one runtime; make another");
        }
        concluded = true;
        if (dataDirectory == null || spec == null || operatorFactory == null)
        {
            throw new IllegalArgumentException("a runtime needs a data directory, a spec and an operator factory");
        }
        if (epochClock == null || nanoClock == null)
        {
            throw new IllegalArgumentException("a runtime needs a clock in milliseconds and one in nanoseconds");
        }
        return this;
    }

    Path dataDirectory()
    {
        return dataDirectory;
    }

    Path resultsDirectory()
    {
        return resultsDirectory == null ? dataDirectory : resultsDirectory;
    }

    Supplier<List<Path>> otherResults()
    {
        return otherResults;
    }

    PipelineSpec spec()
    {
        return spec;
    }

    OperatorFactory operatorFactory()
    {
        return operatorFactory;
    }

    EpochClock epochClock()
    {
        return epochClock;
    }

    EpochNanoClock nanoClock()
    {
        return nanoClock;
    }

    IdleStrategy idleStrategy()
    {
        return idleStrategy;
    }

    long repairHorizonNs()
    {
        return repairHorizonNs;
    }

    CheckpointSettings checkpoints()
    {
        return checkpoints;
    }

    PublicationHandlerFactory publicationFactory()
    {
        return publicationFactory != null ? publicationFactory : changes -> new RepairPublications(
            changes, spec.rule().version(), firstGeneration);
    }

    long tickAfterNs()
    {
        final long idleAfterNs = spec.watermark().idleAfterNs();
        return live && idleAfterNs != WatermarkSpec.NEVER ? idleAfterNs : Sequencer.NO_TICKS;
    }
}
