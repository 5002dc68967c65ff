package io.tidemark.operator.worker;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.EventRules;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.Operator;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.Tally;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.Slots;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;

/**
 * The least that is an operator: says each valid upsert on time back as a final unmatched row, by the rules and clocks
 * of a pipeline, and keeps nothing. Its epoch field shows the watermark, so that a replay with other clocks is noticed.
 */
class EchoOperator implements Operator
{
    private final PipelineSpec spec;
    private final Topology topology;
    private final EventRules rules;
    private final Clocks clocks;
    private final ChangeSetEncoder changes;
    private final OutcomePublisher outcomes;
    private final Tally tally = new Tally();
    private final Slots slots = new Slots(null, 1);
    private final UnsafeBuffer image = new UnsafeBuffer(ByteBuffer.allocateDirect(RowImage.MAX_LENGTH));
    private long prepared;
    private long lastPosition;
    private boolean closed;

    EchoOperator(final PipelineSpec spec, final ChangeSetEncoder changes, final OutcomePublisher outcomes)
    {
        this.spec = spec;
        topology = spec.topology();
        rules = EventRules.of(spec.rule(), spec.watermark());
        clocks = Clocks.of(spec);
        this.changes = changes;
        this.outcomes = outcomes;
    }

    @Override
    public void prepare(final EventBatch batch)
    {
        if (prepared != lastPosition || batch.position(0) != lastPosition + 1)
        {
            throw new AssertionError("batch from " + batch.position(0) + " after position " + lastPosition);
        }
        prepared += batch.size();
    }

    @Override
    public void onEvent(final long position, final int source, final long index, final EventView event)
    {
        onPosition(position);
        tally.onEvent();
        clocks.beforeEvent(source, event.arrival());
        final int side = clocks.side(source);
        final RejectReason reason = rules.judge(event);
        if (reason != RejectReason.NONE)
        {
            tally.onRejected();
            outcomes.rejected(
                position, index, topology.streamOf(source), topology.partitionOf(source), reason, event);
        }
        else if (event.kind() == EventKind.WATERMARK)
        {
            clocks.afterWatermark(source, event.time());
        }
        else
        {
            onValid(position, source, index, event, side);
        }
    }

    private void onValid(
        final long position, final int source, final long index, final EventView event, final int side)
    {
        final long clock = clocks.acceptance(side);
        if (event.time() < Times.minus(clock, spec.rule().latenessNs()))
        {
            tally.onLate();
            outcomes.late(
                position, index, source, topology.streamOf(source), clock, LateReason.BEFORE_ACCEPTANCE_CLOCK, event);
        }
        else
        {
            tally.onAccepted();
            say(position, source, index, event, side);
        }
        if (event.kind() == EventKind.UPSERT)
        {
            clocks.afterValidUpsert(source, event.time());
        }
    }

    private void say(
        final long position, final int source, final long index, final EventView event, final int side)
    {
        final long base = event.buffer().addressOffset();
        final int partition = topology.partitionOf(source);
        RowImage.put(image.addressOffset(), event.revision(), event.time(), event.value(), partition, index);
        RowImage.putId(image.addressOffset(), base + event.idOffset(), event.idLength());
        changes.begin(position, 0, 0, (int)clocks.watermark(side), 1, spec.rule().version(),
            topology.streamOf(source), partition, index, side, base + event.keyOffset(), event.keyLength());
        changes.insertUnmatched(side, true, image.addressOffset(), RowImage.length(event.idLength()));
        changes.commit();
    }

    @Override
    public void onTick(final long position, final long nowNs)
    {
        onPosition(position);
        prepared = position;
        clocks.tick(nowNs);
    }

    private void onPosition(final long position)
    {
        if (position != lastPosition + 1)
        {
            throw new AssertionError("position " + position + " after " + lastPosition);
        }
        lastPosition = position;
    }

    @Override
    public Slots slots()
    {
        return slots;
    }

    @Override
    public int saveRegisters(final MutableDirectBuffer to, final int offset)
    {
        to.putLong(offset, lastPosition);
        final int length = 8 + tally.save(to, offset + 8);
        return length + clocks.save(to, offset + length);
    }

    @Override
    public void restore(final DirectBuffer from, final int offset, final int length)
    {
        lastPosition = from.getLong(offset);
        prepared = lastPosition;
        clocks.restore(from, offset + 8 + tally.restore(from, offset + 8));
    }

    @Override
    public Clocks clocks()
    {
        return clocks;
    }

    @Override
    public Tally tally()
    {
        return tally;
    }

    @Override
    public long rows()
    {
        return 0;
    }

    @Override
    public long stateBytes()
    {
        return image.capacity();
    }

    @Override
    public void close()
    {
        closed = true;
        slots.close();
    }

    boolean isClosed()
    {
        return closed;
    }
}
