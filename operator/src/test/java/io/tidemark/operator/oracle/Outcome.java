package io.tidemark.operator.oracle;

import java.util.Set;

/**
 * What becomes of events that change no rows, and what a join counts.
 */
public final class Outcome
{
    private Outcome()
    {
    }

    /** Why an event is late (SEMANTICS.md section 4, step 3). */
    public enum LateReason
    {
        /** No record, or a tombstone, and the time is before A - L. */
        BEFORE_CLOCK,
        /** Its row is no longer open. */
        NOT_OPEN,
        /** It would move an open row to a time before A - L. */
        MOVED_BEFORE_CLOCK
    }

    /** Why an event is rejected (SEMANTICS.md section 1). */
    public enum RejectReason
    {
        /** An upsert of an overlap join without start or end. */
        NO_SPAN,
        /** Not start <= time <= end. */
        SPAN_WITHOUT_TIME,
        /** end - start above max_length. */
        TOO_LONG,
        /** time - start above max_before. */
        TOO_FAR_BEFORE,
        /** time more than max_ahead past the arrival. */
        TOO_FAR_AHEAD,
        /** time more than max_move from the largest seen for the row. */
        MOVED_TOO_FAR
    }

    /**
     * An event in the repair queue.
     *
     * @param position        its position.
     * @param source          ordinal of its source log.
     * @param index           index in that log.
     * @param acceptanceClock A(s) that refused it.
     * @param reason          why.
     * @param dueDay          days since the epoch of its time.
     */
    public record Late(
        long position, int source, long index, long acceptanceClock, LateReason reason, long dueDay)
    {
    }

    /**
     * A rejected event.
     *
     * @param position its position.
     * @param source   ordinal of its source log.
     * @param index    index in that log.
     * @param reasons  all the rules that it breaks; which one is reported is left open.
     */
    public record Rejected(long position, int source, long index, Set<RejectReason> reasons)
    {
    }

    /**
     * What was counted; ticks are no events.
     *
     * @param events     all events.
     * @param accepted   upserts and retractions that changed state.
     * @param duplicates those that were known already.
     * @param conflicts  duplicates with other content.
     * @param late       late ones.
     * @param rejected   rejected ones.
     */
    public record Counters(long events, long accepted, long duplicates, long conflicts, long late, long rejected)
    {
    }

    /**
     * What is held.
     *
     * @param open       open rows.
     * @param ghosts     ghosts.
     * @param records    known records.
     * @param tombstones tombstones among them.
     * @param sessions   that are not final.
     * @param keyClocks  keys and sides with clocks of their own.
     */
    public record Census(long open, long ghosts, long records, long tombstones, long sessions, long keyClocks)
    {
    }
}
