package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.log.CrashPoint;
import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.ingest.order.OrderHistory;
import io.tidemark.ingest.order.OrderMark;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.ReplayingAppender;
import io.tidemark.store.snapshot.CheckpointDirectory;
import io.tidemark.store.snapshot.LogMark;
import io.tidemark.store.snapshot.Manifest;
import io.tidemark.store.snapshot.SlotDigests;
import io.tidemark.store.snapshot.SnapshotException;
import io.tidemark.store.snapshot.SnapshotLoader;

import java.util.ArrayList;
import java.util.List;

/**
 * Finds where to go on: at the newest checkpoint all of whose digests hold and whose place in the results the logs
 * still have; else at an older one; else at the start of the logs. Order log and source logs are not made again from
 * anything: where they lack what a checkpoint stands on, nothing is started.
 */
final class Recovery
{
    private final RuntimeContext context;
    private final RuntimeLogs logs;
    private final CheckpointDirectory directory;
    private final List<String> refused = new ArrayList<>();
    private final List<Long> damaged = new ArrayList<>();

    Recovery(final RuntimeContext context, final RuntimeLogs logs, final CheckpointDirectory directory)
    {
        this.context = context;
        this.logs = logs;
        this.directory = directory;
    }

    /** The best place there is. */
    RecoveredState recover()
    {
        for (final long position : directory.positions())
        {
            try
            {
                final RecoveredState state = restore(directory.manifest(position));
                CrashPoint.hit("recovery.loaded");
                return state;
            }
            catch (final SnapshotException | DerivedLogException ex)
            {
                refused.add("checkpoint " + position + " is not used: " + ex.getMessage());
                damaged.add(position);
            }
        }
        requireOrder();
        OrderHistory.requireStart(context.dataDirectory(), logs.order(), "without a checkpoint in " +
            directory.path() + " that can be used" + (refused.isEmpty() ? "" : " (" + refused.get(0) + ")") +
            " the pipeline", "put the checkpoints back from a backup, or use an empty data directory and ingest the " +
            "feeds again");
        return start();
    }

    /** Why newer checkpoints were not used. */
    List<String> refused()
    {
        return refused;
    }

    /** Checkpoints that are not whole. */
    List<Long> damaged()
    {
        return damaged;
    }

    RecoveredState start()
    {
        final List<ReplayingAppender> appenders = List.of(
            new ReplayingAppender(logs.changes()), new ReplayingAppender(logs.late()),
            new ReplayingAppender(logs.rejects()));
        return state(null, null, appenders);
    }

    private RecoveredState restore(final Manifest manifest)
    {
        requireSameSettings(manifest);
        final Topology topology = context.spec().topology();
        require(logs.order(), manifest.log(PipelineRuntime.ORDER));
        for (int source = 0; source < topology.sources(); source++)
        {
            require(logs.sources().log(source), CheckpointMarks.source(manifest, topology, source));
        }
        final List<ReplayingAppender> appenders = new ArrayList<>();
        appenders.add(appender(logs.changes(), manifest.log(PipelineRuntime.CHANGES)));
        appenders.add(appender(logs.late(), manifest.log(PipelineRuntime.LATE)));
        appenders.add(appender(logs.rejects(), manifest.log(PipelineRuntime.REJECTS)));
        return state(manifest, null, appenders);
    }

    private RecoveredState state(
        final Manifest manifest, final SlotDigests none, final List<ReplayingAppender> appenders)
    {
        final PublicationHandler publications =
            context.publicationFactory().create(appenders.get(RecoveredState.CHANGES));
        final ChangeSetEncoder encoder =
            new ChangeSetEncoder(publications.changes(appenders.get(RecoveredState.CHANGES)));
        Operator operator = null;
        boolean complete = false;
        try
        {
            operator = context.operatorFactory().create(encoder, new OutcomePublisher(
                appenders.get(RecoveredState.LATE), appenders.get(RecoveredState.REJECTS)));
            OrderMark mark = OrderMark.start(context.spec().topology().sources());
            SlotDigests digests = none;
            if (manifest != null)
            {
                CrashPoint.hit("recovery.before-load");
                digests = new SnapshotLoader(directory, CrashPoint::hit).load(manifest, operator.slots());
                CheckpointMarks.restore(manifest.registers(), operator, publications);
                mark = CheckpointMarks.place(manifest, context.spec().topology(), operator.clocks());
            }
            complete = true;
            return new RecoveredState(mark, manifest, digests, operator, publications, encoder, appenders);
        }
        finally
        {
            if (!complete)
            {
                if (operator != null)
                {
                    operator.close();
                }
                context.operatorFactory().close();
                appenders.forEach(ReplayingAppender::close);
            }
        }
    }

    private void requireSameSettings(final Manifest manifest)
    {
        if (!manifest.madeWith().equals(context.checkpoints().madeWith()))
        {
            throw new RecoveryException("checkpoint " + manifest.position() + " in " + directory.path() +
                " was made with other settings: " +
                SettingsText.differences(manifest.madeWith(), context.checkpoints().madeWith()) +
                ". Set back what differs, or use an empty data directory and ingest the feeds again");
        }
    }

    /** A record that was in a log when the checkpoint was taken, and must be. */
    private static void require(final Log log, final LogMark mark)
    {
        try (LogTailer tailer = log.tailer())
        {
            tailer.moveAfter(mark.index(), mark.number());
        }
    }

    private static ReplayingAppender appender(final Log log, final LogMark mark)
    {
        try
        {
            return new ReplayingAppender(log, mark.number(), mark.index());
        }
        catch (final LogException ex)
        {
            throw new DerivedLogException(ex);
        }
    }

    /** Without its order the results of an earlier run can't be gone on with. */
    private void requireOrder()
    {
        if (logs.order().lastNumber() < 0 && logs.changes().lastNumber() >= 0)
        {
            throw new RecoveryException("log " + logs.order().directory() + " is empty, but " +
                logs.changes().directory() + " holds results that followed it; put its queue files back, or use an " +
                "empty data directory and ingest the feeds again");
        }
    }

    /** A log that is made from others lacks something: it can be made again from an older checkpoint. */
    private static final class DerivedLogException extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        DerivedLogException(final LogException cause)
        {
            super(cause.getMessage(), cause);
        }
    }
}
