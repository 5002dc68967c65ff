package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

import io.tidemark.operator.spec.Rule;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.SourceRow;
import io.tidemark.sink.TableRow;
import io.tidemark.sink.UnmatchedRow;

/**
 * Compares the rows of the current table with those that there should be, key by key.
 */
final class TableComparison
{
    private static final int MOST_SORTED = 10_000;
    private static final String[] SIDES = {"left", "right"};
    private static final Comparator<ResultRow> ORDER = Comparator.comparing(TableComparison::describe);

    private final Differences pairs = new Differences();
    private final Differences unmatched = new Differences();
    private final Differences sessions = new Differences();
    private long expectedPairs;
    private long expectedUnmatched;
    private long expectedSessions;

    void compare(final Map<RowId, ResultRow> expected, final Map<RowId, TableRow> found)
    {
        final List<ResultRow> missing = new ArrayList<>();
        for (final ResultRow row : expected.values())
        {
            expectedPairs += row instanceof PairRow ? 1 : 0;
            expectedUnmatched += row instanceof UnmatchedRow ? 1 : 0;
            expectedSessions += row instanceof SessionRow ? 1 : 0;
            final TableRow current = found.get(row.id());
            if (current == null || !current.row().equals(row))
            {
                missing.add(row);
            }
        }
        final List<ResultRow> surplus = new ArrayList<>();
        for (final Map.Entry<RowId, TableRow> row : found.entrySet())
        {
            if (!expected.containsKey(row.getKey()))
            {
                surplus.add(row.getValue().row());
            }
        }
        for (final ResultRow row : inOrder(missing))
        {
            final TableRow current = found.get(row.id());
            differences(row).add(current == null ? "missing from the table: " + describe(row) :
                "should be " + describe(row) + ", but the table has " + describe(current.row()));
        }
        inOrder(surplus).forEach(
            row -> differences(row).add("in the table, but should not be: " + describe(row)));
    }

    /** Rows of a key that has no valid event. */
    void compareUnknown(final Map<RowId, TableRow> found)
    {
        compare(Map.of(), found);
    }

    /** The checks of the kinds of rows that a rule makes. */
    List<Check> checks(final Rule rule)
    {
        return rule instanceof SessionRule ?
            List.of(sessions.toCheck("sessions", count(expectedSessions, "session"))) :
            List.of(
            pairs.toCheck("pairs", count(expectedPairs, "pair")),
            unmatched.toCheck("unmatched rows", count(expectedUnmatched, "row")));
    }

    static String count(final long number, final String what)
    {
        return String.format(java.util.Locale.ROOT, "%,d %s%s", number, what, number == 1 ? "" : "s");
    }

    private Differences differences(final ResultRow row)
    {
        if (row instanceof SessionRow)
        {
            return sessions;
        }
        return row instanceof PairRow ? pairs : unmatched;
    }

    /** Few are shown; a key with so many wrong rows that sorting takes long shows any. */
    private static List<ResultRow> inOrder(final List<ResultRow> rows)
    {
        if (rows.size() <= MOST_SORTED)
        {
            rows.sort(ORDER);
        }
        return rows;
    }

    static String describe(final ResultRow row)
    {
        if (row instanceof final PairRow pair)
        {
            return "key " + pair.key() + ": left " + describe(pair.left()) + " with right " + describe(pair.right());
        }
        if (row instanceof final SessionRow session)
        {
            return "key " + session.key() + ": session from " + session.start() + " to " + session.end() + ", " +
                session.count() + " members, sum " + session.sum() + ", min " + session.min() + ", max " +
                session.max() + ", " + (session.isFinal() ? "final" : "provisional") + ", published at " +
                session.publication();
        }
        final UnmatchedRow alone = (UnmatchedRow)row;
        return "key " + alone.key() + ": " + SIDES[alone.side()] + " " + describe(alone.row()) + " unmatched, " +
            (alone.isFinal() ? "final" : "provisional");
    }

    private static String describe(final SourceRow row)
    {
        return row.id() + "@" + row.revision() + " (time " + row.time() + ", value " + row.value() + ", partition " +
            row.partition() + ", index " + row.index() + ")";
    }
}
