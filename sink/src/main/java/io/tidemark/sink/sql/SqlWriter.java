package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.LateStates;
import io.tidemark.sink.TableException;
import org.agrona.CloseHelper;

/**
 * Turns changes into statements, many at a time, on one connection. Within a batch all retractions run before all
 * insertions, which is the same as the order of the log as long as a row id is at most retracted and then inserted:
 * before anything more is done to it the batch is run.
 * <p>
 * A batch tells that something was refused, not what. Then the transaction is rolled back and done again with
 * {@code careful}: change by change, where an insertion of a row id that is current replaces its row, and a retraction
 * that does not fit says so.
 */
final class SqlWriter implements AutoCloseable
{
    /** A batch did not fit the tables: roll back, and do it again change by change. */
    static final class BatchRefusedException extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }

    /** Carries a failure of the database through a callback. */
    static final class SqlFailure extends RuntimeException
    {
        private static final long serialVersionUID = 1;

        SqlFailure(final SQLException cause)
        {
            super(cause);
        }

        @Override
        public synchronized SQLException getCause()
        {
            return (SQLException)super.getCause();
        }
    }

    private static final int BATCH_CHANGES = 4_000;
    private static final String UNIQUE_VIOLATION = "23505";
    /** Its driver gives no SQL state, and codes of its own only sometimes; this text is always there. */
    private static final String SQLITE_CONSTRAINT = "UNIQUE constraint failed";

    private record Statements(
        PreparedStatement insert, PreparedStatement retire, PreparedStatement retireAny, PreparedStatement delete)
    {
    }

    private final Connection connection;
    private final Topology topology;
    private final boolean careful;
    private final RowBinder binder;
    private final Map<ResultTable, Statements> statements = new EnumMap<>(ResultTable.class);
    private final Map<ResultTable, int[]> batched = new EnumMap<>(ResultTable.class);
    private final Set<String> retracted = new HashSet<>();
    private final Set<String> inserted = new HashSet<>();
    private final PreparedStatement insertLate;
    private final PreparedStatement updateLate;
    private final PreparedStatement insertGeneration;
    private long newestGeneration;
    private int pendingLate;

    SqlWriter(
        final Connection connection, final Dialect dialect, final Topology topology, final boolean careful)
        throws SQLException
    {
        binder = new RowBinder(dialect);
        this.connection = connection;
        this.topology = topology;
        this.careful = careful;
        for (final ResultTable table : ResultTable.values())
        {
            statements.put(table, new Statements(
                connection.prepareStatement(table.insertStatement()),
                connection.prepareStatement(table.retireStatement()),
                connection.prepareStatement(table.retireAnyStatement()),
                connection.prepareStatement(table.deleteStatement())));
            batched.put(table, new int[2]);
        }
        insertLate = connection.prepareStatement("INSERT INTO late (position, stream, source_partition, " +
            "source_index, kind, id, revision, key, time, acceptance_clock, reason, due, state) " +
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting') ON CONFLICT (position) DO NOTHING");
        updateLate = connection.prepareStatement("UPDATE late SET state = ? WHERE position = ?");
        insertGeneration = connection.prepareStatement("INSERT INTO generations (generation, rule, first_position, " +
            "first_slot) VALUES (?, ?, ?, ?) ON CONFLICT (generation) DO NOTHING");
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT coalesce(max(generation), 0) FROM generations"))
        {
            row.next();
            newestGeneration = row.getLong(1);
        }
    }

    boolean isCareful()
    {
        return careful;
    }

    /** Applies a change-set; returns its number of changes. */
    int apply(final ChangeSetCursor changeSet) throws SQLException
    {
        int changes = 0;
        while (changeSet.next())
        {
            apply(changeSet, changeSet.change());
            changes++;
            if (retracted.size() + inserted.size() >= BATCH_CHANGES)
            {
                flush();
            }
        }
        if (changeSet.generation() > newestGeneration)
        {
            newestGeneration = changeSet.generation();
            insertGeneration.setLong(1, newestGeneration);
            insertGeneration.setLong(2, Integer.toUnsignedLong(changeSet.change().rule()));
            insertGeneration.setLong(3, changeSet.position());
            insertGeneration.setLong(4, changeSet.slot());
            insertGeneration.executeUpdate();
        }
        return changes;
    }

    private void apply(final ChangeSetCursor changeSet, final ChangeSetDecoder change) throws SQLException
    {
        final String rowId = binder.rowId(change);
        final ResultTable table = RowBinder.tableOf(change);
        final Statements sql = statements.get(table);
        if (careful || !fitsBatch(change, rowId))
        {
            flush();
            fitsBatch(change, rowId);
        }
        if (change.isRetraction())
        {
            bindRetirement(sql.retire, changeSet, rowId);
            binder.bindContent(sql.retire, 4, change);
            sql.delete.setString(1, rowId);
            if (careful)
            {
                retireNow(sql, changeSet, rowId, table);
                return;
            }
            sql.retire.addBatch();
            sql.delete.addBatch();
            batched.get(table)[0]++;
            return;
        }
        if (careful)
        {
            bindRetirement(sql.retireAny, changeSet, rowId);
            sql.retireAny.executeUpdate();
            sql.delete.setString(1, rowId);
            sql.delete.executeUpdate();
        }
        int at = binder.bindRow(sql.insert, 1, rowId, change);
        sql.insert.setLong(at++, changeSet.generation());
        sql.insert.setLong(at++, changeSet.position());
        sql.insert.setLong(at, changeSet.ordinal());
        sql.insert.addBatch();
        batched.get(table)[1]++;
    }

    /** What was retracted in a batch may be inserted after it, nothing else of the same row id. */
    private boolean fitsBatch(final ChangeSetDecoder change, final String rowId)
    {
        return change.isRetraction() ? !inserted.contains(rowId) && retracted.add(rowId) : inserted.add(rowId);
    }

    private static void bindRetirement(
        final PreparedStatement statement, final ChangeSetCursor changeSet, final String rowId) throws SQLException
    {
        statement.setLong(1, changeSet.position());
        statement.setLong(2, changeSet.ordinal());
        statement.setString(3, rowId);
    }

    private void retireNow(
        final Statements sql, final ChangeSetCursor changeSet, final String rowId, final ResultTable table)
        throws SQLException
    {
        if (sql.retire.executeUpdate() != 1)
        {
            final String current = describe(table, rowId);
            throw new TableException("change-set " + changeSet.identity() + " retracts " + rowId + (current == null ?
                ", which is not current" : ", but the row that was inserted has other content: " + current) +
                "; the change log is damaged, or the tables were changed by another hand");
        }
        sql.delete.executeUpdate();
    }

    private String describe(final ResultTable table, final String rowId) throws SQLException
    {
        try (PreparedStatement select = connection.prepareStatement(
            "SELECT " + ResultTable.names(table.content()) + " FROM " + table.tableName() + " WHERE row_id = ?"))
        {
            select.setString(1, rowId);
            try (ResultSet row = select.executeQuery())
            {
                if (!row.next())
                {
                    return null;
                }
                final StringBuilder text = new StringBuilder();
                for (final Column column : table.content())
                {
                    text.append(text.length() == 0 ? "" : ", ").append(column.name()).append(' ')
                        .append(row.getString(column.name()));
                }
                return text.toString();
            }
        }
    }

    void apply(final LateEntry late) throws SQLException
    {
        insertLate.setLong(1, late.position());
        insertLate.setString(2, topology.streamName(late.stream()));
        insertLate.setLong(3, late.partition());
        insertLate.setLong(4, late.index());
        insertLate.setString(5, EventKind.nameOf(late.kind()));
        insertLate.setString(6, SqlText.of(late.id().bytes()));
        insertLate.setLong(7, late.revision());
        insertLate.setString(8, SqlText.of(late.key().bytes()));
        insertLate.setLong(9, late.time());
        if (late.acceptanceClock() == Times.MINUS_INFINITY)
        {
            insertLate.setNull(10, Types.BIGINT);
        }
        else
        {
            insertLate.setLong(10, late.acceptanceClock());
        }
        insertLate.setString(11, late.reason().text());
        insertLate.setString(12, LocalDate.ofEpochDay(late.dueDay()).toString());
        insertLate.addBatch();
        pendingLate++;
    }

    long newestGeneration()
    {
        return newestGeneration;
    }

    /** Brings the states of late events up to what they are. */
    void updateLate(final LateStates states) throws SQLException
    {
        final Map<Long, String> shown = new HashMap<>();
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT position, state FROM late"))
        {
            while (row.next())
            {
                shown.put(row.getLong(1), row.getString(2));
            }
        }
        final Map<Long, String> changed = new TreeMap<>();
        states.forEach((position, state) ->
        {
            final String before = shown.get(position);
            if (before != null && !before.equals(state))
            {
                changed.put(position, state);
            }
        });
        for (final Map.Entry<Long, String> change : changed.entrySet())
        {
            updateLate.setString(1, change.getValue());
            updateLate.setLong(2, change.getKey());
            updateLate.executeUpdate();
        }
    }

    /** Runs what is batched. */
    void flush() throws SQLException
    {
        for (final Map.Entry<ResultTable, int[]> table : batched.entrySet())
        {
            final int[] counts = table.getValue();
            final Statements sql = statements.get(table.getKey());
            if (counts[0] > 0)
            {
                counts[0] = 0;
                requireOneEach(sql.retire.executeBatch());
                CrashPoint.hit("sql.rows-kept-as-past");
                sql.delete.executeBatch();
                CrashPoint.hit("sql.rows-retracted");
            }
        }
        for (final Map.Entry<ResultTable, int[]> table : batched.entrySet())
        {
            final int[] counts = table.getValue();
            if (counts[1] > 0)
            {
                counts[1] = 0;
                insert(statements.get(table.getKey()).insert);
            }
        }
        if (pendingLate > 0)
        {
            pendingLate = 0;
            insertLate.executeBatch();
            CrashPoint.hit("sql.late-inserted");
        }
        retracted.clear();
        inserted.clear();
    }

    private void insert(final PreparedStatement insert) throws SQLException
    {
        try
        {
            insert.executeBatch();
            CrashPoint.hit("sql.rows-inserted");
        }
        catch (final SQLException e)
        {
            if (isTaken(e))
            {
                throw new BatchRefusedException();
            }
            throw e;
        }
    }

    private static boolean isTaken(final SQLException e)
    {
        return UNIQUE_VIOLATION.equals(e.getSQLState()) || String.valueOf(e.getMessage()).contains(SQLITE_CONSTRAINT);
    }

    private static void requireOneEach(final int[] counts)
    {
        for (final int count : counts)
        {
            if (count != 1)
            {
                throw new BatchRefusedException();
            }
        }
    }

    @Override
    public void close()
    {
        statements.values().forEach(
            sql -> CloseHelper.closeAll(sql.insert, sql.retire, sql.retireAny, sql.delete));
        CloseHelper.closeAll(insertLate, updateLate, insertGeneration);
    }
}
