package io.tidemark.ingest.feed;

import io.tidemark.ingest.Topology;
import org.agrona.concurrent.EpochClock;
import org.agrona.concurrent.EpochNanoClock;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.SystemEpochNanoClock;
import org.agrona.concurrent.SystemNanoClock;

import java.io.InputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/**
 * What an import needs to know. The data directory and the topology have to be set; everything else has a default.
 * {@link #conclude()} checks it, once.
 */
public final class FeedImportContext
{
    private Path dataDirectory;
    private Topology topology;
    private FeedRules rules = new FeedRules(false);
    private final Map<String, ColumnMapping> mappingByStream = new HashMap<>();
    private boolean isAgain;
    private double speed;
    private InputStream standardInput = System.in;
    private PrintStream progressOut = System.err;
    private boolean isTerminal;
    private EpochClock cycleClock = SystemEpochClock.INSTANCE;
    private EpochNanoClock arrivalClock;
    private NanoClock nanoClock = SystemNanoClock.INSTANCE;
    private boolean isConcluded;

    /**
     * Checks the context; it cannot be changed after.
     *
     * @return this.
     * @throws IllegalStateException when something is missing, or it was concluded before.
     * @throws FeedException         when a stream is named that there is not, or the speed is none.
     */
    public FeedImportContext conclude()
    {
        checkOpen();
        if (dataDirectory == null || topology == null)
        {
            throw new IllegalStateException("an import needs a data directory and a topology");
        }
        for (final String stream : mappingByStream.keySet())
        {
            if (topology.streamIndex(stream) < 0)
            {
                throw FeedException.usage("Columns are mapped for a stream " + stream + " that there is not.");
            }
        }
        if (!(speed >= 0) || Double.isInfinite(speed))
        {
            throw FeedException.usage("A speed of " + speed + " is impossible; 1x replays feeds as they arrived.");
        }
        if (arrivalClock == null)
        {
            arrivalClock = new SystemEpochNanoClock();
        }
        isConcluded = true;
        return this;
    }

    /**
     * The speed that an option names.
     *
     * @param text such as {@code 1x} or {@code 0.5x}.
     * @return the factor.
     * @throws IllegalArgumentException saying what a speed looks like.
     */
    public static double speedNamed(final String text)
    {
        if (text.matches("\\d+(\\.\\d+)?x"))
        {
            final double factor = Double.parseDouble(text.substring(0, text.length() - 1));
            if (factor > 0 && !Double.isInfinite(factor))
            {
                return factor;
            }
        }
        throw new IllegalArgumentException("\"" + text + "\" is no speed; write 1x for as it was, 10x or 0.5x.");
    }

    /**
     * Directory of the pipeline's data, created where it does not exist.
     *
     * @param directory of the data.
     * @return this.
     */
    public FeedImportContext dataDirectory(final Path directory)
    {
        checkOpen();
        dataDirectory = directory;
        return this;
    }

    Path dataDirectory()
    {
        return dataDirectory;
    }

    /**
     * The streams there are.
     *
     * @param streams of the pipeline.
     * @return this.
     */
    public FeedImportContext topology(final Topology streams)
    {
        checkOpen();
        topology = streams;
        return this;
    }

    Topology topology()
    {
        return topology;
    }

    /**
     * What the rule of the pipeline says about events; default: no spans.
     *
     * @param feedRules of the pipeline.
     * @return this.
     */
    public FeedImportContext rules(final FeedRules feedRules)
    {
        checkOpen();
        rules = feedRules;
        return this;
    }

    FeedRules rules()
    {
        return rules;
    }

    /**
     * The names that the feeds of one stream use; default: Tidemark's.
     *
     * @param stream  by name.
     * @param mapping of its columns.
     * @return this.
     */
    public FeedImportContext mapping(final String stream, final ColumnMapping mapping)
    {
        checkOpen();
        mappingByStream.put(stream, mapping);
        return this;
    }

    ColumnMapping[] mappings()
    {
        final ColumnMapping[] mappings = new ColumnMapping[topology.streams()];
        for (int stream = 0; stream < mappings.length; stream++)
        {
            mappings[stream] = mappingByStream.getOrDefault(topology.streamName(stream), ColumnMapping.NONE);
        }
        return mappings;
    }

    /**
     * Whether a feed that was imported to its end, or is no longer what was imported, is appended whole once more.
     *
     * @param again default false.
     * @return this.
     */
    public FeedImportContext again(final boolean again)
    {
        checkOpen();
        isAgain = again;
        return this;
    }

    boolean again()
    {
        return isAgain;
    }

    /**
     * Replays by arrival, this many times as fast as it was; 0, the default, as fast as it goes.
     *
     * @param factor see {@link #speedNamed}.
     * @return this.
     */
    public FeedImportContext speed(final double factor)
    {
        checkOpen();
        speed = factor;
        return this;
    }

    double speed()
    {
        return speed;
    }

    /**
     * What the feed {@code -} reads; it is not closed.
     *
     * @param in default: that of the process.
     * @return this.
     */
    public FeedImportContext standardInput(final InputStream in)
    {
        checkOpen();
        standardInput = in;
        return this;
    }

    InputStream standardInput()
    {
        return standardInput;
    }

    /**
     * Where progress is reported.
     *
     * @param out      default: standard error.
     * @param terminal whether a person watches it on a terminal; default false.
     * @return this.
     */
    public FeedImportContext progress(final PrintStream out, final boolean terminal)
    {
        checkOpen();
        progressOut = out;
        isTerminal = terminal;
        return this;
    }

    Progress progressOf(final Feed feed, final long sizeBytes)
    {
        return new Progress(progressOut, isTerminal, nanoClock, feed.name(), sizeBytes);
    }

    /**
     * The clocks.
     *
     * @param cycles   picks the queue file of an append.
     * @param arrivals gives the arrival of events that bring none.
     * @param nanos    paces replays and progress.
     * @return this.
     */
    public FeedImportContext clocks(final EpochClock cycles, final EpochNanoClock arrivals, final NanoClock nanos)
    {
        checkOpen();
        cycleClock = cycles;
        arrivalClock = arrivals;
        nanoClock = nanos;
        return this;
    }

    EpochClock cycleClock()
    {
        return cycleClock;
    }

    EpochNanoClock arrivalClock()
    {
        return arrivalClock;
    }

    NanoClock nanoClock()
    {
        return nanoClock;
    }

    boolean isConcluded()
    {
        return isConcluded;
    }

    private void checkOpen()
    {
        if (isConcluded)
        {
            throw new IllegalStateException("the context is concluded");
        }
    }
}
