package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.FeedEvent.Kind;
import io.tidemark.ingest.fixture.FeedLanguage;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.ingest.fixture.SettingsBuilder;
import io.tidemark.operator.oracle.ChangeSet;
import io.tidemark.operator.oracle.JoinUnderTest;
import io.tidemark.operator.oracle.Outcome;
import io.tidemark.operator.oracle.ResultRow;
import io.tidemark.operator.oracle.RowImage;

/**
 * A story told to a join, with what must come of it. Changes read {@code +(P1,S1)}, {@code -(P1r2,S1)},
 * {@code +(P1,∅)}, and {@code +(P1,∅)?} while provisional; of sessions {@code +[12:00,12:05]#2}, with
 * {@code =134} where the sum is not the count. Those of fillers are left out.
 */
public final class Scenario implements AutoCloseable
{
    private final Settings settings;
    private final JoinUnderTest join;
    private final List<ChangeSet> changeSets = new ArrayList<>();
    private final List<String> changes = new ArrayList<>();
    private final List<String> late = new ArrayList<>();
    private final List<String> rejected = new ArrayList<>();
    private long lastArrival = FeedLanguage.time("12:00") - 1;

    Scenario(final Joins joins, final SettingsBuilder builder)
    {
        this(builder.build(), joins::open);
    }

    /** A story with these settings, told to what the function makes. */
    public Scenario(final Settings settings, final Function<Settings, JoinUnderTest> joins)
    {
        this.settings = settings;
        join = joins.apply(settings);
    }

    /** The settings under which FAULTS.md tells its stories. */
    static SettingsBuilder faults()
    {
        return Settings.intervalJoin().joint(true);
    }

    /** These events come next. */
    public Scenario feed(final FeedEvent... events)
    {
        return feed(Arrays.asList(events));
    }

    /** These events come next. */
    public Scenario feed(final List<FeedEvent> events)
    {
        for (final FeedEvent event : Feed.after(lastArrival, events).events())
        {
            lastArrival = event.kind() == Kind.TICK ? lastArrival : event.arrival();
            next(event);
        }
        return this;
    }

    /** Fillers of other keys carry every clock to a time. */
    public Scenario clock(final String time)
    {
        return feed(Feed.clock(settings, FeedLanguage.time(time)));
    }

    /** Promises of all partitions carry every clock to a time; unlike fillers they leave no rows behind. */
    public Scenario promise(final String time)
    {
        return promise(FeedLanguage.time(time));
    }

    /** Promises of all partitions carry every clock to a time, in nanoseconds. */
    public Scenario promise(final long timeNs)
    {
        for (final Settings.Stream stream : settings.streams())
        {
            for (int p = 0; p < stream.partitions(); p++)
            {
                feed(FeedLanguage.watermark(stream.name(), timeNs).partition(p));
            }
        }
        return this;
    }

    /** Exactly these changes came since this was last asked. */
    public Scenario expect(final String... expected)
    {
        assertEquals(List.of(expected), List.copyOf(changes));
        changes.clear();
        return this;
    }

    /** Exactly so many changes came since this was last asked. */
    public Scenario expectChanges(final int expected)
    {
        assertEquals(expected, changes.size());
        changes.clear();
        return this;
    }

    /** The ids of all late events so far. */
    public Scenario expectLate(final String... ids)
    {
        assertEquals(List.of(ids), late);
        return this;
    }

    /** The ids of all rejected events so far. */
    public Scenario expectRejected(final String... ids)
    {
        assertEquals(List.of(ids), rejected);
        return this;
    }

    /** What is held, of all keys. */
    public Scenario expectHeld(final int open, final int ghosts, final int records)
    {
        final Outcome.Census census = join.census();
        assertEquals(
            List.of((long)open, (long)ghosts, (long)records),
            List.of(census.open(), census.ghosts(), census.records()), "open, ghosts, records");
        return this;
    }

    /** W(s) of a stream; null while it has not started. */
    public Scenario expectWatermark(final String stream, final String time)
    {
        final long expected = time == null ? Long.MIN_VALUE : FeedLanguage.time(time);
        assertEquals(text(expected), text(join.watermark(settings.sideOf(settings.source(stream, 0)))));
        return this;
    }

    /** The counters so far. */
    public Outcome.Counters counters()
    {
        return join.counters();
    }

    /** All change-sets so far, fillers' included. */
    public List<ChangeSet> changeSets()
    {
        return changeSets;
    }

    @Override
    public void close()
    {
        join.close();
    }

    private void next(final FeedEvent event)
    {
        final JoinUnderTest.Effect effect = join.next(event);
        for (final JoinUnderTest.Emitted emitted : effect.changeSets())
        {
            changeSets.add(emitted.changeSet());
            if (!emitted.changeSet().key().startsWith("filler"))
            {
                emitted.changeSet().retractions().forEach(row -> changes.add("-" + text(row)));
                emitted.changeSet().insertions().forEach(row -> changes.add("+" + text(row)));
            }
        }
        effect.late().forEach(each -> late.add(event.id()));
        effect.rejected().forEach(each -> rejected.add(event.id()));
    }

    private static String text(final ResultRow row)
    {
        if (row instanceof ResultRow.Session session)
        {
            return "[" + timeOfDay(session.start()) + "," + timeOfDay(session.end()) + "]#" + session.count() +
                (session.sum().equals(BigInteger.valueOf(session.count())) ? "" : "=" + session.sum()) +
                (session.isFinal() ? "" : "?");
        }
        if (row instanceof ResultRow.Pair pair)
        {
            return "(" + text(pair.left()) + "," + text(pair.right()) + ")";
        }
        final ResultRow.Unmatched unmatched = (ResultRow.Unmatched)row;
        return (unmatched.side() == Settings.LEFT ? "(" + text(unmatched.row()) + ",∅)" :
            "(∅," + text(unmatched.row()) + ")") + (unmatched.isFinal() ? "" : "?");
    }

    private static String timeOfDay(final long time)
    {
        return Instant.EPOCH.plus(time, ChronoUnit.NANOS).atOffset(ZoneOffset.UTC).toLocalTime().toString();
    }

    private static String text(final RowImage row)
    {
        return row.id() + (row.revision() == 0 ? "" : "r" + row.revision());
    }

    private static String text(final long time)
    {
        return time == Long.MIN_VALUE ? "null" : time == Long.MAX_VALUE ? "end" : FeedLanguage.iso(time);
    }
}
