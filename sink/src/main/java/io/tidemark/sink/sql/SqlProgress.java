package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

import io.tidemark.sink.AppliedChangeSets;
import io.tidemark.sink.ChangeSetCursor;

/**
 * What a database has applied: by slot the last change-set, by log the last record. Read when a connection is made;
 * written in the transaction of the rows.
 */
final class SqlProgress
{
    private static final class LogEnd
    {
        private long number = -1;
        private long digest;
        private long position;
        private long stored = -1;
    }

    private final AppliedChangeSets slots = new AppliedChangeSets();
    private final LogEnd changes = new LogEnd();
    private final LogEnd late = new LogEnd();

    static SqlProgress read(final Connection connection) throws SQLException
    {
        final SqlProgress progress = new SqlProgress();
        try (Statement statement = connection.createStatement())
        {
            try (ResultSet rows = statement.executeQuery("SELECT slot, position, ordinal, epoch, digest FROM progress"))
            {
                while (rows.next())
                {
                    progress.slots.load(
                        rows.getInt(1), rows.getLong(2), rows.getLong(3), rows.getLong(4), rows.getLong(5));
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT log, number, digest, position FROM log_progress"))
            {
                while (rows.next())
                {
                    final LogEnd end = rows.getString(1).equals("late") ? progress.late : progress.changes;
                    end.number = rows.getLong(2);
                    end.stored = end.number;
                    end.digest = rows.getLong(3);
                    end.position = rows.getLong(4);
                }
            }
        }
        connection.commit();
        return progress;
    }

    AppliedChangeSets.Verdict judge(final ChangeSetCursor changeSet)
    {
        return slots.judge(changeSet);
    }

    void changesAt(final long number, final long digest, final long position)
    {
        changes.number = number;
        changes.digest = digest;
        changes.position = position;
    }

    void lateAt(final long number, final long digest)
    {
        late.number = number;
        late.digest = digest;
    }

    long changeNumber()
    {
        return changes.number;
    }

    long changeDigest()
    {
        return changes.digest;
    }

    long position()
    {
        return changes.position;
    }

    long lateNumber()
    {
        return late.number;
    }

    long lateDigest()
    {
        return late.digest;
    }

    /** Writes what has changed, for the transaction to commit. */
    void write(final Connection connection) throws SQLException
    {
        try (PreparedStatement upsert = connection.prepareStatement(
            "INSERT INTO progress (slot, position, ordinal, epoch, digest) VALUES (?, ?, ?, ?, ?) ON CONFLICT (slot) " +
            "DO UPDATE SET position = excluded.position, ordinal = excluded.ordinal, epoch = excluded.epoch, " +
            "digest = excluded.digest"))
        {
            final int count = slots.drainTouched((slot, position, ordinal, epoch, digest) ->
            {
                upsert.setLong(1, slot);
                upsert.setLong(2, position);
                upsert.setLong(3, ordinal);
                upsert.setLong(4, epoch);
                upsert.setLong(5, digest);
                upsert.addBatch();
            });
            if (count > 0)
            {
                upsert.executeBatch();
            }
        }
        write(connection, "changes", changes);
        write(connection, "late", late);
    }

    /** Two sinks on one database must not both go on: who finds another number than it left is too late. */
    private static void write(final Connection connection, final String log, final LogEnd end) throws SQLException
    {
        if (end.number == end.stored)
        {
            return;
        }
        try (PreparedStatement update = connection.prepareStatement(
            "UPDATE log_progress SET number = ?, digest = ?, position = ? WHERE log = ? AND number = ?"))
        {
            update.setLong(1, end.number);
            update.setLong(2, end.digest);
            update.setLong(3, end.position);
            update.setString(4, log);
            update.setLong(5, end.stored);
            if (update.executeUpdate() != 1)
            {
                throw new SQLException("another sink has written to the database meanwhile");
            }
        }
        end.stored = end.number;
    }
}
