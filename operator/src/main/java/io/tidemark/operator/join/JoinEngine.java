package io.tidemark.operator.join;

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
import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import io.tidemark.store.page.StateFullException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Interval and overlap joins: what becomes of each event, in the steps of SEMANTICS.md section 4. One thread calls it,
 * with every event and tick of the order, once, in order of positions. Its output is a function of these calls and of
 * the specification alone. An event's memory must be native and is not needed after the call. An event that changes
 * nothing allocates nothing, nor does any other once the scratch memory has grown to the largest match.
 */
public final class JoinEngine implements Operator
{
    static final int FIRST_EPOCH = 1;
    static final int FIRST_GENERATION = 1;

    private final PipelineSpec spec;
    private final Topology topology;
    private final EventRules rules;
    private final JoinPolicy policy;
    private final Clocks clocks;
    private final Slots slots;
    private final Keys keys;
    private final KeyClocks keyClocks;
    private final KeyRefs moved = new KeyRefs();
    private final RowStates states;
    private final Expiry expiry;
    private final DirectEffect effect;
    private final OutcomePublisher outcomes;
    private final Tally tally = new Tally();
    private final RowCursor cursor = new RowCursor();
    private final Subject subject = new Subject();
    private final Prefetch prefetch;

    /**
     * Creates an engine with empty state.
     *
     * @param spec     what to compute.
     * @param store    where its state lives; empty, and the caller's to close.
     * @param changes  takes change-sets.
     * @param outcomes takes late and rejected events.
     */
    public JoinEngine(
        final PipelineSpec spec,
        final PageStore store,
        final ChangeSetEncoder changes,
        final OutcomePublisher outcomes)
    {
        this.spec = spec;
        this.topology = spec.topology();
        this.rules = EventRules.of(spec.rule(), spec.watermark());
        this.policy = new JoinPolicy(spec.join());
        this.clocks = Clocks.of(spec);
        this.slots = new Slots(store, spec.slots(), policy.bucketNs());
        this.keys = new Keys(slots);
        this.keyClocks = new KeyClocks(spec, clocks, slots, moved);
        this.states = new RowStates(policy);
        this.expiry = new Expiry(spec, policy, clocks, keyClocks, keys, moved, changes);
        this.effect = new DirectEffect(spec, policy, changes, expiry);
        this.outcomes = outcomes;
        this.prefetch = new Prefetch(spec, slots);
    }

    @Override
    public void prepare(final EventBatch batch)
    {
        prefetch.touch(batch);
    }

    /**
     * {@inheritDoc}
     *
     * @throws StateFullException before an event that would take state beyond its limit; the engine is of no use then.
     */
    @Override
    public void onEvent(final long position, final int source, final long index, final EventView event)
    {
        tally.onEvent();
        while (clocks.nextDeadline(event.arrival()))
        {
            activityChanged();
        }
        final long changes = clocks.activityChanges();
        clocks.activate(source, event.arrival());
        if (clocks.activityChanges() != changes)
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
    public void onTick(final long position, final long nowNs)
    {
        while (clocks.nextDeadline(nowNs))
        {
            activityChanged();
        }
        clocks.tick(nowNs);
        advance(position);
    }

    /**
     * Counts what the state holds, by looking at every row.
     *
     * @return the count.
     */
    public Census census()
    {
        return censusTaker().take();
    }

    /** Looks into the state. */
    CensusTaker censusTaker()
    {
        return new CensusTaker(policy, keys, keyClocks);
    }

    @Override
    public Tally tally()
    {
        return tally;
    }

    @Override
    public Clocks clocks()
    {
        return clocks;
    }

    /** Those that are gone but not taken out yet included, and tombstones. */
    @Override
    public long rows()
    {
        return keys.rows();
    }

    @Override
    public long stateBytes()
    {
        return slots.pages() * PageStore.PAGE_SIZE;
    }

    @Override
    public Slots slots()
    {
        return slots;
    }

    @Override
    public int saveRegisters(final MutableDirectBuffer to, final int offset)
    {
        final int length = tally.save(to, offset);
        return length + clocks.save(to, offset + length);
    }

    @Override
    public void restore(final DirectBuffer from, final int offset, final int length)
    {
        final int tallyLength = tally.restore(from, offset);
        final int restored = tallyLength + clocks.restore(from, offset + tallyLength);
        if (restored != length)
        {
            throw new IllegalArgumentException("registers of a join have " + restored + " bytes here, not " + length);
        }
        keys.recount();
        keyClocks.settle();
        expiry.rebuildAgendas();
    }

    /**
     * Keys in state.
     *
     * @return keys.
     */
    public long keys()
    {
        return keys.count();
    }

    /**
     * Forgets everything that the state holds and gives its pages back. The engine is of no use afterwards.
     */
    public void drop()
    {
        for (int slot = 0; slot < slots.count(); slot++)
        {
            slots.drop(slot);
        }
        close();
    }

    /** Frees native memory; the page store is the caller's to close. */
    @Override
    public void close()
    {
        slots.close();
        expiry.close();
        effect.close();
        moved.close();
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
        expiry.run(position);
    }

    private void reject(
        final long position, final int source, final long index, final EventView event, final RejectReason reason)
    {
        tally.onRejected();
        outcomes.rejected(
            position, index, topology.streamOf(source), topology.partitionOf(source), reason, event);
    }

    private void onRow(final long position, final int source, final long index, final EventView event)
    {
        final Subject s = subject;
        locate(s, position, source, index, event);
        final boolean isAccepted = decide(s);
        if (!s.isRetract)
        {
            clocks.afterValidUpsert(source, s.time);
        }
        if (isAccepted)
        {
            tally.onAccepted();
            if (keyClocks.isOn() && !s.isRetract)
            {
                keyClocks.accepted(s.slot, s.keyRef, source, s.time);
            }
        }
    }

    private void locate(
        final Subject s, final long position, final int source, final long index, final EventView event)
    {
        s.position = position;
        s.source = source;
        s.stream = topology.streamOf(source);
        s.side = spec.side(s.stream);
        s.index = index;
        s.event = event;
        s.isRetract = event.kind() == EventKind.RETRACT;
        s.time = event.time();
        s.start = s.isRetract ? s.time : policy.start(s.side, s.time, event.start());
        s.end = s.isRetract ? s.time : policy.end(s.side, s.time, event.end());
        final long memory = event.buffer().addressOffset();
        s.keyAddress = memory + event.keyOffset();
        s.idAddress = memory + event.idOffset();
        s.keyHash = KeyHash.hash(s.keyAddress, event.keyLength());
        s.idHash = Keys.idHash(s.side, s.idAddress, event.idLength());
        s.slot = slots.slot(KeyHash.slot(s.keyHash, spec.slots()));
        s.keyRef = keys.find(s.slot, (int)(s.keyHash >>> 32), s.keyAddress, event.keyLength());
        if (s.keyRef == 0)
        {
            s.clock0 = clocks.fallback(0);
            s.clock1 = clocks.fallback(1);
        }
        else
        {
            final long key = s.slot.arena().address(s.keyRef);
            s.clock0 = keyClocks.clock(s.slot.arena(), key, 0);
            s.clock1 = keyClocks.clock(s.slot.arena(), key, 1);
        }
    }

    /** Steps 1 to 4 for a valid upsert or retraction; returns whether it was accepted. */
    private boolean decide(final Subject s)
    {
        final boolean isInState = s.keyRef != 0 && findRow(s);
        final long row = isInState ? cursor.body() : 0;
        if (!isInState)
        {
            return decideUnknown(s, 0);
        }
        final boolean isTombstone = RowDescriptor.isTombstone(row);
        final boolean isOpen = !isTombstone && states.isOpen(s.side, row, s.clock0, s.clock1);
        if (!isOpen && !isKnown(s, row, isTombstone))
        {
            return decideUnknown(s, row);
        }
        final long largest = RowDescriptor.largestTime(row);
        if (policy.movesTooFar(largest, s.time))
        {
            reject(s.position, s.source, s.index, s.event, RejectReason.MOVES_TOO_FAR);
            return false;
        }
        if (s.isDuplicateOf(row, isTombstone))
        {
            onDuplicate(s, row, isTombstone, isOpen, largest);
            return false;
        }
        if (isTombstone)
        {
            return isOnTime(s) ? replaceTombstone(s, row, largest) : late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
        }
        if (!isOpen)
        {
            return late(s, LateReason.ROW_NOT_OPEN);
        }
        if (s.isRetract)
        {
            return retract(s, row, largest);
        }
        final boolean isMoved = s.start != cursor.start() || s.end != RowDescriptor.end(row);
        if (isMoved && !isOnTime(s))
        {
            return late(s, LateReason.MOVED_BEFORE_ACCEPTANCE_CLOCK);
        }
        return isMoved ? move(s, row, largest) : revise(s, row, largest);
    }

    private boolean findRow(final Subject s)
    {
        final long key = s.slot.arena().address(s.keyRef);
        final int idLength = s.event.idLength();
        boolean found = s.slot.rows().findFirst(cursor, KeyDescriptor.root(key, s.side), s.keyRef, s.idHash);
        while (found && !RowDescriptor.hasId(cursor.body(), s.idAddress, idLength))
        {
            found = s.slot.rows().findNext(cursor, s.keyRef, s.idHash);
        }
        return found;
    }

    /** Whether the record of a row that is not open is known. */
    private boolean isKnown(final Subject s, final long row, final boolean isTombstone)
    {
        return !states.isForgotten(s.side, row, s.clock0, s.clock1) || (!isTombstone && isGhost(s, row));
    }

    private boolean isGhost(final Subject s, final long row)
    {
        return states.hasOpenPartner(s.slot, s.slot.arena().address(s.keyRef), s.side, cursor.start(), row,
            s.clock0, s.clock1);
    }

    private boolean isOnTime(final Subject s)
    {
        return s.time >= Times.minus(s.acceptanceClock(policy.isJoint()), policy.latenessNs());
    }

    private boolean late(final Subject s, final LateReason reason)
    {
        tally.onLate();
        outcomes.late(s.position, s.index, s.source, s.stream, s.acceptanceClock(policy.isJoint()), reason, s.event);
        return false;
    }

    private void onDuplicate(
        final Subject s, final long row, final boolean isTombstone, final boolean isOpen, final long largest)
    {
        tally.onDuplicate();
        if (!s.isRetract && !isTombstone && s.event.revision() == RowDescriptor.revision(row) &&
            hasOtherContent(s, row) && (isOpen || isGhost(s, row)))
        {
            tally.onConflict();
        }
        if (s.time > largest)
        {
            noteRowAtCursor(s);
            RowDescriptor.largestTime(row, s.time);
        }
    }

    private boolean hasOtherContent(final Subject s, final long row)
    {
        return RowDescriptor.time(row) != s.time ||
            RowImage.value(row + RowDescriptor.IMAGE) != s.event.value() ||
            (policy.isOverlap() && (cursor.start() != s.start || RowDescriptor.end(row) != s.end));
    }

    /** An event without a record; {@code stale} is a row that is gone but not taken out yet, or 0. */
    private boolean decideUnknown(final Subject s, final long stale)
    {
        if (!isOnTime(s))
        {
            return late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
        }
        if (stale != 0)
        {
            if (states.isPending(s.side, stale))
            {
                expiry.becomesFinalAndLeaves(s.slot, s.keyRef, s.side, stale, cursor.length());
            }
            removeAtCursor(s);
        }
        return add(s, s.time);
    }

    private boolean replaceTombstone(final Subject s, final long row, final long largest)
    {
        if (s.isRetract)
        {
            noteRowAtCursor(s);
            RowDescriptor.largestTime(row, Math.max(largest, s.time));
            putImage(s, row);
            return true;
        }
        removeAtCursor(s);
        return add(s, Math.max(largest, s.time));
    }

    /** Adds a row or tombstone that is not in state. */
    private boolean add(final Subject s, final long largest)
    {
        makeRoom();
        if (s.keyRef == 0)
        {
            s.keyRef = keys.createWithHome(s.slot, (int)(s.keyHash >>> 32), s.keyAddress, s.event.keyLength());
        }
        effect.begin();
        insert(s, largest);
        return true;
    }

    private void insert(final Subject s, final long largest)
    {
        final long key = s.slot.arena().writable(s.keyRef);
        if (!s.isRetract)
        {
            effect.findPartners(s.slot, key, s.side, s.start, s.end);
        }
        final long row = s.slot.rows().insert(KeyDescriptor.rootAddress(key, s.side), s.keyRef, s.start, s.idHash,
            RowDescriptor.length(s.event.idLength()), KeyDescriptor.home(s.keyRef, s.event.keyLength()));
        keys.added(s.slot);
        RowDescriptor.largestTime(row, largest);
        RowDescriptor.end(row, s.end);
        RowImage.putId(row + RowDescriptor.IMAGE, s.idAddress, s.event.idLength());
        putImage(s, row);
        if (s.isRetract)
        {
            RowDescriptor.flags(row, RowDescriptor.TOMBSTONE);
            KeyDescriptor.addTombstones(key, 1);
        }
        else
        {
            RowDescriptor.pairs(row, effect.partners());
        }
        finish(s, key, row);
    }

    private boolean retract(final Subject s, final long row, final long largest)
    {
        final long key = s.slot.arena().writable(s.keyRef);
        effect.begin(s.slot, key, s.side, cursor.start(), row);
        noteRowAtCursor(s);
        RowDescriptor.largestTime(row, Math.max(largest, s.time));
        RowDescriptor.pairs(row, 0);
        RowDescriptor.flags(row, RowDescriptor.TOMBSTONE);
        KeyDescriptor.addTombstones(key, 1);
        putImage(s, row);
        finish(s, key, row);
        return true;
    }

    private boolean revise(final Subject s, final long row, final long largest)
    {
        final long key = s.slot.arena().address(s.keyRef);
        effect.begin(s.slot, key, s.side, cursor.start(), row);
        effect.keepPartners();
        noteRowAtCursor(s);
        RowDescriptor.largestTime(row, Math.max(largest, s.time));
        if (s.time == RowDescriptor.time(row))
        {
            RowDescriptor.publishedNothing(row);
        }
        else
        {
            // it may close at another time, which no calendar knows
            RowDescriptor.flags(row, 0);
        }
        putImage(s, row);
        finish(s, key, row);
        return true;
    }

    private boolean move(final Subject s, final long row, final long largest)
    {
        effect.begin(s.slot, s.slot.arena().address(s.keyRef), s.side, cursor.start(), row);
        removeAtCursor(s);
        insert(s, Math.max(largest, s.time));
        return true;
    }

    private void finish(final Subject s, final long key, final long row)
    {
        final boolean isRow = !s.isRetract;
        effect.publish(s.position, s.stream, topology.partitionOf(s.source), s.index, s.slot, s.keyRef, s.side,
            isRow ? row : 0, s.clock0, s.clock1);
        if (isRow && states.isPending(s.side, row))
        {
            if (states.isOpen(s.side, row, s.clock0, s.clock1))
            {
                expiry.schedulePending(s.slot, s.keyRef, s.side, row, s.idHash);
            }
            else
            {
                expiry.becomesFinal(s.slot, s.keyRef, s.side, row);
            }
        }
        else
        {
            expiry.scheduleCleanUp(s.slot, s.keyRef, key, s.side, row);
        }
    }

    private void putImage(final Subject s, final long row)
    {
        RowImage.put(row + RowDescriptor.IMAGE, s.event.revision(), s.time, s.event.value(),
            topology.partitionOf(s.source), s.index);
    }

    /** The row at the cursor is about to be written to. */
    private void noteRowAtCursor(final Subject s)
    {
        s.slot.arena().writable(cursor.leaf());
    }

    private void removeAtCursor(final Subject s)
    {
        final long key = s.slot.arena().writable(s.keyRef);
        if (RowDescriptor.isTombstone(cursor.body()))
        {
            KeyDescriptor.addTombstones(key, -1);
        }
        s.slot.rows().remove(KeyDescriptor.rootAddress(key, s.side), cursor.leaf(), 1L << cursor.entry());
        keys.removed(s.slot, 1);
    }

    private void makeRoom()
    {
        if (keys.rows() < spec.maxRows())
        {
            return;
        }
        expiry.sweepAll();
        if (keys.rows() >= spec.maxRows())
        {
            throw new StateFullException("state holds " + keys.rows() + " rows, as many as state.max_rows allows; " +
                keys.heaviest() + "; raise state.max_rows and start again, nothing was dropped");
        }
    }
}
