package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.LateStates;
import org.agrona.CloseHelper;

/**
 * Turns changes into statements, many at a time, on one connection. A batch is folded ({@link TableBatch}) before it is
 * run, so that what came and went within it costs one row of the past.
 * <p>
 * A batch tells that something was refused, not what. Then the transaction is rolled back and done again with
 * {@code careful}: change by change.
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

    private static final int BATCH_CHANGES = 8_000;
    private static final String UNIQUE_VIOLATION = "23505";
    /** Its driver gives no SQL state, and codes of its own only sometimes; this text is always there. */
    private static final String SQLITE_CONSTRAINT = "UNIQUE constraint failed";

    private final RowValues values = new RowValues();
    private final Map<ResultTable, TableBatch> batches = new EnumMap<>(ResultTable.class);
    private final BulkWriter bulk;
    private final CarefulWriter careful;
    private final LateWriter late;
    private final PreparedStatement insertGeneration;
    private long newestGeneration;
    private int batched;

    SqlWriter(
        final Connection connection, final Dialect dialect, final Topology topology, final boolean isCareful)
        throws SQLException
    {
        bulk = dialect.bulkWriter(connection);
        careful = isCareful ? new CarefulWriter(connection, dialect) : null;
        late = new LateWriter(connection, topology);
        for (final ResultTable table : ResultTable.values())
        {
            batches.put(table, new TableBatch(table));
        }
        insertGeneration = connection.prepareStatement("INSERT INTO generations (generation, rule, first_position, " +
            "first_slot) VALUES (?, ?, ?, ?) ON CONFLICT (generation) DO NOTHING");
        try (Statement statement = connection.createStatement();
            ResultSet row = statement.executeQuery("SELECT coalesce(max(generation), 0) FROM generations"))
        {
            row.next();
            newestGeneration = row.getLong(1);
        }
    }

    /** Applies a change-set; returns its number of changes. */
    int apply(final ChangeSetCursor changeSet) throws SQLException
    {
        int changes = 0;
        while (changeSet.next())
        {
            apply(changeSet, changeSet.change());
            changes++;
            if (++batched >= BATCH_CHANGES)
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
        final String rowId = values.rowId(change);
        final ResultTable table = RowValues.tableOf(change);
        if (change.isRetraction())
        {
            final List<Object> content = values.content(change);
            if (careful != null)
            {
                careful.retract(table, changeSet, rowId, content);
            }
            else if (!batches.get(table).retract(
                new TableBatch.Retirement(rowId, content, changeSet.position(), changeSet.ordinal())))
            {
                throw new BatchRefusedException();
            }
            return;
        }
        final Object[] row = values.row(rowId, changeSet, change);
        if (careful != null)
        {
            careful.insert(table, changeSet, row);
        }
        else
        {
            batches.get(table).insert(row, changeSet.position(), changeSet.ordinal());
        }
    }

    void apply(final LateEntry entry) throws SQLException
    {
        late.apply(entry);
    }

    long newestGeneration()
    {
        return newestGeneration;
    }

    /** The earliest time of a late event that waits, or whose repair failed; the end of time where there is none. */
    long oldestOpenLate() throws SQLException
    {
        return late.oldestOpen();
    }

    /** Brings the states of late events up to what they are; returns whether all events of the table have been told. */
    boolean updateLate(final LateStates states) throws SQLException
    {
        return late.update(states);
    }

    /** Runs what is batched. */
    void flush() throws SQLException
    {
        batched = 0;
        for (final TableBatch batch : batches.values())
        {
            retire(batch);
        }
        for (final TableBatch batch : batches.values())
        {
            insert(batch);
            batch.clear();
        }
        if (late.flush())
        {
            CrashPoint.hit("sql.late-inserted");
        }
    }

    private void retire(final TableBatch batch) throws SQLException
    {
        final List<TableBatch.Retirement> retirements = batch.retirements();
        if (!retirements.isEmpty())
        {
            if (!bulk.retire(batch.table(), retirements))
            {
                throw new BatchRefusedException();
            }
            CrashPoint.hit("sql.rows-retracted");
        }
        final List<Object[]> past = batch.past();
        if (!past.isEmpty())
        {
            bulk.insertPast(batch.table(), past);
            CrashPoint.hit("sql.rows-kept-as-past");
        }
    }

    private void insert(final TableBatch batch) throws SQLException
    {
        final List<Object[]> insertions = batch.insertions();
        if (insertions.isEmpty())
        {
            return;
        }
        try
        {
            bulk.insert(batch.table(), insertions);
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

    @Override
    public void close()
    {
        CloseHelper.closeAll(bulk, late, insertGeneration);
    }
}
