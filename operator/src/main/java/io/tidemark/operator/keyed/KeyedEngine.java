package io.tidemark.operator.keyed;

import io.tidemark.ingest.Topology;
import io.tidemark.ingest.event.EventKind;
import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventRules;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.Operator;
import io.tidemark.operator.RejectReason;
import io.tidemark.operator.Tally;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.Slot;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import io.tidemark.store.page.StateFullException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * What joins and sessions have in common: the frame of steps 1 to 5 of SEMANTICS.md section 4, clocks, and state by
 * key. What becomes of an upsert or retraction that is valid, and what the clocks bring about, is for them to say.
 */
public abstract class KeyedEngine implements Operator
{
    /** Of all slots, until there are handoffs. */
    public static final int FIRST_EPOCH = 1;

    /** Of what is not published by a repair. */
    public static final int FIRST_GENERATION = 1;

    private final PipelineSpec spec;
    private final Topology topology;
    private final EventRules rules;
    private final Clocks clocks;
    private final Slots slots;
    private final Keys keys;
    private final KeyTouch keyTouch;
    private final KeyClocks keyClocks;
    private final KeyRefs moved = new KeyRefs();
    private final Agenda[] agendas;
    private final OutcomePublisher outcomes;
    private final Tally tally = new Tally();

    /**
     * Creates an engine.
     *
     * @param spec        what to compute.
     * @param slots       its state, empty.
     * @param newKeyClass class of the block of a new key of ordinary length.
     * @param waitNs      for how long what is due usually waits.
     * @param outcomes    takes late and rejected events.
     */
    protected KeyedEngine(
        final PipelineSpec spec,
        final Slots slots,
        final int newKeyClass,
        final long waitNs,
        final OutcomePublisher outcomes)
    {
        this.spec = spec;
        this.topology = spec.topology();
        this.rules = EventRules.of(spec.rule(), spec.watermark());
        this.clocks = Clocks.of(spec);
        this.slots = slots;
        this.keys = new Keys(slots);
        this.keyTouch = new KeyTouch(keys, newKeyClass);
        this.keyClocks = new KeyClocks(spec, clocks, slots, moved);
        this.agendas = new Agenda[clocks.inputs()];
        for (int i = 0; i < agendas.length; i++)
        {
            agendas[i] = new Agenda(clocks, i, keys, waitNs);
        }
        this.outcomes = outcomes;
    }

    /**
     * Decides about a valid upsert or retraction, steps 1 to 4, and says so to {@link #decided}.
     *
     * @param position of the event.
     * @param source   of the event.
     * @param index    of the event.
     * @param event    valid during the call.
     */
    protected abstract void onRow(long position, int source, long index, EventView event);

    /** Step 5, when the clocks have moved. */
    protected abstract void runClocks(long position);

    /** Takes out of state whatever is gone. */
    protected abstract void sweepAll();

    /** Slots have been installed: takes from them what is due when. */
    protected abstract void rebuildAgendas();

    /**
     * {@inheritDoc}
     *
     * @throws StateFullException before an event that would take state beyond its limit; the engine is of no use then.
     */
    @Override
    public final void onEvent(final long position, final int source, final long index, final EventView event)
    {
        tally.onEvent();
        passDeadlines(event.arrival());
        final long activity = clocks.activityChanges();
        clocks.activate(source, event.arrival());
        if (clocks.activityChanges() != activity)
        {
            activityChanged();
        }
        final RejectReason reason = rules.judge(event);
        if (reason != RejectReason.NONE)
        {
            reject(position, source, index, event, reason);
        }
        else if (event.kind() == EventKind.WATERMARK)
        {
            clocks.afterWatermark(source, event.time());
            if (keyClocks.isOn())
            {
                keyClocks.onWatermark(source);
            }
        }
        else
        {
            onRow(position, source, index, event);
        }
        advance(position);
    }

    @Override
    public final void onTick(final long position, final long nowNs)
    {
        passDeadlines(nowNs);
        clocks.tick(nowNs);
        advance(position);
    }

    @Override
    public final Tally tally()
    {
        return tally;
    }

    @Override
    public final Clocks clocks()
    {
        return clocks;
    }

    /** Those that are gone but not taken out yet included, and tombstones. */
    @Override
    public final long rows()
    {
        return keys.rows();
    }

    @Override
    public final long stateBytes()
    {
        long bytes = slots.pages() * PageStore.PAGE_SIZE;
        for (final Agenda agenda : agendas)
        {
            bytes += agenda.bytes();
        }
        return bytes;
    }

    @Override
    public final Slots slots()
    {
        return slots;
    }

    @Override
    public final int saveRegisters(final MutableDirectBuffer to, final int offset)
    {
        final int length = tally.save(to, offset);
        return length + clocks.save(to, offset + length);
    }

    @Override
    public final void restore(final DirectBuffer from, final int offset, final int length)
    {
        final int tallyLength = tally.restore(from, offset);
        final int restored = tallyLength + clocks.restore(from, offset + tallyLength);
        if (restored != length)
        {
            throw new IllegalArgumentException("registers have " + restored + " bytes here, not " + length);
        }
        keys.recount();
        keyTouch.forget();
        keyClocks.settle();
        rebuildAgendas();
    }

    /** Frees native memory; the page store is the caller's to close. */
    @Override
    public void close()
    {
        slots.close();
        moved.close();
        for (final Agenda agenda : agendas)
        {
            agenda.close();
        }
    }

    /** The keys in state. */
    protected final Keys keys()
    {
        return keys;
    }

    /** Fetches the keys of a batch before they are needed. */
    protected final KeyTouch keyTouch()
    {
        return keyTouch;
    }

    /** What is due on the fallback clock of an input. */
    protected final Agenda agenda(final int input)
    {
        return agendas[input];
    }

    /** The clocks that keys have of their own. */
    protected final KeyClocks keyClocks()
    {
        return keyClocks;
    }

    /** Keys whose own clocks have moved at this position. */
    protected final KeyRefs moved()
    {
        return moved;
    }

    /** Partition of a source. */
    protected final int partitionOf(final int source)
    {
        return topology.partitionOf(source);
    }

    /** Wraps an event and finds its key. */
    protected final void locate(
        final KeyedEvent s, final long position, final int source, final long index, final EventView event)
    {
        s.wrap(position, source, topology.streamOf(source), index, event);
        final int length = event.keyLength();
        final int i = keyTouch.at(position);
        final long hash = i < 0 ? KeyHash.hash(s.keyAddress(), length) : keyTouch.hash(i);
        final Slot slot = slots.slot(KeyHash.slot(hash, spec.slots()));
        final int likely = i < 0 ? 0 : keyTouch.refNow(i);
        int ref = 0;
        if (likely != 0 && KeyDescriptor.isKey(slot.arena().address(likely), s.keyAddress(), length))
        {
            ref = likely;
        }
        else if (i < 0 || !keyTouch.isAbsentNow(i))
        {
            ref = keys.find(slot, (int)(hash >>> 32), s.keyAddress(), length);
        }
        s.place(hash, slot, ref);
    }

    /** What was decided about an event moves its clocks. */
    protected final void decided(final KeyedEvent s, final boolean isAccepted)
    {
        if (!s.isRetract())
        {
            clocks.afterValidUpsert(s.source(), s.time());
        }
        if (isAccepted)
        {
            tally.onAccepted();
            if (keyClocks.isOn() && !s.isRetract())
            {
                keyClocks.accepted(s.slot(), s.keyRef(), s.source(), s.time());
            }
        }
    }

    /** Rejects an event that moves its row too far; returns false. */
    protected final boolean movesTooFar(final KeyedEvent s)
    {
        reject(s.position(), s.source(), s.index(), s.event(), RejectReason.MOVES_TOO_FAR);
        return false;
    }

    /** Puts an event off to repair; returns false. */
    protected final boolean late(final KeyedEvent s, final long clock, final LateReason reason)
    {
        tally.onLate();
        outcomes.late(s.position(), s.index(), s.source(), s.stream(), clock, reason, s.event());
        return false;
    }

    /** One more row or tombstone is about to be added. */
    protected final void makeRoom()
    {
        if (keys.rows() < spec.maxRows())
        {
            return;
        }
        sweepAll();
        if (keys.rows() >= spec.maxRows())
        {
            throw new StateFullException("state holds " + keys.rows() + " rows, as many as state.max_rows allows; " +
                keys.heaviest() + "; raise state.max_rows and start again, nothing was dropped");
        }
    }

    private void passDeadlines(final long nowNs)
    {
        while (clocks.nextDeadline(nowNs))
        {
            activityChanged();
        }
    }

    private void activityChanged()
    {
        if (keyClocks.isOn())
        {
            keyClocks.onActivity();
        }
    }

    private void advance(final long position)
    {
        if (keyClocks.isOn())
        {
            keyClocks.settle();
        }
        runClocks(position);
    }

    private void reject(
        final long position, final int source, final long index, final EventView event, final RejectReason reason)
    {
        tally.onRejected();
        outcomes.rejected(
            position, index, topology.streamOf(source), topology.partitionOf(source), reason, event);
    }
}
