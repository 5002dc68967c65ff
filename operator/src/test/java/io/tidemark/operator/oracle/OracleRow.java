package io.tidemark.operator.oracle;

import java.util.LinkedHashSet;
import java.util.Set;

import io.tidemark.ingest.fixture.FeedEvent;

/**
 * A row with its current pairs, in the plainest form: a set of the rows at their other ends.
 */
final class OracleRow
{
    final int side;
    final String key;
    final long time;
    final long start;
    final long end;
    final RowImage image;
    final Set<OracleRow> partners = new LinkedHashSet<>();
    Published published = Published.NOT;
    private final FeedEvent event;

    enum Published
    {
        NOT, PROVISIONAL, FINAL
    }

    OracleRow(
        final FeedEvent event, final int side, final long start, final long end, final int stream, final long index)
    {
        this.event = event;
        this.side = side;
        this.key = event.key();
        this.time = event.time();
        this.start = start;
        this.end = end;
        image = new RowImage(
            event.id(), event.revision(), event.time(), event.value(), stream, event.partition(), index);
    }

    boolean intersects(final OracleRow other)
    {
        return start <= other.end && other.start <= end;
    }

    boolean hasInterval(final long otherStart, final long otherEnd)
    {
        return start == otherStart && end == otherEnd;
    }

    boolean hasContentOf(final FeedEvent other)
    {
        return event.time() == other.time() && event.start() == other.start() && event.end() == other.end() &&
            event.value() == other.value();
    }
}
