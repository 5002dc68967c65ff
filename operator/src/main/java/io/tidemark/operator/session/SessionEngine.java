package io.tidemark.operator.session;

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
import io.tidemark.operator.clock.Clocks;
import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyHash;
import io.tidemark.operator.keyed.KeyRefs;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;
import io.tidemark.store.page.StateFullException;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sessions: what becomes of each event, in the steps of SEMANTICS.md section 4 with "open" meaning that the member's
 * session is not final (section 7). One thread calls it, with every event and tick of the order, once, in order of
 * positions. Its output is a function of these calls and of the specification alone. An event's memory must be native
 * and is not needed after the call. Allocates nothing once its scratch memory has grown to the most sessions that
 * became final at once.
 */
public final class SessionEngine implements Operator
{
    static final int FIRST_EPOCH = 1;
    static final int FIRST_GENERATION = 1;

    private final PipelineSpec spec;
    private final Topology topology;
    private final EventRules rules;
    private final SessionPolicy policy;
    private final Clocks clocks;
    private final Slots slots;
    private final Keys keys;
    private final KeyClocks keyClocks;
    private final KeyRefs moved = new KeyRefs();
    private final Finality finality;
    private final SessionChanges changes;
    private final DirectPublication publication;
    private final Members members;
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
    public SessionEngine(
        final PipelineSpec spec,
        final PageStore store,
        final ChangeSetEncoder changes,
        final OutcomePublisher outcomes)
    {
        this.spec = spec;
        this.topology = spec.topology();
        this.rules = EventRules.of(spec.rule(), spec.watermark());
        this.policy = new SessionPolicy(spec.session());
        this.clocks = Clocks.of(spec);
        this.slots = new Slots(store, spec.slots(), policy.bucketNs(), MemberDescriptor::value);
        this.keys = new Keys(slots);
        this.keyClocks = new KeyClocks(spec, clocks, slots, moved);
        this.finality = new Finality(spec, policy, clocks, keyClocks, keys, moved, changes.ofSessions());
        this.changes = new SessionChanges(policy);
        this.publication = new DirectPublication(spec, policy, changes.ofSessions(), finality);
        this.members = new Members(policy, keys);
        this.outcomes = outcomes;
        this.prefetch = new Prefetch(slots);
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
    public void onTick(final long position, final long nowNs)
    {
        passDeadlines(nowNs);
        clocks.tick(nowNs);
        advance(position);
    }

    /**
     * Counts what the state holds, by looking at every row.
     *
     * @return the count.
     */
    public SessionCensus census()
    {
        return new CensusTaker(policy, keys, keyClocks).take();
    }

    /** For audits of state. */
    Keys keyed()
    {
        return keys;
    }

    /** For audits of state. */
    KeyClocks keyClocks()
    {
        return keyClocks;
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

    /** Members and tombstones, those that are gone but not taken out yet included. */
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
            throw new IllegalArgumentException(
                "registers of sessions have " + restored + " bytes here, not " + length);
        }
        keys.recount();
        keyClocks.settle();
        finality.rebuildAgenda();
    }

    /** Frees native memory; the page store is the caller's to close. */
    @Override
    public void close()
    {
        slots.close();
        finality.close();
        changes.close();
        publication.close();
        moved.close();
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
        finality.run(position);
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
        s.index = index;
        s.event = event;
        s.isRetract = event.kind() == EventKind.RETRACT;
        s.time = event.time();
        final long memory = event.buffer().addressOffset();
        s.keyAddress = memory + event.keyOffset();
        s.idAddress = memory + event.idOffset();
        s.keyHash = KeyHash.hash(s.keyAddress, event.keyLength());
        s.memberHash = Keys.idHash(0, s.idAddress, event.idLength());
        s.tombstoneHash = s.memberHash | 1;
        s.slot = slots.slot(KeyHash.slot(s.keyHash, spec.slots()));
        s.keyRef = keys.find(s.slot, (int)(s.keyHash >>> 32), s.keyAddress, event.keyLength());
        s.clock = s.keyRef == 0 ?
            clocks.fallback(0) : keyClocks.clock(s.slot.arena(), s.slot.arena().address(s.keyRef), 0);
    }

    /** Steps 1 to 4 for a valid upsert or retraction; returns whether it was accepted. */
    private boolean decide(final Subject s)
    {
        if (s.keyRef != 0 && members.find(s, cursor))
        {
            return decideMember(s);
        }
        if (s.keyRef != 0 && members.findTombstone(s, cursor))
        {
            return decideTombstone(s);
        }
        return isOnTime(s) ? add(s, s.time) : late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
    }

    private boolean decideMember(final Subject s)
    {
        final long row = cursor.body();
        final long time = cursor.start();
        final long largest = MemberDescriptor.largestTime(row);
        final boolean isOpen = members.isOpen(s, time);
        if (!isOpen && policy.isForgotten(largest, s.clock))
        {
            return replaceForgotten(s);
        }
        if (policy.isTooFar(largest, s.time))
        {
            reject(s.position, s.source, s.index, s.event, RejectReason.MOVES_TOO_FAR);
            return false;
        }
        if (isDuplicate(s, row, false))
        {
            final boolean isOther = s.time != time || s.event.value() != MemberDescriptor.value(row);
            if (isOpen && isOther && !s.isRetract && s.event.revision() == MemberDescriptor.revision(row))
            {
                tally.onConflict();
            }
            s.slot.arena().writable(cursor.leaf());
            MemberDescriptor.largestTime(row, Math.max(largest, s.time));
            tally.onDuplicate();
            return false;
        }
        if (!isOpen)
        {
            return late(s, LateReason.ROW_NOT_OPEN);
        }
        if (!s.isRetract && s.time != time && !isOnTime(s))
        {
            return late(s, LateReason.MOVED_BEFORE_ACCEPTANCE_CLOCK);
        }
        change(s, time, MemberDescriptor.value(row), Math.max(largest, s.time));
        return true;
    }

    private boolean decideTombstone(final Subject s)
    {
        final long row = cursor.body();
        final long largest = MemberDescriptor.largestTime(row);
        if (policy.isForgotten(largest, s.clock))
        {
            return replaceForgotten(s);
        }
        if (policy.isTooFar(largest, s.time))
        {
            reject(s.position, s.source, s.index, s.event, RejectReason.MOVES_TOO_FAR);
            return false;
        }
        if (isDuplicate(s, row, true))
        {
            members.tombstoneSaw(s, cursor, MemberDescriptor.revision(row));
            tally.onDuplicate();
            return false;
        }
        if (!isOnTime(s))
        {
            return late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
        }
        if (s.isRetract)
        {
            members.tombstoneSaw(s, cursor, s.event.revision());
            return true;
        }
        members.removeTombstone(s, cursor);
        return add(s, Math.max(largest, s.time));
    }

    /** An event without a record, where a row or tombstone is that has not been taken out yet. */
    private boolean replaceForgotten(final Subject s)
    {
        if (!isOnTime(s))
        {
            return late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
        }
        if ((cursor.hash() & 1) == 0)
        {
            members.removeForgotten(s, cursor);
        }
        else
        {
            members.removeTombstone(s, cursor);
        }
        return add(s, s.time);
    }

    /** Adds a member or a tombstone that is not in state. */
    private boolean add(final Subject s, final long largest)
    {
        makeRoom();
        if (s.keyRef == 0)
        {
            s.keyRef = keys.create(s.slot, (int)(s.keyHash >>> 32), s.keyAddress, s.event.keyLength());
        }
        s.slot.arena().writable(s.keyRef);
        if (s.isRetract)
        {
            members.addTombstone(s, largest);
            finality.scheduleCleanUp(s.slot, s.keyRef, policy.forgottenAfter(largest));
            return true;
        }
        changes.begin(s.slot, s.keyRef);
        members.add(s, largest);
        changes.add(s.time, s.event.value());
        publish(s, largest);
        return true;
    }

    /** Applies an upsert or a retraction to the open member at the cursor. */
    private void change(final Subject s, final long time, final long value, final long largest)
    {
        s.slot.arena().writable(s.keyRef);
        changes.begin(s.slot, s.keyRef);
        if (!s.isRetract && s.time == time)
        {
            members.revise(s, cursor, largest);
            if (s.event.value() == value)
            {
                return;
            }
            changes.revise(time, value, s.event.value());
        }
        else
        {
            members.remove(s, cursor);
            changes.remove(time, value);
            if (s.isRetract)
            {
                members.addTombstone(s, largest);
            }
            else
            {
                members.add(s, largest);
                changes.add(s.time, s.event.value());
            }
        }
        publish(s, largest);
    }

    private void publish(final Subject s, final long largest)
    {
        publication.publish(s, topology.partitionOf(s.source), changes);
        finality.scheduleCleanUp(s.slot, s.keyRef, leavesAfter(s, largest));
    }

    /** No earlier than this can what the event left in state leave it. */
    private long leavesAfter(final Subject s, final long largest)
    {
        if (s.isRetract)
        {
            return policy.forgottenAfter(largest);
        }
        return policy.aggregates() ?
            policy.aggregatedAfter(s.time) : Math.max(policy.finalAfter(s.time), policy.forgottenAfter(largest));
    }

    private boolean isOnTime(final Subject s)
    {
        return policy.isOnTime(s.time, s.clock);
    }

    private boolean late(final Subject s, final LateReason reason)
    {
        tally.onLate();
        outcomes.late(s.position, s.index, s.source, s.stream, s.clock, reason, s.event);
        return false;
    }

    private static boolean isDuplicate(final Subject s, final long row, final boolean isTombstone)
    {
        final int recorded = MemberDescriptor.revision(row);
        final int revision = s.event.revision();
        return revision < recorded || (revision == recorded && (isTombstone || !s.isRetract));
    }

    private void makeRoom()
    {
        if (keys.rows() < spec.maxRows())
        {
            return;
        }
        finality.sweepAll();
        if (keys.rows() >= spec.maxRows())
        {
            throw new StateFullException("state holds " + keys.rows() + " rows, as many as state.max_rows allows; " +
                keys.heaviest() + "; raise state.max_rows and start again, nothing was dropped");
        }
    }
}
