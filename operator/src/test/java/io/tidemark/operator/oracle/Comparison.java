package io.tidemark.operator.oracle;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.tidemark.ingest.fixture.Feed;
import io.tidemark.ingest.fixture.FeedEvent;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.oracle.JoinUnderTest.Effect;
import io.tidemark.operator.oracle.JoinUnderTest.Emitted;

/**
 * Runs a join beside the oracle and stops at the first position at which they differ in anything: change-sets and
 * their order, late and rejected events, counters, clocks, and every few positions what is held.
 */
public final class Comparison
{
    private static final int CENSUS_EVERY = 7;

    private final Settings settings;
    private final int censusEvery;
    private final OracleUnderTest oracle;
    private final JoinUnderTest join;
    private final String[] names;
    private final Map<String, Integer> slots = new HashMap<>();
    private final TreeMap<String, ResultRow> table = new TreeMap<>(ResultRow::compareUtf8);

    private Comparison(final Settings settings, final JoinUnderTest join, final int censusEvery)
    {
        this.settings = settings;
        this.censusEvery = censusEvery;
        this.join = join;
        oracle = settings.session() == null ? new OracleJoin(settings) : new OracleSessions(settings);
        names = IntStream.range(0, settings.sources()).mapToObj(source -> "P " + source).toArray(String[]::new);
    }

    /**
     * Looks for a difference.
     *
     * @param settings the rule.
     * @param feed     what to feed.
     * @param joins    makes the join to compare with the oracle.
     * @return the first difference in words, or null when there is none.
     */
    public static String firstDifference(
        final Settings settings, final Feed feed, final Function<Settings, JoinUnderTest> joins)
    {
        return firstDifference(settings, feed, joins, CENSUS_EVERY);
    }

    /**
     * Looks for a difference, and every so many positions in what is held too, which takes the oracle long.
     *
     * @param settings    the rule.
     * @param feed        what to feed.
     * @param joins       makes the join to compare with the oracle.
     * @param censusEvery how many positions pass from one look at what is held to the next.
     * @return the first difference in words, or null when there is none.
     */
    public static String firstDifference(
        final Settings settings,
        final Feed feed,
        final Function<Settings, JoinUnderTest> joins,
        final int censusEvery)
    {
        try (JoinUnderTest join = joins.apply(settings))
        {
            return new Comparison(settings, join, censusEvery).run(feed);
        }
        catch (final RuntimeException | AssertionError failure)
        {
            final StringWriter trace = new StringWriter();
            failure.printStackTrace(new PrintWriter(trace));
            return trace.toString();
        }
    }

    private String run(final Feed feed)
    {
        for (final FeedEvent event : feed.events())
        {
            final Effect expected = oracle.next(event);
            final Effect actual = join.next(event);
            final long position = oracle.position();
            final boolean takesCensus = position % censusEvery == 0 || position == feed.size();
            final String difference = difference(expected, actual, takesCensus);
            if (difference != null)
            {
                return "position " + position + ", " + event + ": " + difference;
            }
        }
        return differs("final table", oracle.table(), table);
    }

    private String difference(final Effect expected, final Effect actual, final boolean takesCensus)
    {
        final List<String> differences = new ArrayList<>();
        differences.add(orderDifference(actual.changeSets()));
        differences.add(changeDifference(expected.changeSets(), actual.changeSets()));
        differences.add(differs("late", expected.late(), actual.late()));
        differences.add(rejectDifference(expected.rejected(), actual.rejected()));
        differences.add(differs("counters", oracle.counters(), join.counters()));
        differences.add(differs("clocks", clocks(oracle), clocks(join)));
        if (takesCensus)
        {
            differences.add(differs("census", oracle.census(), join.census()));
        }
        differences.removeIf(text -> text == null);
        return differences.isEmpty() ? null : String.join("\n", differences);
    }

    /** The direct change-set first, then slot by slot, in each the ordinals 1, 2, ...; a key has one slot. */
    private String orderDifference(final List<Emitted> emitted)
    {
        int slot = -1;
        long ordinal = 0;
        for (int i = 0; i < emitted.size(); i++)
        {
            final Emitted each = emitted.get(i);
            final boolean isDirect = each.ordinal() == 0;
            final boolean follows = isDirect ? i == 0 :
                each.slot() > slot ? each.ordinal() == 1 : each.slot() == slot && each.ordinal() == ordinal + 1;
            final Integer known = slots.putIfAbsent(each.changeSet().key(), each.slot());
            final boolean isOfItsSlot = known == null || known == each.slot();
            if (!follows || isDirect != each.changeSet().direct() || !isOfItsSlot)
            {
                return "identity of " + each + " in " + emitted;
            }
            slot = isDirect ? slot : each.slot();
            ordinal = each.ordinal();
            each.changeSet().retractions().forEach(row -> table.remove(row.rowId()));
            each.changeSet().insertions().forEach(row -> table.put(row.rowId(), row));
        }
        return null;
    }

    /** Per slot, since the order within a slot alone is fixed by the rows. */
    private String changeDifference(final List<Emitted> expected, final List<Emitted> actual)
    {
        final Map<String, List<ChangeSet>> expectedBySlot = new TreeMap<>();
        final Map<String, List<ChangeSet>> actualBySlot = new TreeMap<>();
        for (final Emitted each : expected)
        {
            final Integer slot = slots.get(each.changeSet().key());
            expectedBySlot.computeIfAbsent(group(each, slot), s -> new ArrayList<>()).add(each.changeSet());
        }
        for (final Emitted each : actual)
        {
            actualBySlot.computeIfAbsent(group(each, each.slot()), s -> new ArrayList<>()).add(each.changeSet());
        }
        return differs("change-sets", expectedBySlot, actualBySlot);
    }

    private static String group(final Emitted emitted, final Integer slot)
    {
        return emitted.ordinal() == 0 ? "direct" : "clock, slot " + slot;
    }

    /** Which of several broken rules is reported is left open. */
    private static String rejectDifference(
        final List<Outcome.Rejected> expected, final List<Outcome.Rejected> actual)
    {
        if (expected.isEmpty() && actual.isEmpty())
        {
            return null;
        }
        final boolean areSame = expected.size() == 1 && actual.size() == 1 &&
            expected.get(0).position() == actual.get(0).position() &&
            expected.get(0).source() == actual.get(0).source() &&
            expected.get(0).index() == actual.get(0).index() &&
            expected.get(0).reasons().containsAll(actual.get(0).reasons());
        return areSame ? null : "rejected:\n  expected " + expected + "\n  but was  " + actual;
    }

    private Map<String, Long> clocks(final JoinUnderTest of)
    {
        final Map<String, Long> clocks = new TreeMap<>();
        for (int source = 0; source < settings.sources(); source++)
        {
            clocks.put(names[source], of.partitionClock(source));
        }
        for (int side = 0; side < settings.inputs(); side++)
        {
            clocks.put(side == 0 ? "W left" : "W right", of.watermark(side));
            clocks.put(side == 0 ? "A left" : "A right", of.acceptance(side));
        }
        return clocks;
    }

    private static String differs(final String what, final Object expected, final Object actual)
    {
        return expected.equals(actual) ? null :
            what + ":\n  expected " + text(expected) + "\n  but was  " + text(actual);
    }

    private static String text(final Object object)
    {
        final StringBuilder text = new StringBuilder();
        if (object instanceof Map<?, ?> map)
        {
            map.forEach((name, value) -> text.append("\n    ").append(name).append(": ").append(text(value)));
        }
        else if (object instanceof List<?> list)
        {
            list.forEach(each -> text.append("\n      ").append(each));
        }
        else
        {
            text.append(object);
        }
        return text.toString();
    }
}
