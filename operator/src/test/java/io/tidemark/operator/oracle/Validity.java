package io.tidemark.operator.oracle;

import java.util.EnumSet;
import java.util.Set;

import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.Outcome.RejectReason;

/**
 * Section 1: the rules that can be judged from an event alone.
 */
final class Validity
{
    private Validity()
    {
    }

    static Set<RejectReason> brokenRules(final Settings settings, final FeedEvent event)
    {
        final Set<RejectReason> broken = EnumSet.noneOf(RejectReason.class);
        if (event.isOfRow() && settings.maxAheadNs() != Settings.OFF &&
            event.time() > OracleTime.plus(event.arrival(), settings.maxAheadNs()))
        {
            broken.add(RejectReason.TOO_FAR_AHEAD);
        }
        if (event.kind() == Kind.UPSERT && settings.overlap())
        {
            if (event.start() == FeedEvent.NONE || event.end() == FeedEvent.NONE)
            {
                broken.add(RejectReason.NO_SPAN);
                return broken;
            }
            if (event.start() > event.time() || event.time() > event.end())
            {
                broken.add(RejectReason.SPAN_WITHOUT_TIME);
            }
            if (event.end() > event.start() &&
                OracleTime.furtherApartThan(settings.maxLengthNs(), event.end(), event.start()))
            {
                broken.add(RejectReason.TOO_LONG);
            }
            if (event.time() > event.start() &&
                OracleTime.furtherApartThan(settings.maxBeforeNs(), event.time(), event.start()))
            {
                broken.add(RejectReason.TOO_FAR_BEFORE);
            }
        }
        return broken;
    }
}
