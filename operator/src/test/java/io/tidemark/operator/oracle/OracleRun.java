package io.tidemark.operator.oracle;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;

/**
 * Feeds a feed to an oracle, position by position, in the order of the feed. An event's index is its ordinal in its
 * source log.
 */
public final class OracleRun
{
    private final Settings settings;
    private final Oracle oracle;
    private final long[] nextIndex;

    /** A run that has fed nothing. */
    public OracleRun(final Settings settings)
    {
        this.settings = settings;
        oracle = new Oracle(settings);
        nextIndex = new long[settings.sources()];
    }

    /** Feeds a whole feed. */
    public static Oracle of(final Settings settings, final Feed feed)
    {
        final OracleRun run = new OracleRun(settings);
        feed.events().forEach(run::next);
        return run.oracle;
    }

    /** Feeds one event or tick. */
    public void next(final FeedEvent event)
    {
        if (event.kind() == Kind.TICK)
        {
            oracle.tick(event.time());
        }
        else
        {
            oracle.event(event, nextIndex[settings.source(event.stream(), event.partition())]++);
        }
    }

    /** What it is fed to. */
    public Oracle oracle()
    {
        return oracle;
    }
}
