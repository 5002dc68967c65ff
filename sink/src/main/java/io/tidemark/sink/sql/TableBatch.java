package io.tidemark.sink.sql;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Changes of one table that wait to be run together, folded so that order among them matters no more: first the
 * retirements, then what is past already, then the insertions. What is inserted and retracted within a batch never
 * comes into the table of current rows, only into the past; so for each row id there is at most one retirement and at
 * most one insertion.
 */
final class TableBatch
{
    /**
     * A current row to be moved into the past.
     *
     * @param rowId    of it.
     * @param content  that it must have.
     * @param position of the change-set that retracts it.
     * @param ordinal  of the same.
     */
    record Retirement(String rowId, List<Object> content, long position, long ordinal)
    {
    }

    private final ResultTable table;
    private final int contentFrom;
    private final int contentTo;
    private final Map<String, Object[]> inserted = new HashMap<>();
    private final List<Retirement> retired = new ArrayList<>();
    private final Set<String> retiredIds = new HashSet<>();
    private final List<Object[]> past = new ArrayList<>();

    TableBatch(final ResultTable table)
    {
        this.table = table;
        contentFrom = 1 + table.identity().size();
        contentTo = contentFrom + table.content().size();
    }

    ResultTable table()
    {
        return table;
    }

    /** Returns false when it does not fit what the batch knows of the row. */
    boolean retract(final Retirement retirement)
    {
        final Object[] pending = inserted.remove(retirement.rowId());
        if (pending == null)
        {
            retired.add(retirement);
            return retiredIds.add(retirement.rowId());
        }
        past.add(pastRow(pending, retirement.position(), retirement.ordinal()));
        return Arrays.asList(pending).subList(contentFrom, contentTo).equals(retirement.content());
    }

    /** An insertion of a row id that the batch has inserted replaces that row. */
    void insert(final Object[] row, final long position, final long ordinal)
    {
        final Object[] pending = inserted.put((String)row[0], row);
        if (pending != null)
        {
            past.add(pastRow(pending, position, ordinal));
        }
    }

    private static Object[] pastRow(final Object[] row, final long position, final long ordinal)
    {
        final Object[] pastRow = Arrays.copyOf(row, row.length + ResultTable.retraction().size());
        pastRow[row.length] = position;
        pastRow[row.length + 1] = ordinal;
        return pastRow;
    }

    /** Sorted, so that neighbours of an index are touched together. */
    List<Retirement> retirements()
    {
        retired.sort(Comparator.comparing(Retirement::rowId));
        return retired;
    }

    /** Of the table of the past; sorted. */
    List<Object[]> past()
    {
        return sorted(past);
    }

    /** Sorted. */
    List<Object[]> insertions()
    {
        return sorted(inserted.values());
    }

    private static List<Object[]> sorted(final Collection<Object[]> rows)
    {
        final List<Object[]> sorted = new ArrayList<>(rows);
        sorted.sort(Comparator.comparing(row -> (String)row[0]));
        return sorted;
    }

    void clear()
    {
        inserted.clear();
        retired.clear();
        retiredIds.clear();
        past.clear();
    }
}
