package io.tidemark.sink.verify;

/**
 * All events in the total order, any number of times.
 */
interface OrderedInput
{
    /** Receives them. */
    interface Visitor
    {
        /** The event at the next position. */
        void onEvent(LoggedEvent event);

        /** The next position is a tick of the clock. */
        void onTick(long position, long nowNs);
    }

    /**
     * From the first position to the last.
     *
     * @param visitor receives each position once.
     */
    void replay(Visitor visitor);
}
