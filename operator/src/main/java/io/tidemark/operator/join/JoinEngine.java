package io.tidemark.operator.join;

import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.EventBatch;
import io.tidemark.operator.LateReason;
import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.OutcomePublisher;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.keyed.Calendar;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Times;
import io.tidemark.store.Arena;
import io.tidemark.store.RowCursor;
import io.tidemark.store.Slots;
import io.tidemark.store.page.PageStore;

/**
 * Interval and overlap joins: what becomes of each event, in the steps of SEMANTICS.md section 4. One thread calls it,
 * with every event and tick of the order, once, in order of positions. Its output is a function of these calls and of
 * the specification alone. An event's memory must be native and is not needed after the call. An event that changes
 * nothing allocates nothing, nor does any other once the scratch memory has grown to the largest match.
 */
public final class JoinEngine extends KeyedEngine
{
    private final PipelineSpec spec;
    private final JoinPolicy policy;
    private final RowStates states;
    private final Expiry expiry;
    private final DirectEffect effect;
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
        this(spec, new JoinPolicy(spec.join()), store, changes, outcomes);
    }

    private JoinEngine(
        final PipelineSpec spec,
        final JoinPolicy policy,
        final PageStore store,
        final ChangeSetEncoder changes,
        final OutcomePublisher outcomes)
    {
        // A key of ordinary length with the home of its first row.
        super(spec, new Slots(store, spec.slots()), Arena.marked(Arena.THREE_LINES), policy.waitNs(), outcomes);
        this.spec = spec;
        this.policy = policy;
        this.states = new RowStates(policy);
        this.expiry = new Expiry(spec, policy, clocks(), keyClocks(), keys(), moved(), agenda(0), agenda(1), changes);
        this.effect = new DirectEffect(spec, policy, changes, expiry);
        this.prefetch = new Prefetch(spec, keyTouch());
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
    public Census census()
    {
        return censusTaker().take();
    }

    /** Looks into the state. */
    CensusTaker censusTaker()
    {
        return new CensusTaker(policy, keys(), keyClocks());
    }

    /** For audits of state. */
    Calendar calendar(final int clock)
    {
        return agenda(clock).calendar();
    }

    /**
     * Keys in state.
     *
     * @return keys.
     */
    public long keyCount()
    {
        return keys().count();
    }

    /**
     * Forgets everything that the state holds and gives its pages back. The engine is of no use afterwards.
     */
    public void drop()
    {
        for (int slot = 0; slot < slots().count(); slot++)
        {
            slots().drop(slot);
        }
        close();
    }

    @Override
    public void close()
    {
        super.close();
        expiry.close();
        effect.close();
    }

    @Override
    protected void onRow(final long position, final int source, final long index, final EventView event)
    {
        final Subject s = subject;
        locate(s, position, source, index, event);
        s.side = spec.side(s.stream());
        s.start = s.isRetract() ? s.time() : policy.start(s.side, s.time(), event.start());
        s.end = s.isRetract() ? s.time() : policy.end(s.side, s.time(), event.end());
        s.idHash = Keys.idHash(s.side, s.idAddress(), event.idLength());
        if (s.keyRef() == 0)
        {
            s.clock0 = clocks().fallback(0);
            s.clock1 = clocks().fallback(1);
        }
        else
        {
            final long key = s.slot().arena().address(s.keyRef());
            s.clock0 = keyClocks().clock(s.slot().arena(), key, 0);
            s.clock1 = keyClocks().clock(s.slot().arena(), key, 1);
        }
        decided(s, decide(s));
    }

    @Override
    protected void runClocks(final long position)
    {
        expiry.run(position);
    }

    @Override
    protected void sweepAll()
    {
        expiry.sweepAll();
    }

    @Override
    protected void rebuildAgendas()
    {
        expiry.rebuildAgendas();
    }

    /** Steps 1 to 4 for a valid upsert or retraction; returns whether it was accepted. */
    private boolean decide(final Subject s)
    {
        final boolean isInState = s.keyRef() != 0 && findRow(s);
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
        if (policy.movesTooFar(largest, s.time()))
        {
            return movesTooFar(s);
        }
        if (s.isDuplicateOf(RowDescriptor.revision(row), isTombstone))
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
        if (s.isRetract())
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
        final long key = s.slot().arena().address(s.keyRef());
        final int idLength = s.event().idLength();
        boolean found = s.slot().rows().findFirst(cursor, KeyDescriptor.root(key, s.side), s.keyRef(), s.idHash);
        while (found && !RowDescriptor.hasId(cursor.body(), s.idAddress(), idLength))
        {
            found = s.slot().rows().findNext(cursor, s.keyRef(), s.idHash);
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
        return states.hasOpenPartner(s.slot(), s.slot().arena().address(s.keyRef()), s.side, cursor.start(), row,
            s.clock0, s.clock1);
    }

    private boolean isOnTime(final Subject s)
    {
        return s.time() >= Times.minus(s.acceptanceClock(policy.isJoint()), policy.latenessNs());
    }

    private boolean late(final Subject s, final LateReason reason)
    {
        return late(s, s.acceptanceClock(policy.isJoint()), reason);
    }

    private void onDuplicate(
        final Subject s, final long row, final boolean isTombstone, final boolean isOpen, final long largest)
    {
        tally().onDuplicate();
        if (!s.isRetract() && !isTombstone && s.event().revision() == RowDescriptor.revision(row) &&
            hasOtherContent(s, row) && (isOpen || isGhost(s, row)))
        {
            tally().onConflict();
        }
        if (s.time() > largest)
        {
            noteRowAtCursor(s);
            RowDescriptor.largestTime(row, s.time());
        }
    }

    private boolean hasOtherContent(final Subject s, final long row)
    {
        return RowDescriptor.time(row) != s.time() ||
            RowImage.value(row + RowDescriptor.IMAGE) != s.event().value() ||
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
                expiry.becomesFinalAndLeaves(s.slot(), s.keyRef(), s.side, stale, cursor.length());
            }
            removeAtCursor(s);
        }
        return add(s, s.time());
    }

    private boolean replaceTombstone(final Subject s, final long row, final long largest)
    {
        if (s.isRetract())
        {
            noteRowAtCursor(s);
            RowDescriptor.largestTime(row, Math.max(largest, s.time()));
            putImage(s, row);
            return true;
        }
        removeAtCursor(s);
        return add(s, Math.max(largest, s.time()));
    }

    /** Adds a row or tombstone that is not in state. */
    private boolean add(final Subject s, final long largest)
    {
        makeRoom();
        if (s.keyRef() == 0)
        {
            s.keyRef(keys().createWithHome(s.slot(), s.indexHash(), s.keyAddress(), s.event().keyLength()));
        }
        effect.begin();
        insert(s, largest);
        return true;
    }

    private void insert(final Subject s, final long largest)
    {
        final long key = s.slot().arena().writable(s.keyRef());
        if (!s.isRetract())
        {
            effect.findPartners(s.slot(), key, s.side, s.start, s.end);
        }
        final long row = s.slot().rows().insert(KeyDescriptor.rootAddress(key, s.side), s.keyRef(), s.start, s.idHash,
            RowDescriptor.length(s.event().idLength()), KeyDescriptor.home(s.keyRef(), s.event().keyLength()));
        keys().added(s.slot());
        RowDescriptor.largestTime(row, largest);
        RowDescriptor.end(row, s.end);
        RowImage.putId(row + RowDescriptor.IMAGE, s.idAddress(), s.event().idLength());
        putImage(s, row);
        if (s.isRetract())
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
        final long key = s.slot().arena().writable(s.keyRef());
        effect.begin(s.slot(), key, s.side, cursor.start(), row);
        noteRowAtCursor(s);
        RowDescriptor.largestTime(row, Math.max(largest, s.time()));
        RowDescriptor.pairs(row, 0);
        RowDescriptor.flags(row, RowDescriptor.TOMBSTONE);
        KeyDescriptor.addTombstones(key, 1);
        putImage(s, row);
        finish(s, key, row);
        return true;
    }

    private boolean revise(final Subject s, final long row, final long largest)
    {
        final long key = s.slot().arena().address(s.keyRef());
        effect.begin(s.slot(), key, s.side, cursor.start(), row);
        effect.keepPartners();
        noteRowAtCursor(s);
        RowDescriptor.largestTime(row, Math.max(largest, s.time()));
        if (s.time() == RowDescriptor.time(row))
        {
            RowDescriptor.publishedNothing(row);
        }
        else
        {
            // it may close at another time, which no agenda knows
            RowDescriptor.flags(row, 0);
        }
        putImage(s, row);
        finish(s, key, row);
        return true;
    }

    private boolean move(final Subject s, final long row, final long largest)
    {
        effect.begin(s.slot(), s.slot().arena().address(s.keyRef()), s.side, cursor.start(), row);
        removeAtCursor(s);
        insert(s, Math.max(largest, s.time()));
        return true;
    }

    private void finish(final Subject s, final long key, final long row)
    {
        final boolean isRow = !s.isRetract();
        effect.publish(s.position(), s.stream(), partitionOf(s.source()), s.index(), s.slot(), s.keyRef(), s.side,
            isRow ? row : 0, s.clock0, s.clock1);
        if (isRow && states.isPending(s.side, row))
        {
            if (states.isOpen(s.side, row, s.clock0, s.clock1))
            {
                expiry.schedulePending(s.slot(), s.keyRef(), s.side, row, s.idHash);
            }
            else
            {
                expiry.becomesFinal(s.slot(), s.keyRef(), s.side, row);
            }
        }
        else
        {
            expiry.scheduleCleanUp(s.slot(), s.keyRef(), key, s.side, row);
        }
    }

    private void putImage(final Subject s, final long row)
    {
        RowImage.put(row + RowDescriptor.IMAGE, s.event().revision(), s.time(), s.event().value(),
            partitionOf(s.source()), s.index());
    }

    /** The row at the cursor is about to be written to. */
    private void noteRowAtCursor(final Subject s)
    {
        s.slot().arena().writable(cursor.leaf());
    }

    private void removeAtCursor(final Subject s)
    {
        final long key = s.slot().arena().writable(s.keyRef());
        if (RowDescriptor.isTombstone(cursor.body()))
        {
            KeyDescriptor.addTombstones(key, -1);
        }
        s.slot().rows().remove(KeyDescriptor.rootAddress(key, s.side), cursor.leaf(), 1L << cursor.entry());
        keys().removed(s.slot(), 1);
    }
}
