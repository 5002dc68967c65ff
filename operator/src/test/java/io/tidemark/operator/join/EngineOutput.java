package io.tidemark.operator.join;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

import org.agrona.concurrent.UnsafeBuffer;

import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.change.ChangeSetDecoder;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.RecordList;
import io.tidemark.operator.change.RowIds;
import io.tidemark.operator.change.RowImageDecoder;
import io.tidemark.operator.change.SessionImageDecoder;
import io.tidemark.operator.codec.LateEventDecoder;
import io.tidemark.operator.codec.MessageHeaderDecoder;
import io.tidemark.operator.codec.RejectedEventDecoder;
import io.tidemark.operator.oracle.ChangeSet;
import io.tidemark.operator.oracle.ChangeSet.Cause;
import io.tidemark.operator.oracle.JoinUnderTest.Effect;
import io.tidemark.operator.oracle.JoinUnderTest.Emitted;
import io.tidemark.operator.oracle.Outcome;
import io.tidemark.operator.oracle.ResultRow;
import io.tidemark.operator.oracle.RowImage;

/**
 * What the engine wrote, decoded into the oracle's terms. Row ids are compared on the way: the decoder writes bytes,
 * the oracle strings.
 */
public final class EngineOutput
{
    /** Where the engine's change-sets go. */
    public final RecordList changes = new RecordList();
    /** Where late events go. */
    public final RecordList late = new RecordList();
    /** Where rejected events go. */
    public final RecordList rejects = new RecordList();

    private final Settings settings;
    private final ChangeSetDecoder decoder = new ChangeSetDecoder();
    private final MessageHeaderDecoder header = new MessageHeaderDecoder();
    private final LateEventDecoder lateEvent = new LateEventDecoder();
    private final RejectedEventDecoder rejectedEvent = new RejectedEventDecoder();
    private final UnsafeBuffer rowId = new UnsafeBuffer(new byte[RowIds.MAX_LENGTH]);
    private int changesRead;
    private int lateRead;
    private int rejectsRead;

    /** For an engine with these settings. */
    public EngineOutput(final Settings settings)
    {
        this.settings = settings;
    }

    /** All that was written since this was last asked. */
    public Effect next()
    {
        final List<Emitted> emitted = new ArrayList<>();
        while (changesRead < changes.size())
        {
            emitted.add(nextChangeSet());
        }
        final List<Outcome.Late> lateEvents = new ArrayList<>();
        while (lateRead < late.size())
        {
            lateEvents.add(late(late.get(lateRead++)));
        }
        final List<Outcome.Rejected> rejected = new ArrayList<>();
        while (rejectsRead < rejects.size())
        {
            rejected.add(rejected(rejects.get(rejectsRead++)));
        }
        return new Effect(emitted, lateEvents, rejected);
    }

    private Emitted nextChangeSet()
    {
        final List<ResultRow> retractions = new ArrayList<>();
        final List<ResultRow> insertions = new ArrayList<>();
        String identity = null;
        for (int part = 0;; part++)
        {
            decoder.wrap(changes.get(changesRead++), 0);
            assertEquals(part, decoder.part());
            if (identity != null || decoder.hasMore())
            {
                assertEquals(identity == null ? identity() : identity, identity());
                identity = identity();
            }
            assertEquals(1, decoder.generation());
            assertEquals(settings.ruleVersion(), decoder.rule());
            while (decoder.next())
            {
                assertTrue(!decoder.isRetraction() || insertions.isEmpty(), "a retraction after an insertion");
                (decoder.isRetraction() ? retractions : insertions).add(row());
            }
            if (!decoder.hasMore())
            {
                return new Emitted(decoder.slot(), decoder.ordinal(), new ChangeSet(
                    decoder.position(), decoder.ordinal() == 0, decoder.key(), cause(), retractions, insertions));
            }
        }
    }

    private String identity()
    {
        return decoder.position() + "/" + decoder.slot() + "/" + decoder.ordinal() + " " + decoder.epoch() + " " +
            decoder.key() + " " + cause();
    }

    private Cause cause()
    {
        if (decoder.causeStream() == ChangeSetEncoder.CAUSED_BY_CLOCK)
        {
            return Cause.CLOCK;
        }
        return new Cause(source(decoder.causeStream(), decoder.causePartition()), decoder.causeIndex());
    }

    private ResultRow row()
    {
        final ResultRow row = switch (decoder.kind())
        {
            case PAIR -> new ResultRow.Pair(
                decoder.rule(), decoder.key(), image(decoder.left(), 0), image(decoder.right(), 1));
            case UNMATCHED -> new ResultRow.Unmatched(decoder.rule(), decoder.key(), decoder.rowSide(),
                image(decoder.row(), decoder.rowSide()), decoder.isFinal());
            case SESSION -> session(decoder.session());
        };
        final int length = decoder.putRowId(rowId, 0);
        assertEquals(row.rowId(), rowId.getStringWithoutLengthUtf8(0, length));
        return row;
    }

    private ResultRow session(final SessionImageDecoder session)
    {
        return new ResultRow.Session(
            decoder.rule(), decoder.key(), session.start(), session.end(), session.count(), session.sum(),
            session.min(), session.max(), session.isFinal(), session.publication());
    }

    private RowImage image(final RowImageDecoder image, final int side)
    {
        final String stream = side == Settings.LEFT ? settings.left() : settings.right();
        return new RowImage(
            image.id(), image.revision(), image.time(), image.value(),
            settings.streamOf(settings.source(stream, 0)), image.partition(), image.index());
    }

    private Outcome.Late late(final UnsafeBuffer record)
    {
        lateEvent.wrapAndApplyHeader(record, 0, header);
        assertEquals(settings.streamOf(lateEvent.source()), lateEvent.stream());
        return new Outcome.Late(
            lateEvent.position(), lateEvent.source(), lateEvent.index(), lateEvent.acceptanceClock(),
            reason(LateReason.of(lateEvent.reason())), lateEvent.due());
    }

    private Outcome.Rejected rejected(final UnsafeBuffer record)
    {
        rejectedEvent.wrapAndApplyHeader(record, 0, header);
        return new Outcome.Rejected(
            rejectedEvent.position(), source(rejectedEvent.stream(), rejectedEvent.partition()),
            rejectedEvent.index(), EnumSet.of(reason(RejectReason.of(rejectedEvent.reason()))));
    }

    private int source(final int stream, final int partition)
    {
        return settings.source(settings.streams().get(stream).name(), partition);
    }

    private static Outcome.LateReason reason(final LateReason reason)
    {
        return switch (reason)
        {
            case BEFORE_ACCEPTANCE_CLOCK -> Outcome.LateReason.BEFORE_CLOCK;
            case ROW_NOT_OPEN -> Outcome.LateReason.NOT_OPEN;
            case MOVED_BEFORE_ACCEPTANCE_CLOCK -> Outcome.LateReason.MOVED_BEFORE_CLOCK;
        };
    }

    private static Outcome.RejectReason reason(final RejectReason reason)
    {
        return switch (reason)
        {
            case SPAN_MISSING -> Outcome.RejectReason.NO_SPAN;
            case SPAN_REVERSED, TIME_OUTSIDE_SPAN -> Outcome.RejectReason.SPAN_WITHOUT_TIME;
            case SPAN_TOO_LONG -> Outcome.RejectReason.TOO_LONG;
            case STARTS_TOO_EARLY -> Outcome.RejectReason.TOO_FAR_BEFORE;
            case TOO_FAR_AHEAD -> Outcome.RejectReason.TOO_FAR_AHEAD;
            case MOVES_TOO_FAR -> Outcome.RejectReason.MOVED_TOO_FAR;
            default -> throw new AssertionError("no event of a test is rejected for this: " + reason);
        };
    }
}
