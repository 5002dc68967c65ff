package io.tidemark.operator.oracle;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.RowName;
import io.tidemark.ingest.fixture.Settings;

/**
 * The other side of the Law of section 6, without clocks, order or state: the join of the highest revisions of all
 * rows. It is the final table of every orderly feed once its input has ended.
 */
public final class BruteForce
{
    /** An event with its place in its source log. */
    private record Placed(FeedEvent event, int side, RowImage image)
    {
    }

    private final Settings settings;
    private final Map<RowName, Placed> highest = new LinkedHashMap<>();

    private BruteForce(final Settings settings, final Feed feed)
    {
        this.settings = settings;
        final Map<Integer, Long> nextIndex = new HashMap<>();
        for (final FeedEvent event : feed.events())
        {
            if (event.kind() != Kind.TICK)
            {
                final int source = settings.source(event.stream(), event.partition());
                final long index = nextIndex.merge(source, 1L, Long::sum) - 1;
                if (event.isOfRow())
                {
                    final RowImage image = new RowImage(event.id(), event.revision(), event.time(), event.value(),
                        settings.streamOf(source), event.partition(), index);
                    highest.merge(event.row(), new Placed(event, settings.sideOf(source), image),
                        (a, b) -> isHigher(b.event, a.event) ? b : a);
                }
            }
        }
        highest.values().removeIf(placed -> placed.event.kind() == Kind.RETRACT);
    }

    /**
     * The final table of a feed in which nothing is late, rejected or in conflict and no promise is broken.
     *
     * @param settings the rule.
     * @param feed     all events, in any order.
     * @return rows by row id.
     */
    public static TreeMap<String, ResultRow> finalTable(final Settings settings, final Feed feed)
    {
        return new BruteForce(settings, feed).table();
    }

    private TreeMap<String, ResultRow> table()
    {
        final TreeMap<String, ResultRow> table = new TreeMap<>(ResultRow::compareUtf8);
        for (final Placed one : highest.values())
        {
            boolean isMatched = false;
            for (final Placed other : highest.values())
            {
                if (one.side != other.side && (one.side == 0 ? match(one, other) : match(other, one)))
                {
                    isMatched = true;
                    final ResultRow pair = one.side == 0 ? pair(one, other) : pair(other, one);
                    table.put(pair.rowId(), pair);
                }
            }
            if (!isMatched && settings.publishesUnmatched(one.side))
            {
                final ResultRow row = new ResultRow.Unmatched(
                    settings.ruleVersion(), one.event.key(), one.side, one.image, true);
                table.put(row.rowId(), row);
            }
        }
        return table;
    }

    private ResultRow pair(final Placed left, final Placed right)
    {
        return new ResultRow.Pair(settings.ruleVersion(), left.event.key(), left.image, right.image);
    }

    private boolean match(final Placed left, final Placed right)
    {
        final FeedEvent l = left.event;
        final FeedEvent r = right.event;
        if (!l.key().equals(r.key()))
        {
            return false;
        }
        return settings.overlap() ? l.start() <= r.end() && r.start() <= l.end() :
            OracleTime.minus(l.time(), settings.lookBackNs()) <= r.time() &&
            r.time() <= OracleTime.plus(l.time(), settings.lookAheadNs());
    }

    private static boolean isHigher(final FeedEvent event, final FeedEvent than)
    {
        return event.revision() != than.revision() ? event.revision() > than.revision() :
            event.kind() == Kind.RETRACT && than.kind() == Kind.UPSERT;
    }
}
