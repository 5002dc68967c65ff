package io.tidemark.operator.join;

import io.tidemark.operator.change.ChangeSetEncoder;
import io.tidemark.operator.change.RowImage;
import io.tidemark.operator.keyed.KeyDescriptor;
import io.tidemark.operator.keyed.KeyedEngine;
import io.tidemark.operator.keyed.Keys;
import io.tidemark.operator.spec.PipelineSpec;
import io.tidemark.operator.spec.Unmatched;
import io.tidemark.store.Slot;
import org.agrona.UnsafeApi;

/**
 * The direct effect of one accepted event on the results (SEMANTICS.md sections 4 and 6): which pairs and unmatched
 * rows it ends and makes, as one change-set. The row that the event is about is the subject; its partners lose the
 * pairs of the subject as it was and gain those of the subject as it is.
 */
final class DirectEffect
{
    private final PipelineSpec spec;
    private final ChangeSetEncoder changes;
    private final Expiry expiry;
    private final RowStates states;
    private final Probe probe;
    private final boolean provisional;
    private final Images before = new Images();
    private final Images after = new Images();
    private final Images unmatchedBefore = new Images();
    private final Images unmatchedAfter = new Images();
    private final long oldImage = UnsafeApi.allocateMemory(RowImage.MAX_LENGTH);
    private boolean oldWasPublished;
    private boolean samePartners;

    DirectEffect(
        final PipelineSpec spec, final JoinPolicy policy, final ChangeSetEncoder changes, final Expiry expiry)
    {
        this.spec = spec;
        this.changes = changes;
        this.expiry = expiry;
        this.states = new RowStates(policy);
        this.probe = new Probe(policy);
        this.provisional = spec.join().unmatched() == Unmatched.PROVISIONAL;
    }

    /** Begins with a subject that was not there. */
    void begin()
    {
        oldWasPublished = false;
        samePartners = false;
        before.clear();
        after.clear();
        unmatchedBefore.clear();
        unmatchedAfter.clear();
    }

    /** Begins with a subject that was there and may now be written to or removed. */
    void begin(final Slot slot, final long key, final int side, final long start, final long row)
    {
        begin();
        oldWasPublished = (RowDescriptor.flags(row) & RowDescriptor.PROVISIONAL) != 0;
        UnsafeApi.copyMemory(row + RowDescriptor.IMAGE, oldImage, RowImage.lengthAt(row + RowDescriptor.IMAGE));
        collect(before, slot, key, side, start, RowDescriptor.end(row));
        assert before.size() == RowDescriptor.pairs(row) : "an open row's partners are all at hand";
    }

    /** The subject has its partners still, only as another revision. */
    void keepPartners()
    {
        samePartners = true;
    }

    /** Finds the partners of the subject as it is. */
    void findPartners(final Slot slot, final long key, final int side, final long start, final long end)
    {
        collect(after, slot, key, side, start, end);
    }

    /** Number of partners of the subject as it is. */
    int partners()
    {
        return samePartners ? before.size() : after.size();
    }

    /** Lets the partners follow, then puts the change-set out; {@code row} is the subject as it is, or 0. */
    void publish(
        final long position,
        final int stream,
        final int partition,
        final long index,
        final Slot slot,
        final int keyRef,
        final int side,
        final long row,
        final long clock0,
        final long clock1)
    {
        if (!samePartners)
        {
            addPairs(before, -1);
            addPairs(after, 1);
            updateUnmatched(before, slot, keyRef, 1 - side, clock0, clock1);
            updateUnmatched(after, slot, keyRef, 1 - side, clock0, clock1);
        }
        final boolean isUnmatched = row != 0 && provisional && states.isPending(side, row);
        if (isUnmatched)
        {
            final boolean isOpen = states.isOpen(side, row, clock0, clock1);
            RowDescriptor.flags(
                row, RowDescriptor.flags(row) | (isOpen ? RowDescriptor.PROVISIONAL : RowDescriptor.FINAL));
        }
        if (before.size() + after.size() + unmatchedBefore.size() + unmatchedAfter.size() == 0 &&
            !oldWasPublished && !isUnmatched)
        {
            return;
        }
        sortAll(1 - side);
        final long key = slot.arena().address(keyRef);
        changes.begin(position, slot.number(), 0, KeyedEngine.FIRST_EPOCH, KeyedEngine.FIRST_GENERATION,
            spec.rule().version(), stream, partition, index, side,
            key + KeyDescriptor.KEY, KeyDescriptor.keyLength(key));
        encode(side, row, isUnmatched);
        changes.commit();
    }

    void close()
    {
        before.close();
        after.close();
        unmatchedBefore.close();
        unmatchedAfter.close();
        UnsafeApi.freeMemory(oldImage);
    }

    /** Collects partners, which are about to be written to. */
    private void collect(
        final Images images, final Slot slot, final long key, final int side, final long start, final long end)
    {
        long partner = probe.first(slot.rows(), KeyDescriptor.root(key, 1 - side), side, start, end);
        int leaf = 0;
        while (partner != 0)
        {
            if (probe.leaf() != leaf)
            {
                leaf = probe.leaf();
                slot.arena().writable(leaf);
            }
            images.add(partner + RowDescriptor.IMAGE);
            partner = probe.next();
        }
    }

    private static void addPairs(final Images partners, final int delta)
    {
        for (int i = 0; i < partners.size(); i++)
        {
            final long row = RowDescriptor.ofImage(partners.image(i));
            RowDescriptor.pairs(row, RowDescriptor.pairs(row) + delta);
        }
    }

    /** Publishes or withdraws the partners' own unmatched rows; a partner that is met twice changes once. */
    private void updateUnmatched(
        final Images partners,
        final Slot slot,
        final int keyRef,
        final int side,
        final long clock0,
        final long clock1)
    {
        if (!spec.join().publishesUnmatched(side))
        {
            return;
        }
        for (int i = 0; i < partners.size(); i++)
        {
            final long image = partners.image(i);
            final long row = RowDescriptor.ofImage(image);
            final int flags = RowDescriptor.flags(row);
            if (RowDescriptor.pairs(row) > 0)
            {
                if ((flags & RowDescriptor.PROVISIONAL) != 0)
                {
                    RowDescriptor.flags(row, flags & ~RowDescriptor.PROVISIONAL);
                    unmatchedBefore.add(image);
                }
            }
            else if ((flags & (RowDescriptor.PROVISIONAL | RowDescriptor.FINAL)) == 0)
            {
                lostLastPair(slot, keyRef, side, image, row, flags, states.isOpen(side, row, clock0, clock1));
            }
        }
    }

    private void lostLastPair(
        final Slot slot,
        final int keyRef,
        final int side,
        final long image,
        final long row,
        final int flags,
        final boolean isOpen)
    {
        if (provisional)
        {
            RowDescriptor.flags(row, flags | (isOpen ? RowDescriptor.PROVISIONAL : RowDescriptor.FINAL));
            unmatchedAfter.add(image);
        }
        if (isOpen)
        {
            expiry.schedulePending(slot, keyRef, side, row, Keys.idHash(side, image));
        }
        else if (!provisional)
        {
            expiry.becomesFinal(slot, keyRef, side, row);
        }
    }

    private void sortAll(final int partnerSide)
    {
        before.sortAsPartners(partnerSide);
        after.sortAsPartners(partnerSide);
        unmatchedBefore.sortAsUnmatched();
        unmatchedAfter.sortAsUnmatched();
    }

    private void encode(final int side, final long row, final boolean isUnmatched)
    {
        final long newImage = row + RowDescriptor.IMAGE;
        final Images inserted = samePartners ? before : after;
        if (before.size() > 0)
        {
            changes.before(oldImage, RowImage.lengthAt(oldImage));
        }
        if (inserted.size() > 0)
        {
            changes.after(newImage, RowImage.lengthAt(newImage));
        }
        for (int i = 0; i < before.size(); i++)
        {
            changes.retractPair(before.image(i), RowImage.lengthAt(before.image(i)));
        }
        for (int turn = 0; turn < 2; turn++)
        {
            if (turn == side && oldWasPublished)
            {
                changes.retractUnmatched(side, false, oldImage, RowImage.lengthAt(oldImage));
            }
            else if (turn != side)
            {
                for (int i = 0; i < unmatchedBefore.size(); i++)
                {
                    final long image = unmatchedBefore.image(i);
                    changes.retractUnmatched(turn, false, image, RowImage.lengthAt(image));
                }
            }
        }
        for (int i = 0; i < inserted.size(); i++)
        {
            changes.insertPair(inserted.image(i), RowImage.lengthAt(inserted.image(i)));
        }
        for (int turn = 0; turn < 2; turn++)
        {
            if (turn == side && isUnmatched)
            {
                insertUnmatched(side, newImage);
            }
            else if (turn != side)
            {
                for (int i = 0; i < unmatchedAfter.size(); i++)
                {
                    insertUnmatched(turn, unmatchedAfter.image(i));
                }
            }
        }
    }

    private void insertUnmatched(final int side, final long image)
    {
        final boolean isFinal = (RowDescriptor.flags(RowDescriptor.ofImage(image)) & RowDescriptor.FINAL) != 0;
        changes.insertUnmatched(side, isFinal, image, RowImage.lengthAt(image));
    }
}
