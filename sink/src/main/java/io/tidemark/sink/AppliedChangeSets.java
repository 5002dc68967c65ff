package io.tidemark.sink;

import java.util.HashMap;
import java.util.Map;
import java.util.TreeSet;

/**
 * By slot, the last change-set that a sink has applied: what decides about the next one (SEMANTICS.md section 10). One
 * thread at a time.
 */
public final class AppliedChangeSets
{
    /** What becomes of a change-set. */
    public enum Verdict
    {
        /** It is next. */
        APPLY,
        /** It was applied before. */
        SKIP,
        /** Its slot has a newer owner. */
        FENCED
    }

    /** Receives what is known of slots. */
    @FunctionalInterface
    public interface SlotConsumer<X extends Exception>
    {
        /**
         * The last change-set of a slot.
         *
         * @param slot     its number.
         * @param position of the change-set.
         * @param ordinal  of the change-set.
         * @param epoch    of the slot's owner.
         * @param digest   of the change-set's bytes.
         * @throws X when the consumer fails.
         */
        void onSlot(int slot, long position, long ordinal, long epoch, long digest) throws X;
    }

    private static final class Slot
    {
        private long position;
        private long ordinal;
        private long epoch;
        private long digest;
    }

    private final Map<Integer, Slot> slots = new HashMap<>();
    private final TreeSet<Integer> touched = new TreeSet<>();

    /** Nothing is applied yet. */
    public AppliedChangeSets()
    {
    }

    /**
     * Takes what was stored of a slot.
     *
     * @param number   of the slot.
     * @param position of its last change-set.
     * @param ordinal  of the same.
     * @param epoch    of its owner.
     * @param digest   of its bytes.
     */
    public void load(final int number, final long position, final long ordinal, final long epoch, final long digest)
    {
        final Slot slot = slots.computeIfAbsent(number, any -> new Slot());
        slot.position = position;
        slot.ordinal = ordinal;
        slot.epoch = epoch;
        slot.digest = digest;
    }

    /**
     * Judges a change-set, and takes it for applied if it is to be.
     *
     * @param changeSet the next.
     * @return what to do with it.
     * @throws TableException when it has been applied with other bytes.
     */
    public Verdict judge(final ChangeSetCursor changeSet)
    {
        final int number = changeSet.slot();
        final long position = changeSet.position();
        final long ordinal = changeSet.ordinal();
        final Slot slot = slots.computeIfAbsent(number, any -> new Slot());
        if (position < slot.position || (position == slot.position && ordinal <= slot.ordinal))
        {
            if (position == slot.position && ordinal == slot.ordinal && changeSet.digest() != slot.digest)
            {
                throw new TableException("change-set " + changeSet.identity() + " has been applied with other " +
                    "bytes: the tables were filled from another change log; name another database, or empty this one");
            }
            return Verdict.SKIP;
        }
        if (changeSet.epoch() < slot.epoch)
        {
            return Verdict.FENCED;
        }
        load(number, position, ordinal, changeSet.epoch(), changeSet.digest());
        touched.add(number);
        return Verdict.APPLY;
    }

    /**
     * Hands out the slots that have a new last change-set since the last call, in order.
     *
     * @param consumer of each.
     * @param <X>      what the consumer may throw.
     * @return how many there were.
     * @throws X when the consumer fails.
     */
    public <X extends Exception> int drainTouched(final SlotConsumer<X> consumer) throws X
    {
        final int count = touched.size();
        for (final int number : touched)
        {
            final Slot slot = slots.get(number);
            consumer.onSlot(number, slot.position, slot.ordinal, slot.epoch, slot.digest);
        }
        touched.clear();
        return count;
    }
}
