package io.tidemark.sink.sql;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.sink.ChangeLogTailer;
import io.tidemark.sink.ChangeSetCursor;
import io.tidemark.sink.LateEntry;
import io.tidemark.sink.LateLogTailer;
import io.tidemark.sink.LateStates;
import io.tidemark.sink.SinkProgress;
import io.tidemark.sink.TableSink;
import org.agrona.CloseHelper;

/**
 * Keeps the tables of a SQL database up with the logs. Rows, what was current, and progress are written in one
 * transaction of all that the logs have, up to {@value #TRANSACTION_CHANGES} changes; whole change-sets only. So a
 * sink that keeps up commits small ones soon, and one that is behind large ones, which cost less a row. What always
 * holds:
 * <ul>
 * <li>what a reader sees is the table after some change-set, never in the middle of one;</li>
 * <li>nothing but what the database itself says decides where to go on: after any failure, be it before, in or after a
 *     commit, the connection is thrown away and progress is read again;</li>
 * <li>a change-set at or below its slot's progress is skipped, one of an owner before the present one refused.</li>
 * </ul>
 * A database that is gone is tried again after 100 ms, then after twice as long each time, up to 5 s.
 */
public final class SqlSink implements TableSink
{
    private static final int TRANSACTION_CHANGES = 100_000;
    private static final int POLL_CHANGE_SETS = 64;
    private static final int POLL_LATE = 1_000;
    private static final long LATE_STATES_INTERVAL_MS = 1_000;
    private static final long FIRST_BACK_OFF_MS = 100;
    private static final long LONGEST_BACK_OFF_MS = 5_000;

    private final SqlTarget target;
    private final String pipeline;
    private final Path dataDirectory;
    private final Topology topology;
    private final int transactionChanges;
    private final SinkProgress shown = new SinkProgress();
    private LateStates lateStates;
    private long lateStatesVersion;
    private long lateStatesGeneration = -1;
    private long lateStatesOldest = Long.MIN_VALUE;
    private long lateStatesMs;

    private volatile Connection connection;
    private volatile boolean aborted;
    private SqlWriter writer;
    private SqlProgress progress;
    private ChangeLogTailer changes;
    private LateLogTailer late;
    private boolean isPositioned;
    private boolean wasConnected;
    private boolean isCareful;
    private long backOffMs = FIRST_BACK_OFF_MS;
    private long retryAtMs = Long.MIN_VALUE;

    private long applied;
    private long appliedChanges;
    private long skipped;
    private long fenced;

    /**
     * Connects to nothing yet.
     *
     * @param target        where the tables are.
     * @param pipeline      its name: tables belong to one pipeline.
     * @param dataDirectory of the pipeline.
     * @param topology      of the pipeline.
     */
    public SqlSink(final SqlTarget target, final String pipeline, final Path dataDirectory, final Topology topology)
    {
        this(target, pipeline, dataDirectory, topology, TRANSACTION_CHANGES);
    }

    SqlSink(
        final SqlTarget target,
        final String pipeline,
        final Path dataDirectory,
        final Topology topology,
        final int transactionChanges)
    {
        this.transactionChanges = transactionChanges;
        this.target = target;
        this.pipeline = pipeline;
        this.dataDirectory = dataDirectory;
        this.topology = topology;
    }

    /**
     * Shows what has become of late events; without it all of them wait.
     *
     * @param states is asked by the sink's thread.
     * @return this.
     */
    public SqlSink lateStates(final LateStates states)
    {
        lateStates = states;
        return this;
    }

    @Override
    public int work(final long nowMs)
    {
        if (connection == null && nowMs < retryAtMs)
        {
            return 0;
        }
        try
        {
            if (connection == null)
            {
                connect();
            }
            if (!position())
            {
                return 0;
            }
            final int work = transaction();
            if (work == 0)
            {
                refreshLateStates(nowMs);
            }
            return work;
        }
        catch (final SqlWriter.SqlFailure e)
        {
            lost(e.getCause(), nowMs);
        }
        catch (final SQLException e)
        {
            lost(e, nowMs);
        }
        catch (final SqlWriter.BatchRefusedException e)
        {
            return doAgainWithCare(nowMs);
        }
        return 0;
    }

    private void connect() throws SQLException
    {
        connection = target.connect();
        CrashPoint.hit("sql.connected");
        new SqlSchema(target.dialect()).open(connection, pipeline);
        readProgress();
        wasConnected = true;
        shown.connected();
        shown.applied(progress.changeNumber(), progress.position(), progress.lateNumber());
    }

    private void readProgress() throws SQLException
    {
        CloseHelper.close(writer);
        writer = null;
        progress = SqlProgress.read(connection);
        writer = new SqlWriter(connection, target.dialect(), topology, isCareful);
        connection.commit();
        isPositioned = false;
    }

    /** Goes to where the database is; false while the logs do not reach so far, which a replay will make them do. */
    private boolean position()
    {
        if (isPositioned)
        {
            return true;
        }
        if (changes == null && ChangeLogTailer.exists(dataDirectory))
        {
            changes = ChangeLogTailer.open(dataDirectory);
        }
        if (late == null && LateLogTailer.exists(dataDirectory))
        {
            late = LateLogTailer.open(dataDirectory, topology);
        }
        isPositioned = changes != null && late != null &&
            changes.moveAfter(progress.changeNumber(), progress.changeDigest()) &&
            late.moveAfter(progress.lateNumber(), progress.lateDigest());
        return isPositioned;
    }

    private int transaction() throws SQLException
    {
        applied = 0;
        appliedChanges = 0;
        skipped = 0;
        fenced = 0;
        int polled = 0;
        int last;
        do
        {
            last = changes.poll(this::apply, POLL_CHANGE_SETS);
            polled += last;
        }
        while (last == POLL_CHANGE_SETS && appliedChanges < transactionChanges);
        final int latePolled = late.poll(this::apply, POLL_LATE);
        if (latePolled > 0)
        {
            progress.lateAt(late.number(), late.digest());
        }
        if (polled + latePolled > 0)
        {
            commit();
        }
        return polled + latePolled;
    }

    private void commit() throws SQLException
    {
        writer.flush();
        CrashPoint.hit("sql.before-progress");
        progress.write(connection);
        CrashPoint.hit("sql.before-commit");
        connection.commit();
        CrashPoint.hit("sql.after-commit");
        if (isCareful)
        {
            isCareful = false;
            writer.close();
            writer = new SqlWriter(connection, target.dialect(), topology, false);
        }
        backOffMs = FIRST_BACK_OFF_MS;
        shown.count(applied, appliedChanges, skipped, fenced);
        shown.applied(progress.changeNumber(), progress.position(), progress.lateNumber());
    }

    private void apply(final ChangeSetCursor changeSet)
    {
        try
        {
            switch (progress.judge(changeSet))
            {
                case APPLY ->
                {
                    CrashPoint.hit("sql.before-change-set");
                    appliedChanges += writer.apply(changeSet);
                    CrashPoint.hit("sql.after-change-set");
                    applied++;
                }
                case SKIP -> skipped++;
                case FENCED -> fenced++;
            }
            progress.changesAt(changes.number(), changes.lastRecordDigest(), changeSet.position());
        }
        catch (final SQLException e)
        {
            throw new SqlWriter.SqlFailure(e);
        }
    }

    private void apply(final LateEntry entry)
    {
        try
        {
            writer.apply(entry);
        }
        catch (final SQLException e)
        {
            throw new SqlWriter.SqlFailure(e);
        }
    }

    /** At rest, and not too often: what repair has done to late events is no record of a log that is tailed. */
    private void refreshLateStates(final long nowMs) throws SQLException
    {
        if (lateStates == null || progress.lateNumber() < 0 || nowMs < lateStatesMs)
        {
            return;
        }
        lateStatesMs = nowMs + LATE_STATES_INTERVAL_MS;
        final long version = lateStates.version();
        final long oldestRepairable = lateStates.oldestRepairableTime();
        final boolean isRepaired = version != 0 &&
            (version != lateStatesVersion || writer.newestGeneration() != lateStatesGeneration);
        final boolean isExpired = oldestRepairable > writer.oldestOpenLate() && oldestRepairable != lateStatesOldest;
        if (isRepaired || isExpired)
        {
            final boolean isComplete = writer.updateLate(lateStates);
            connection.commit();
            // Who tells the states may not have come as far as this sink: then there is more to look at later.
            if (isComplete)
            {
                lateStatesVersion = version;
                lateStatesGeneration = writer.newestGeneration();
                lateStatesOldest = oldestRepairable;
            }
        }
    }

    /** The batch said that it does not fit, not why. Only a producer that breaks its promise leads here. */
    private int doAgainWithCare(final long nowMs)
    {
        try
        {
            connection.rollback();
            isCareful = true;
            readProgress();
            return 1;
        }
        catch (final SQLException e)
        {
            lost(e, nowMs);
            return 0;
        }
    }

    private void lost(final SQLException failure, final long nowMs)
    {
        disconnect();
        shown.disconnected(target.describe() + " cannot be written to: " + sentence(failure), wasConnected);
        wasConnected = false;
        retryAtMs = nowMs + backOffMs;
        backOffMs = Math.min(2 * backOffMs, LONGEST_BACK_OFF_MS);
    }

    private static String sentence(final SQLException failure)
    {
        final String message = String.valueOf(failure.getMessage()).strip();
        return message.lines().findFirst().orElse("") +
            (failure.getSQLState() == null ? "" : " (SQL state " + failure.getSQLState() + ")");
    }

    private void disconnect()
    {
        CloseHelper.quietClose(writer);
        writer = null;
        CloseHelper.quietClose(connection);
        connection = null;
        isPositioned = false;
    }

    @Override
    public SinkProgress progress()
    {
        return shown;
    }

    /** What repair has done lately is shown at the end too, if the database is there. */
    private void lastLook()
    {
        if (connection != null && isPositioned)
        {
            try
            {
                refreshLateStates(Long.MAX_VALUE - LATE_STATES_INTERVAL_MS);
            }
            catch (final SQLException e)
            {
                shown.disconnected(target.describe() + " cannot be written to: " + sentence(e), false);
            }
        }
    }

    @Override
    public void abort()
    {
        aborted = true;
        final Connection open = connection;
        if (open != null)
        {
            try
            {
                open.abort(Runnable::run);
            }
            catch (final SQLException e)
            {
                // it is being thrown away
                return;
            }
        }
    }

    @Override
    public void close()
    {
        if (!aborted)
        {
            lastLook();
            disconnect();
        }
        CloseHelper.closeAll(changes, late);
    }
}
