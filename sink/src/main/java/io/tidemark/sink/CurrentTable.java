package io.tidemark.sink;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The current table, made by applying change-sets in the order of the log. On the heap, some 250 bytes a row; one
 * thread at a time. A change-set that was applied before is skipped, so that a log can be read again from anywhere.
 */
public final class CurrentTable
{
    private static final Comparator<TableRow> PAIR_ORDER = Comparator
        .comparing((final TableRow row) -> pair(row).key())
        .thenComparing(row -> pair(row).left().time())
        .thenComparing(row -> pair(row).right().time())
        .thenComparing(row -> pair(row).left().id())
        .thenComparing(row -> pair(row).right().id())
        .thenComparing(row -> pair(row).left().revision())
        .thenComparing(row -> pair(row).right().revision());

    private static final Comparator<TableRow> UNMATCHED_ORDER = Comparator
        .comparing((final TableRow row) -> unmatched(row).key())
        .thenComparing(row -> unmatched(row).row().time())
        .thenComparing(row -> unmatched(row).row().id())
        .thenComparing(row -> unmatched(row).side())
        .thenComparing(row -> unmatched(row).row().revision());

    private static final Comparator<TableRow> SESSION_ORDER = Comparator
        .comparing((final TableRow row) -> session(row).key())
        .thenComparing(row -> session(row).start())
        .thenComparing(row -> session(row).rule());

    private final Map<Utf8, Map<RowId, TableRow>> rowsByKey = new HashMap<>();
    private final Map<Integer, ChangeSetIdentity> lastBySlot = new HashMap<>();
    private long skipped;

    /**
     * Applies a change-set. An insertion of a row id that is current replaces it.
     *
     * @param changeSet the next of its slot.
     * @throws TableException when it retracts a row that is not there, or another one than is there.
     */
    public void apply(final ChangeSet changeSet)
    {
        final ChangeSetIdentity identity = changeSet.identity();
        final ChangeSetIdentity last = lastBySlot.get(identity.slot());
        if (last != null && identity.isAtOrBelow(last))
        {
            skipped++;
            return;
        }
        final Map<RowId, TableRow> rows = rowsByKey.computeIfAbsent(changeSet.key(), key -> new HashMap<>());
        for (final Change change : changeSet.changes())
        {
            final RowId id = change.row().id();
            if (change.isInsertion())
            {
                rows.put(id, new TableRow(change.row(), changeSet.generation()));
            }
            else
            {
                retract(identity, change.row(), rows.remove(id));
            }
        }
        if (rows.isEmpty())
        {
            rowsByKey.remove(changeSet.key());
        }
        lastBySlot.put(identity.slot(), identity);
    }

    /**
     * Takes rows as they are, from a sink's table.
     *
     * @param row current there.
     */
    public void add(final TableRow row)
    {
        rowsByKey.computeIfAbsent(row.row().key(), key -> new HashMap<>()).put(row.row().id(), row);
    }

    private static void retract(final ChangeSetIdentity identity, final ResultRow retracted, final TableRow current)
    {
        if (current == null)
        {
            throw new TableException("change-set " + identity + " retracts a row that is not current: " + retracted +
                "; the change log is damaged or not from this engine");
        }
        if (!current.row().equals(retracted))
        {
            throw new TableException("change-set " + identity + " retracts " + retracted +
                ", but the row that was inserted is " + current.row() +
                "; the change log is damaged or not from this engine");
        }
    }

    /**
     * The matched pairs by key, left time, right time, left id, right id.
     *
     * @return a new list.
     */
    public List<TableRow> pairs()
    {
        return sorted(row -> row.row() instanceof PairRow, PAIR_ORDER);
    }

    /**
     * The unmatched rows by key, time and id.
     *
     * @return a new list.
     */
    public List<TableRow> unmatched()
    {
        return sorted(row -> row.row() instanceof UnmatchedRow, UNMATCHED_ORDER);
    }

    /**
     * The sessions by key and start.
     *
     * @return a new list.
     */
    public List<TableRow> sessions()
    {
        return sorted(row -> row.row() instanceof SessionRow, SESSION_ORDER);
    }

    /**
     * Takes the rows of one key out of the table.
     *
     * @param key to look up.
     * @return its rows by their identity, empty when it has none.
     */
    public Map<RowId, TableRow> remove(final Utf8 key)
    {
        final Map<RowId, TableRow> rows = rowsByKey.remove(key);
        return rows == null ? Map.of() : rows;
    }

    /**
     * Keys that have a row.
     *
     * @return a new list, sorted.
     */
    public List<Utf8> keys()
    {
        return rowsByKey.keySet().stream().sorted().toList();
    }

    /**
     * Change-sets that had been applied before.
     *
     * @return how many there were.
     */
    public long skipped()
    {
        return skipped;
    }

    private List<TableRow> sorted(final Predicate<TableRow> isWanted, final Comparator<TableRow> order)
    {
        final List<TableRow> sorted = new ArrayList<>();
        for (final Map<RowId, TableRow> rows : rowsByKey.values())
        {
            rows.values().stream().filter(isWanted).forEach(sorted::add);
        }
        sorted.sort(order);
        return sorted;
    }

    private static PairRow pair(final TableRow row)
    {
        return (PairRow)row.row();
    }

    private static SessionRow session(final TableRow row)
    {
        return (SessionRow)row.row();
    }

    private static UnmatchedRow unmatched(final TableRow row)
    {
        return (UnmatchedRow)row.row();
    }
}
