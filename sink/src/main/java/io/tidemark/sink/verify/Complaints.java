package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import io.tidemark.sink.ResultRow;
import io.tidemark.sink.RowId;
import io.tidemark.sink.candidate.Draft;

/**
 * What is wrong with a draft, in words: the first of each kind of thing, and how many there are.
 */
final class Complaints
{
    private static final int KEPT = 20;

    private final List<String> first = new ArrayList<>();
    private long count;

    void add(final String complaint)
    {
        if (count++ < KEPT)
        {
            first.add(complaint);
        }
    }

    /** The table with the draft in it. A retraction repeats a current row; an insertion takes a place that is free. */
    Map<RowId, ResultRow> apply(final Draft draft, final Collection<ResultRow> table)
    {
        final Map<RowId, ResultRow> applied = new HashMap<>();
        table.forEach(row -> applied.put(row.id(), row));
        for (final ResultRow row : draft.retractions())
        {
            final ResultRow current = applied.remove(row.id());
            if (!row.equals(current))
            {
                add("retracts a row that is not current: " + RowText.of(row));
            }
        }
        for (final ResultRow row : draft.insertions())
        {
            if (applied.putIfAbsent(row.id(), row) != null)
            {
                add("inserts a row that is current: " + RowText.of(row));
            }
        }
        return applied;
    }

    void compare(final Map<RowId, ? extends ResultRow> expected, final Map<RowId, ? extends ResultRow> found)
    {
        expected.forEach((id, row) ->
        {
            final ResultRow there = found.get(id);
            if (!row.equals(there))
            {
                add(there == null ? "lacks " + RowText.of(row) :
                    "has " + RowText.of(there) + ", which should be " + RowText.of(row));
            }
        });
        found.forEach((id, row) ->
        {
            if (!expected.containsKey(id))
            {
                add("has a row that should not be: " + RowText.of(row));
            }
        });
    }

    void compareTotal(final String what, final Object claimed, final Object right)
    {
        if (!String.valueOf(claimed).equals(String.valueOf(right)))
        {
            add("its total of " + what + " is " + claimed + ", but should be " + right);
        }
    }

    List<String> list()
    {
        final List<String> list = new ArrayList<>(first);
        if (count > KEPT)
        {
            list.add("and " + (count - KEPT) + " more");
        }
        return list;
    }
}
