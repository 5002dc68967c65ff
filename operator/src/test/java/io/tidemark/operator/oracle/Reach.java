package io.tidemark.operator.oracle;

import static io.tidemark.operator.oracle.OracleTime.minus;
import static io.tidemark.operator.oracle.OracleTime.plus;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;

/**
 * The intervals of rows, section 4.
 *
 * @param settings the rule.
 */
record Reach(Settings settings)
{
    /** The largest possible time - start of a side. */
    long before(final int side)
    {
        return settings.overlap() ? settings.maxBeforeNs() : side == 0 ? settings.lookBackNs() : 0;
    }

    /** Where the interval of an upsert's row starts. */
    long start(final FeedEvent event, final int side)
    {
        return settings.overlap() ? event.start() : minus(event.time(), before(side));
    }

    /** Where it ends; both belong to it. */
    long end(final FeedEvent event, final int side)
    {
        return settings.overlap() ? event.end() :
            side == 0 ? plus(event.time(), settings.lookAheadNs()) : event.time();
    }
}
