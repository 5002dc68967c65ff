package io.tidemark.operator.oracle;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;

/**
 * Makes a feed that fails as small as dropping events can make it.
 */
public final class Shrinker
{
    private Shrinker()
    {
    }

    /**
     * Drops events, many at a time at first, while the failure stays.
     *
     * @param feed  a feed that fails.
     * @param fails whether a feed fails.
     * @return a feed that fails, and no longer does without any one of its events.
     */
    public static Feed shrink(final Feed feed, final Predicate<Feed> fails)
    {
        List<FeedEvent> events = feed.events();
        for (int chunk = Math.max(1, events.size() / 2); chunk > 0; chunk /= 2)
        {
            boolean shrunk = true;
            while (shrunk)
            {
                shrunk = false;
                for (int from = events.size() - chunk; from >= 0; from -= chunk)
                {
                    final List<FeedEvent> rest = new ArrayList<>(events.subList(0, from));
                    rest.addAll(events.subList(from + chunk, events.size()));
                    if (fails.test(Feed.of(rest)))
                    {
                        events = rest;
                        from = Math.min(from, events.size());
                        shrunk = true;
                    }
                }
            }
        }
        return Feed.of(events);
    }
}
