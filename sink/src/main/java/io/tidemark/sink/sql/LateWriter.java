package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.time.LocalDate;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.operator.spec.Times;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.LateStates;
import org.agrona.CloseHelper;

/**
 * Writes the table of late events.
 */
final class LateWriter implements AutoCloseable
{
    private final Connection connection;
    private final Topology topology;
    private final PreparedStatement insert;
    private final PreparedStatement update;
    private int pending;
    private long oldestOpen;
    private boolean isOldestKnown;

    LateWriter(final Connection connection, final Topology topology) throws SQLException
    {
        this.connection = connection;
        this.topology = topology;
        insert = connection.prepareStatement("INSERT INTO late (position, stream, source_partition, source_index, " +
            "kind, id, revision, key, time, acceptance_clock, reason, due, state) " +
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'waiting') ON CONFLICT (position) DO NOTHING");
        update = connection.prepareStatement("UPDATE late SET state = ? WHERE position = ?");
    }

    void apply(final LateEntry late) throws SQLException
    {
        insert.setLong(1, late.position());
        insert.setString(2, topology.streamName(late.stream()));
        insert.setLong(3, late.partition());
        insert.setLong(4, late.index());
        insert.setString(5, EventKind.nameOf(late.kind()));
        insert.setString(6, SqlText.of(late.id().bytes()));
        insert.setLong(7, late.revision());
        insert.setString(8, SqlText.of(late.key().bytes()));
        insert.setLong(9, late.time());
        if (late.acceptanceClock() == Times.MINUS_INFINITY)
        {
            insert.setNull(10, Types.BIGINT);
        }
        else
        {
            insert.setLong(10, late.acceptanceClock());
        }
        insert.setString(11, late.reason().text());
        insert.setString(12, LocalDate.ofEpochDay(late.dueDay()).toString());
        insert.addBatch();
        pending++;
        isOldestKnown = false;
    }

    /** Asked at rest, again and again; the database only when something has changed. */
    long oldestOpen() throws SQLException
    {
        if (!isOldestKnown)
        {
            try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                    "SELECT min(time), count(*) FROM late WHERE state IN ('waiting', 'failed')"))
            {
                row.next();
                oldestOpen = row.getLong(2) == 0 ? Long.MAX_VALUE : row.getLong(1);
            }
            connection.commit();
            isOldestKnown = true;
        }
        return oldestOpen;
    }

    /** Returns whether there was anything to write. */
    boolean flush() throws SQLException
    {
        if (pending == 0)
        {
            return false;
        }
        pending = 0;
        insert.executeBatch();
        return true;
    }

    /** Brings the states of late events up to what they are; returns whether all events of the table have been told. */
    boolean update(final LateStates states) throws SQLException
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
            final String before = shown.remove(position);
            if (before != null && !before.equals(state))
            {
                changed.put(position, state);
            }
        });
        for (final Map.Entry<Long, String> change : changed.entrySet())
        {
            update.setString(1, change.getValue());
            update.setLong(2, change.getKey());
            update.addBatch();
        }
        if (!changed.isEmpty())
        {
            isOldestKnown = false;
            update.executeBatch();
        }
        return shown.isEmpty();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(insert, update);
    }
}
