package io.tidemark.ingest.feed;

import io.tidemark.ingest.Topology;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Appends feeds to the source logs of a pipeline: what {@code tidemark ingest} does. All files are looked at before the
 * first is appended, so that a mistyped name or column changes nothing. Each feed is an ingest run of its own: its
 * arrivals are made strictly increasing, those of different feeds are not compared.
 * <p>
 * An import that was interrupted, at whatever instant, goes on where it stopped when it is run again; one that is
 * finished appends nothing (see the package description). {@link #stop()} may be called by any thread, all else by one.
 */
public final class FeedImport
{
    private final FeedImportContext context;
    private volatile boolean isStopped;

    /**
     * @param context concluded here if it is not yet.
     */
    public FeedImport(final FeedImportContext context)
    {
        this.context = context.isConcluded() ? context : context.conclude();
    }

    /**
     * Takes in feeds, one after the other.
     *
     * @param feeds in this order.
     * @return what became of them.
     * @throws FeedException                              when one of them is no feed, is not what was imported under
     *                                                    its name, or cannot be read to its end. Those before it, and
     *                                                    its lines before the trouble, are appended.
     * @throws io.tidemark.ingest.log.LogException        when a log cannot be opened, such as one another process
     *                                                    appends to.
     */
    public ImportResult run(final List<Feed> feeds)
    {
        if (feeds.stream().filter(Feed::isStandardInput).count() > 1)
        {
            throw FeedException.usage("Standard input can be read once only; name it once.");
        }
        for (final Feed feed : feeds)
        {
            look(feed);
        }
        final List<FeedResult> results = new ArrayList<>();
        for (final Feed feed : feeds)
        {
            if (!isStopped)
            {
                results.add(take(feed));
            }
        }
        return new ImportResult(List.copyOf(results));
    }

    /**
     * Ends the import after the event in hand; running it again goes on from there.
     */
    public void stop()
    {
        isStopped = true;
    }

    boolean isStopped()
    {
        return isStopped;
    }

    /** Whatever can be said of a file without changing anything. A pipe can be read once only, so it has to wait. */
    private void look(final Feed feed)
    {
        final FeedTarget target = targetOf(feed);
        FeedInput.checkFile(feed);
        if (!feed.isFile())
        {
            return;
        }
        try (FeedInput input = FeedInput.open(feed, context.standardInput()))
        {
            // The first row as well: of JSON Lines it tells what the header of CSV does.
            ImportSession.readerOf(feed, input, input.lines(), target).next();
        }
        catch (final IOException ex)
        {
            throw FeedInput.unreadable(feed, 0, ex);
        }
    }

    private FeedResult take(final Feed feed)
    {
        try (FeedInput input = FeedInput.open(feed, context.standardInput());
            ImportStore store = ImportStore.open(context))
        {
            return new ImportSession(this, context, feed, targetOf(feed), input, store).run();
        }
    }

    private FeedTarget targetOf(final Feed feed)
    {
        final Topology topology = context.topology();
        int onlyStream = FeedTarget.ANY_STREAM;
        if (feed.stream() != null)
        {
            onlyStream = topology.streamIndex(feed.stream());
            if (onlyStream < 0)
            {
                final List<String> names = new ArrayList<>();
                for (int stream = 0; stream < topology.streams(); stream++)
                {
                    names.add(topology.streamName(stream));
                }
                throw FeedException.usage("There is no stream " + feed.stream() + "; there are " +
                    String.join(", ", names) + ".");
            }
        }
        return new FeedTarget(topology, context.rules(), context.mappings(), onlyStream);
    }
}
