package io.tidemark.operator.session;

import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyClocks;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;

/**
 * Sessions: what becomes of each event, in the steps of SEMANTICS.md section 4 with "open" meaning that the member's
 * session is not final (section 7). One thread calls it, with every event and tick of the order, once, in order of
 * positions. Its output is a function of these calls and of the specification alone. An event's memory must be native
 * and is not needed after the call. Allocates nothing once its scratch memory has grown to the most sessions that
 * became final at once.
 */
public final class SessionEngine extends KeyedEngine
{
    /** Bytes. */
    private static final int ORDINARY_KEY = 16;

    private final SessionPolicy policy;
    private final Finality finality;
    private final SessionChanges changes;
    private final DirectPublication publication;
    private final Members members;
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
        this(spec, new SessionPolicy(spec.session()), store, changes, outcomes);
    }

    private SessionEngine(
        final PipelineSpec spec,
        final SessionPolicy policy,
        final PageStore store,
        final ChangeSetEncoder changes,
        final OutcomePublisher outcomes)
    {
        super(spec, new Slots(store, spec.slots(), MemberDescriptor::value), KeyDescriptor.classFor(ORDINARY_KEY),
            policy.waitNs(), outcomes);
        this.policy = policy;
        this.finality = new Finality(
            spec, policy, clocks(), keyClocks(), keys(), moved(), agenda(0), changes.ofSessions());
        this.changes = new SessionChanges(policy);
        this.publication = new DirectPublication(spec, policy, changes.ofSessions(), finality);
        this.members = new Members(policy, keys());
        this.prefetch = new Prefetch(keyTouch());
    }

    @Override
    public void prepare(final EventBatch batch)
    {
        prefetch.touch(batch);
    }

    /**
     * Counts what the state holds, by looking at every row.
     *
     * @return the count.
     */
    public SessionCensus census()
    {
        return new CensusTaker(policy, keys(), keyClocks()).take();
    }

    @Override
    public void close()
    {
        super.close();
        finality.close();
        changes.close();
        publication.close();
    }

    @Override
    protected void onRow(final long position, final int source, final long index, final EventView event)
    {
        final Subject s = subject;
        locate(s, position, source, index, event);
        s.memberHash = Keys.idHash(0, s.idAddress(), event.idLength());
        s.tombstoneHash = s.memberHash | 1;
        s.clock = s.keyRef() == 0 ?
            clocks().fallback(0) : keyClocks().clock(s.slot().arena(), s.slot().arena().address(s.keyRef()), 0);
        decided(s, decide(s));
    }

    @Override
    protected void runClocks(final long position)
    {
        finality.run(position);
    }

    @Override
    protected void sweepAll()
    {
        finality.sweepAll();
    }

    @Override
    protected void rebuildAgendas()
    {
        finality.rebuildAgenda();
    }

    /** For audits of state. */
    Calendar calendar()
    {
        return agenda(0).calendar();
    }

    /** For audits of state. */
    Keys keyed()
    {
        return keys();
    }

    /** For audits of state. */
    KeyClocks clocksOfKeys()
    {
        return keyClocks();
    }

    /** Steps 1 to 4 for a valid upsert or retraction; returns whether it was accepted. */
    private boolean decide(final Subject s)
    {
        if (s.keyRef() != 0 && members.find(s, cursor))
        {
            return decideMember(s);
        }
        if (s.keyRef() != 0 && members.findTombstone(s, cursor))
        {
            return decideTombstone(s);
        }
        return isOnTime(s) ? add(s, s.time()) : late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
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
        if (policy.isTooFar(largest, s.time()))
        {
            return movesTooFar(s);
        }
        if (s.isDuplicateOf(MemberDescriptor.revision(row), false))
        {
            final boolean isOther = s.time() != time || s.event().value() != MemberDescriptor.value(row);
            if (isOpen && isOther && !s.isRetract() && s.event().revision() == MemberDescriptor.revision(row))
            {
                tally().onConflict();
            }
            s.slot().arena().writable(cursor.leaf());
            MemberDescriptor.largestTime(row, Math.max(largest, s.time()));
            tally().onDuplicate();
            return false;
        }
        if (!isOpen)
        {
            return late(s, LateReason.ROW_NOT_OPEN);
        }
        if (!s.isRetract() && s.time() != time && !isOnTime(s))
        {
            return late(s, LateReason.MOVED_BEFORE_ACCEPTANCE_CLOCK);
        }
        change(s, time, MemberDescriptor.value(row), Math.max(largest, s.time()));
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
        if (policy.isTooFar(largest, s.time()))
        {
            return movesTooFar(s);
        }
        if (s.isDuplicateOf(MemberDescriptor.revision(row), true))
        {
            members.tombstoneSaw(s, cursor, MemberDescriptor.revision(row));
            tally().onDuplicate();
            return false;
        }
        if (!isOnTime(s))
        {
            return late(s, LateReason.BEFORE_ACCEPTANCE_CLOCK);
        }
        if (s.isRetract())
        {
            members.tombstoneSaw(s, cursor, s.event().revision());
            return true;
        }
        members.removeTombstone(s, cursor);
        return add(s, Math.max(largest, s.time()));
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
        return add(s, s.time());
    }

    /** Adds a member or a tombstone that is not in state. */
    private boolean add(final Subject s, final long largest)
    {
        makeRoom();
        if (s.keyRef() == 0)
        {
            s.keyRef(keys().create(s.slot(), s.indexHash(), s.keyAddress(), s.event().keyLength()));
        }
        s.slot().arena().writable(s.keyRef());
        if (s.isRetract())
        {
            members.addTombstone(s, largest);
            finality.scheduleCleanUp(s.slot(), s.keyRef(), policy.forgottenAfter(largest));
            return true;
        }
        changes.begin(s.slot(), s.keyRef());
        members.add(s, largest);
        changes.add(s.time(), s.event().value());
        publish(s, largest);
        return true;
    }

    /** Applies an upsert or a retraction to the open member at the cursor. */
    private void change(final Subject s, final long time, final long value, final long largest)
    {
        s.slot().arena().writable(s.keyRef());
        changes.begin(s.slot(), s.keyRef());
        if (!s.isRetract() && s.time() == time)
        {
            members.revise(s, cursor, largest);
            if (s.event().value() == value)
            {
                return;
            }
            changes.revise(time, value, s.event().value());
        }
        else
        {
            members.remove(s, cursor);
            changes.remove(time, value);
            if (s.isRetract())
            {
                members.addTombstone(s, largest);
            }
            else
            {
                members.add(s, largest);
                changes.add(s.time(), s.event().value());
            }
        }
        publish(s, largest);
    }

    private void publish(final Subject s, final long largest)
    {
        publication.publish(s, partitionOf(s.source()), changes);
        finality.scheduleCleanUp(s.slot(), s.keyRef(), leavesAfter(s, largest));
    }

    /** No earlier than this can what the event left in state leave it. */
    private long leavesAfter(final Subject s, final long largest)
    {
        if (s.isRetract())
        {
            return policy.forgottenAfter(largest);
        }
        return policy.aggregates() ?
            policy.aggregatedAfter(s.time()) : Math.max(policy.finalAfter(s.time()), policy.forgottenAfter(largest));
    }

    private boolean isOnTime(final Subject s)
    {
        return policy.isOnTime(s.time(), s.clock);
    }

    private boolean late(final Subject s, final LateReason reason)
    {
        return late(s, s.clock, reason);
    }
}
