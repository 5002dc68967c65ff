package io.tidemark.sink.sql;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.TableException;

/**
 * What a database has applied: by slot the last change-set, by log the last record. Read when a connection is made;
 * written in the transaction of the rows.
 */
final class SqlProgress
{
    /** What becomes of a change-set. */
    enum Verdict
    {
        /** It is next. */
        APPLY,
        /** It was applied before. */
        SKIP,
        /** Its slot has a newer owner. */
        FENCED
    }

    private static final class Slot
    {
        private long position;
        private long ordinal;
        private long epoch;
        private long digest;
    }

    private static final class LogEnd
    {
        private long number = -1;
        private long digest;
        private long position;
        private long stored = -1;
    }

    private final Map<Integer, Slot> slots = new HashMap<>();
    private final TreeSet<Integer> touched = new TreeSet<>();
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
                    final Slot slot = new Slot();
                    slot.position = rows.getLong(2);
                    slot.ordinal = rows.getLong(3);
                    slot.epoch = rows.getLong(4);
                    slot.digest = rows.getLong(5);
                    progress.slots.put(rows.getInt(1), slot);
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

    /** Judges a change-set, and takes it for applied if it is to be. */
    Verdict judge(final ChangeSetCursor changeSet)
    {
        final Slot slot = slots.computeIfAbsent(changeSet.slot(), number -> new Slot());
        final boolean isSame = changeSet.position() == slot.position && changeSet.ordinal() == slot.ordinal;
        if (isSame && changeSet.digest() != slot.digest)
        {
            throw new TableException("change-set " + changeSet.identity() + " has been applied with other bytes: " +
                "the tables were filled from another change log; name another database, or empty this one");
        }
        if (isSame || changeSet.position() < slot.position ||
            (changeSet.position() == slot.position && changeSet.ordinal() < slot.ordinal))
        {
            return Verdict.SKIP;
        }
        if (changeSet.epoch() < slot.epoch)
        {
            return Verdict.FENCED;
        }
        slot.position = changeSet.position();
        slot.ordinal = changeSet.ordinal();
        slot.epoch = changeSet.epoch();
        slot.digest = changeSet.digest();
        touched.add(changeSet.slot());
        return Verdict.APPLY;
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
            for (final int number : touched)
            {
                final Slot slot = slots.get(number);
                upsert.setLong(1, number);
                upsert.setLong(2, slot.position);
                upsert.setLong(3, slot.ordinal);
                upsert.setLong(4, slot.epoch);
                upsert.setLong(5, slot.digest);
                upsert.addBatch();
            }
            if (!touched.isEmpty())
            {
                upsert.executeBatch();
            }
        }
        touched.clear();
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
