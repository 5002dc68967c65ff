package io.tidemark.operator.join;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;

import org.agrona.concurrent.UnsafeBuffer;

import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.ingest.fixture.Settings;
import io.tidemark.operator.Operator;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RecordAppender;
import io.tidemark.operator.oracle.Specs;
import io.tidemark.operator.session.SessionEngine;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.SessionRule;
import io.tidemark.store.page.PageStore;

/**
 * Drives the engine of a rule with millions of events without garbage of its own: keys and ids are numbers, written as
 * sixteen hexadecimal digits of a mixed value, so that ids are in no order. Results are counted and thrown away.
 */
public final class Drive implements AutoCloseable
{
    private static final int BLOCK = 53;
    private static final int NAME_LENGTH = 16;
    private static final int KEY_OFFSET = 8 + BLOCK + 1;

    /** Null for sessions. */
    final JoinEngine engine;
    private final Operator operator;
    private final PageStore store;
    private final UnsafeBuffer buffer =
        new UnsafeBuffer(ByteBuffer.allocateDirect(256).order(ByteOrder.LITTLE_ENDIAN));
    private final EventView view = new EventView();
    private final long[] counts = new long[2];
    private long position;
    private int keyLength = NAME_LENGTH;

    /** With the engine of these settings. */
    public Drive(final Path directory, final Settings settings)
    {
        this(directory, Specs.of(settings));
    }

    /** With the engine of a pipeline. */
    public Drive(final Path directory, final PipelineSpec spec)
    {
        store = PageStore.create(directory, 1 << 20);
        final RecordAppender changes = (record, offset, length) -> counts[0]++;
        final RecordAppender outcomes = (record, offset, length) -> counts[1]++;
        final ChangeSetEncoder encoder = new ChangeSetEncoder(changes);
        final OutcomePublisher publisher = new OutcomePublisher(outcomes, outcomes);
        final boolean isSession = spec.rule() instanceof SessionRule;
        engine = isSession ? null : new JoinEngine(spec, store, encoder, publisher);
        operator = isSession ? new SessionEngine(spec, store, encoder, publisher) : engine;
    }

    /** The engine. */
    public Operator operator()
    {
        return operator;
    }

    /** Events that were late or rejected. */
    public long refused()
    {
        return counts[1];
    }

    void upsert(final int source, final long key, final long id, final long time)
    {
        event(source, EventKind.UPSERT, key, id, 0, time, position);
    }

    /** Feeds an event whose value is its id. */
    public void event(
        final int source,
        final int kind,
        final long key,
        final long id,
        final int revision,
        final long time,
        final long arrival)
    {
        buffer.putShort(0, (short)BLOCK, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(2, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(4, (short)7361, ByteOrder.LITTLE_ENDIAN);
        buffer.putShort(6, (short)1, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(16, arrival, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(24, time, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(32, Long.MIN_VALUE, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(40, Long.MIN_VALUE, ByteOrder.LITTLE_ENDIAN);
        buffer.putLong(48, id, ByteOrder.LITTLE_ENDIAN);
        buffer.putInt(56, revision, ByteOrder.LITTLE_ENDIAN);
        buffer.putByte(60, (byte)kind);
        name(KEY_OFFSET, key, keyLength);
        name(KEY_OFFSET + keyLength + 1, id, NAME_LENGTH);
        position++;
        operator.onEvent(position, source, position, view.wrap(buffer, 0));
    }

    /** From now on keys are so long, 1 to 100 bytes. */
    void keyLength(final int length)
    {
        keyLength = length;
    }

    /** Records of change-sets so far. */
    public long changeSets()
    {
        return counts[0];
    }

    /** Bytes that the state takes. */
    public long bytesOfState()
    {
        return operator.stateBytes();
    }

    @Override
    public void close()
    {
        for (int slot = 0; slot < operator.slots().count(); slot++)
        {
            operator.slots().drop(slot);
        }
        operator.close();
        if (store.pages() != 0)
        {
            throw new AssertionError(store.pages() + " pages left behind");
        }
        store.close();
    }

    private void name(final int offset, final long number, final int length)
    {
        long mixed = number * 0x9E37_79B9_7F4A_7C15L;
        mixed = (mixed ^ mixed >>> 32) * 0xD6E8_FEB8_6659_FD93L;
        buffer.putByte(offset - 1, (byte)length);
        for (int i = 0; i < length; i++)
        {
            final int digit = (int)(mixed >>> (4 * i)) & 15;
            buffer.putByte(offset + i, (byte)(digit < 10 ? '0' + digit : 'a' - 10 + digit));
        }
    }
}
