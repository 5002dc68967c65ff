package io.tidemark.sink;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Predicate;

import io.tidemark.ingest.log.Log;
import io.tidemark.ingest.log.LogTailer;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.change.RowKind;
import io.tidemark.operator.change.SessionImageDecoder;
import org.agrona.CloseHelper;

/**
 * Tails the change log of a pipeline, from this or another process, beside the engine that writes it. Each change-set
 * arrives whole, also where the log holds it in several records. A consumer that remembers the identity of the last
 * change-set that it has dealt with goes on after that one: {@link #moveAfter}.
 * <p>
 * One thread at a time; allocates what it hands out.
 */
public final class ChangeLogReader implements AutoCloseable
{
    private static final String DIRECTORY = "changes";

    private final Log log;
    private final LogTailer tailer;
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();
    private final List<Change> parts = new ArrayList<>();
    private final List<Long> late = new ArrayList<>();
    private Predicate<Utf8> keys = key -> true;
    private RowShare share = RowShare.ALL;

    private ChangeLogReader(final Log log)
    {
        this.log = log;
        tailer = log.tailer();
    }

    /**
     * Whether a pipeline has a change log yet.
     *
     * @param dataDirectory of the pipeline.
     * @return false before its first run.
     */
    public static boolean exists(final Path dataDirectory)
    {
        return Log.exists(dataDirectory.resolve(DIRECTORY));
    }

    /**
     * Opens the change log of a pipeline, before its first change-set.
     *
     * @param dataDirectory of the pipeline.
     * @return the reader.
     * @throws io.tidemark.ingest.log.LogException when there is none.
     */
    public static ChangeLogReader open(final Path dataDirectory)
    {
        return new ChangeLogReader(Log.openReadOnly(dataDirectory.resolve(DIRECTORY)));
    }

    /**
     * Passes over change-sets of all other keys, at little cost.
     *
     * @param wanted tells the keys to hand on.
     * @return this.
     */
    public ChangeLogReader only(final Predicate<Utf8> wanted)
    {
        keys = wanted;
        return this;
    }

    /**
     * Leaves out of each change-set all changes of rows in other shares.
     *
     * @param wanted share.
     * @return this.
     */
    public ChangeLogReader only(final RowShare wanted)
    {
        share = wanted;
        return this;
    }

    /**
     * Counts the changes from here to the end of the log, at less cost than reading them; all shares count.
     *
     * @return number of changes of the keys that are wanted.
     */
    public long countChanges()
    {
        long count = 0;
        while (tailer.poll())
        {
            decoder.wrap(tailer.buffer(), tailer.offset());
            if (keys.test(Utf8.of(decoder.buffer(), decoder.keyOffset(), decoder.keyLength())))
            {
                count += decoder.changes();
            }
        }
        return count;
    }

    /**
     * Goes before the first change-set.
     *
     * @return this.
     */
    public ChangeLogReader toStart()
    {
        tailer.toStart();
        return this;
    }

    /**
     * Goes behind a change-set, so that the next one handed out is the one after it in the log.
     *
     * @param identity of a change-set in the log.
     * @throws TableException when the log has no such change-set.
     */
    public void moveAfter(final ChangeSetIdentity identity)
    {
        tailer.toStart();
        while (tailer.poll())
        {
            decoder.wrap(tailer.buffer(), tailer.offset());
            if (decoder.position() > identity.position())
            {
                break;
            }
            if (!decoder.hasMore() && identity().equals(identity))
            {
                return;
            }
        }
        throw new TableException("change log " + log.directory() + " has no change-set " + identity +
            "; read it from the start");
    }

    /**
     * Hands out what the log has.
     *
     * @param handler receives each change-set.
     * @param limit   most change-sets to hand out.
     * @return number handed out; less than the limit at the end of the log, where a later call may find more.
     */
    public int poll(final ChangeSetHandler handler, final int limit)
    {
        int count = 0;
        while (count < limit && tailer.poll())
        {
            decoder.wrap(tailer.buffer(), tailer.offset());
            final Utf8 key = Utf8.of(decoder.buffer(), decoder.keyOffset(), decoder.keyLength());
            if (keys.test(key))
            {
                readChanges(key);
                readLate();
                if (!decoder.hasMore())
                {
                    handler.onChangeSet(changeSet(key));
                    parts.clear();
                    late.clear();
                    count++;
                }
            }
        }
        return count;
    }

    /**
     * Hands out all that the log has now.
     *
     * @param handler receives each change-set.
     */
    public void pollAll(final ChangeSetHandler handler)
    {
        poll(handler, Integer.MAX_VALUE);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(tailer, log);
    }

    private void readChanges(final Utf8 key)
    {
        // The row that all pairs of a change-set share is one object for all of them.
        SourceRow retractedSubject = null;
        SourceRow insertedSubject = null;
        while (decoder.next())
        {
            if (!isShared())
            {
                continue;
            }
            final boolean isInsertion = !decoder.isRetraction();
            if (decoder.kind() == RowKind.SESSION)
            {
                parts.add(new Change(isInsertion, session(key)));
                continue;
            }
            if (decoder.kind() == RowKind.UNMATCHED)
            {
                parts.add(new Change(isInsertion, new UnmatchedRow(
                    decoder.rule(), key, decoder.rowSide(), row(decoder.row()), decoder.isFinal())));
                continue;
            }
            if (decoder.isRepair())
            {
                parts.add(new Change(isInsertion,
                    new PairRow(decoder.rule(), key, row(decoder.left()), row(decoder.right()))));
                continue;
            }
            final boolean isLeftSubject = decoder.subjectSide() == 0;
            SourceRow subject = isInsertion ? insertedSubject : retractedSubject;
            if (subject == null)
            {
                subject = row(isLeftSubject ? decoder.left() : decoder.right());
                insertedSubject = isInsertion ? subject : insertedSubject;
                retractedSubject = isInsertion ? retractedSubject : subject;
            }
            final SourceRow partner = row(isLeftSubject ? decoder.right() : decoder.left());
            parts.add(new Change(isInsertion, isLeftSubject ?
                new PairRow(decoder.rule(), key, subject, partner) :
                new PairRow(decoder.rule(), key, partner, subject)));
        }
    }

    private boolean isShared()
    {
        if (share.shares() == 1)
        {
            return true;
        }
        if (decoder.kind() == RowKind.SESSION)
        {
            return share.hasSession(decoder.session().start());
        }
        final RowImageDecoder row = decoder.isPair() ? decoder.left() : decoder.row();
        return share.has(row.buffer(), row.idOffset(), row.idLength());
    }

    private SessionRow session(final Utf8 key)
    {
        final SessionImageDecoder session = decoder.session();
        return new SessionRow(
            decoder.rule(), key, session.start(), session.end(), session.count(), session.sum(), session.min(),
            session.max(), session.isFinal(), session.publication());
    }

    private ChangeSet changeSet(final Utf8 key)
    {
        return new ChangeSet(
            identity(), Integer.toUnsignedLong(decoder.epoch()), Integer.toUnsignedLong(decoder.generation()),
            decoder.causeStream(), decoder.causePartition(), decoder.causeIndex(), key, List.copyOf(parts), repair());
    }

    private void readLate()
    {
        for (int i = 0; i < decoder.lateEvents(); i++)
        {
            late.add(decoder.lateEvent(i));
        }
    }

    private ChangeSet.Repair repair()
    {
        return decoder.isRepair() ? new ChangeSet.Repair(
            Integer.toUnsignedLong(decoder.baseGeneration()), HexFormat.of().formatHex(decoder.digest()), late) : null;
    }

    private ChangeSetIdentity identity()
    {
        return new ChangeSetIdentity(
            decoder.position(), decoder.slot(), Integer.toUnsignedLong(decoder.ordinal()));
    }

    private static SourceRow row(final RowImageDecoder image)
    {
        return new SourceRow(
            Utf8.of(image.buffer(), image.idOffset(), image.idLength()), image.revision(), image.time(), image.value(),
            image.partition(), image.index());
    }
}
