package io.tidemark.operator;

import io.tidemark.ingest.event.EventView;
import io.tidemark.operator.clock.Clocks;
import io.tidemark.store.Slots;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A join or sessions: state, clocks, and what becomes of each event (SEMANTICS.md section 4). It is told every position
 * of the total order once, in order, by one thread, and writes what follows before the call returns. It sees no wall
 * clock.
 * <p>
 * When a call throws, the operator stands before that event, or is of no more use; either way nothing half done may be
 * shown, and the worker stops.
 */
public interface Operator extends AutoCloseable
{
    /**
     * Touches the memory that the events of a batch will need, all of them before any is processed, so that cache
     * misses overlap. Changes nothing.
     *
     * @param batch events that come next.
     */
    void prepare(EventBatch batch);

    /**
     * Does steps 1 to 5 of section 4 for an event.
     *
     * @param position of the event in the total order.
     * @param source   ordinal of its source.
     * @param index    queue index of the event in its source log.
     * @param event    valid during the call.
     */
    void onEvent(long position, int source, long index, EventView event);

    /**
     * Passes idle deadlines by the wall clock that the order recorded, and does what they let expire.
     *
     * @param position of the tick in the total order.
     * @param nowNs    nanoseconds since the Unix epoch.
     */
    void onTick(long position, long nowNs);

    /**
     * The clocks of all inputs.
     *
     * @return to be read only.
     */
    Clocks clocks();

    /**
     * What became of the events so far.
     *
     * @return to be read only.
     */
    Tally tally();

    /**
     * Rows in state.
     *
     * @return number of rows.
     */
    long rows();

    /**
     * Memory that the state takes.
     *
     * @return bytes.
     */
    long stateBytes();

    /**
     * Where the state is, all but the registers: what a checkpoint captures between two positions.
     *
     * @return the slots; never other ones while the operator lives.
     */
    Slots slots();

    /**
     * Writes clocks, counts and whatever else decides results and is not in slots, between two positions. The same
     * order gives the same bytes, however often the operator was restored on the way.
     *
     * @param to     written to; grows as needed.
     * @param offset from where on.
     * @return bytes written.
     */
    int saveRegisters(MutableDirectBuffer to, int offset);

    /**
     * Makes a fresh operator, whose slots have been installed, the one that was saved; what follows from slots and
     * registers is rebuilt.
     *
     * @param from   written by {@link #saveRegisters}.
     * @param offset from where on.
     * @param length bytes written.
     */
    void restore(DirectBuffer from, int offset, int length);

    /** Frees the state, which lives no longer than its operator. */
    @Override
    void close();
}
