package io.tidemark.operator.oracle;

import java.util.ArrayList;
import java.util.List;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;

/**
 * Section 2: how source logs that are all there from the start become one order.
 */
public final class TotalOrder
{
    private TotalOrder()
    {
    }

    /**
     * Merges source logs: the smallest arrival goes first, of equal ones the source that the configuration lists
     * first.
     *
     * @param sources the events of each source log, in the order of the configuration.
     * @return all events in their order.
     */
    public static List<FeedEvent> merge(final List<List<FeedEvent>> sources)
    {
        final int[] next = new int[sources.size()];
        final List<FeedEvent> order = new ArrayList<>();
        while (true)
        {
            int first = -1;
            for (int source = 0; source < next.length; source++)
            {
                final boolean isWaiting = next[source] < sources.get(source).size();
                if (isWaiting && (first < 0 || sources.get(source).get(next[source]).arrival() <
                    sources.get(first).get(next[first]).arrival()))
                {
                    first = source;
                }
            }
            if (first < 0)
            {
                return order;
            }
            order.add(sources.get(first).get(next[first]++));
        }
    }

    /**
     * Distributes a feed to the source logs it goes to; ticks go nowhere.
     *
     * @param settings the topology.
     * @param feed     events in order of arrival.
     * @return the events of each source log.
     */
    public static List<List<FeedEvent>> sources(final Settings settings, final Feed feed)
    {
        final List<List<FeedEvent>> sources = new ArrayList<>();
        for (int source = 0; source < settings.sources(); source++)
        {
            sources.add(new ArrayList<>());
        }
        for (final FeedEvent event : feed.events())
        {
            if (event.kind() != Kind.TICK)
            {
                sources.get(settings.source(event.stream(), event.partition())).add(event);
            }
        }
        return sources;
    }
}
