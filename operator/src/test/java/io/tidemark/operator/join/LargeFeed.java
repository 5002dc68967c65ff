package io.tidemark.operator.join;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.Settings.Unmatched;
import io.tidemark.ingest.fixture.SettingsBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Settings and a feed from one seed, in which one or two keys hold thousands of rows: they grow, are revised, moved and
 * withdrawn, then shrink from the front in small steps while more comes. Small feeds never have a tree of two leaves.
 */
final class LargeFeed
{
    private static final int SPAN = 3_000;

    private final Random random;
    private final Settings settings;
    private final List<FeedEvent> events = new ArrayList<>();
    private final List<FeedEvent> rows = new ArrayList<>();
    private final Shape shape;
    private final long reach;
    private final int keys;
    private long now;

    /** In which order rows come, by their times. */
    private enum Shape
    {
        GROWING, FALLING, RANDOM, ALL_AT_ONE, FEW_TIMES
    }

    LargeFeed(final long seed, final int size)
    {
        random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        shape = List.of(Shape.values()).get((int)(seed % Shape.values().length));
        reach = 1L + random.nextInt(random.nextInt(4) == 0 ? 200 : 12);
        keys = 1 + random.nextInt(2);
        settings = settings();
        while (events.size() < size * 2 / 3)
        {
            grow();
        }
        final long step = 1L + random.nextInt(40);
        while (events.size() < size)
        {
            shrink(step);
        }
    }

    Settings settings()
    {
        if (settings != null)
        {
            return settings;
        }
        final boolean overlap = random.nextBoolean();
        final SettingsBuilder builder = overlap ?
            Settings.overlapJoin().longest(reach, random.nextInt((int)reach + 1)) :
            Settings.intervalJoin().reach(reach, random.nextInt((int)reach + 1));
        final long lateness = random.nextInt(3) == 0 ? random.nextInt(200) : SPAN;
        builder.lateness(lateness).maxMove(random.nextInt(4) == 0 ? 0 : random.nextInt(SPAN / 2))
            .partitions(1 + random.nextInt(2), 1).joint(random.nextBoolean()).maxAhead(Settings.OFF)
            .unmatched(List.of(Unmatched.values()).get(random.nextInt(3)),
                random.nextInt(4) > 0, random.nextInt(4) > 0);
        if (random.nextInt(3) == 0)
        {
            builder.keyScope(random.nextInt(SPAN));
        }
        return builder.build();
    }

    Feed feed()
    {
        return Feed.of(events).thenEndOfInput(settings);
    }

    private void grow()
    {
        final int kind = random.nextInt(100);
        if (kind < 60 || rows.isEmpty())
        {
            add(fresh(nextTime()));
        }
        else if (kind < 97)
        {
            change();
        }
        else
        {
            promise(now - random.nextInt(SPAN));
        }
    }

    private void shrink(final long step)
    {
        final int kind = random.nextInt(100);
        if (kind < 40)
        {
            now += step;
            promise(now - SPAN / 2 + random.nextInt(20));
        }
        else if (kind < 60)
        {
            add(fresh(now - random.nextInt(SPAN)));
        }
        else
        {
            change();
        }
    }

    private long nextTime()
    {
        now += random.nextInt(3);
        return switch (shape)
        {
            case GROWING -> now;
            case FALLING -> SPAN - now;
            case RANDOM -> random.nextInt(SPAN);
            case ALL_AT_ONE -> random.nextInt(40) == 0 ? random.nextInt(SPAN) : 7;
            case FEW_TIMES -> random.nextInt(30) * (reach + 1) * 2;
        };
    }

    private FeedEvent fresh(final long time)
    {
        // Where all rows meet, one side is kept small, or there would be millions of pairs.
        final boolean isRare = shape == Shape.ALL_AT_ONE || shape == Shape.FEW_TIMES || reach > 12;
        final boolean isLeft = random.nextInt(isRare ? 60 : 2) == 0;
        final String stream = isLeft ? settings.left() : settings.right();
        final int partitions = settings.streams().get(settings.streamOf(settings.source(stream, 0))).partitions();
        return content(
            FeedLanguage.upsert(stream, OddNames.name(rows.size())).key(OddNames.name(random.nextInt(keys)))
            .partition(random.nextInt(partitions)), time);
    }

    private FeedEvent content(final FeedEvent row, final long time)
    {
        final FeedEvent upsert = new FeedEvent(
            Kind.UPSERT, row.stream(), row.partition(), row.key(), row.id(), row.revision(), time,
            FeedEvent.NONE, FeedEvent.NONE, random.nextInt(9), FeedEvent.NONE);
        if (!settings.overlap())
        {
            return upsert;
        }
        final long before = random.nextInt((int)settings.maxBeforeNs() + 1);
        return upsert.span(time - before, time + random.nextInt((int)(settings.maxLengthNs() - before) + 1));
    }

    private void change()
    {
        final int of = random.nextInt(rows.size());
        final FeedEvent row = rows.get(of);
        final FeedEvent next = row.revision(row.revision() + 1);
        final FeedEvent changed = switch (random.nextInt(8))
        {
            case 0, 1, 2 -> next.kind() == Kind.RETRACT ? content(next, next.time()) : next.retract();
            case 3 -> row.revision(Math.max(0, row.revision() - 1));
            case 4, 5 -> content(next, row.time());
            default -> content(next, row.time() + random.nextInt((int)settings.maxMoveNs() + 1) -
                settings.maxMoveNs() / 2);
        };
        rows.set(of, changed);
        events.add(changed);
    }

    private void promise(final long time)
    {
        final Settings.Stream stream = settings.streams().get(random.nextInt(2));
        for (int partition = 0; partition < stream.partitions(); partition++)
        {
            events.add(FeedLanguage.watermark(stream.name(), time).partition(partition));
        }
    }

    private void add(final FeedEvent event)
    {
        events.add(event);
        rows.add(event);
    }
}
