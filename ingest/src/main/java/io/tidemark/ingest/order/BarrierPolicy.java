package io.tidemark.ingest.order;

/**
 * Tells the sequencer when to write a barrier, at which whoever processes the order takes a checkpoint. What is decided
 * here changes no result: a barrier takes no position. Called by the sequencer's thread.
 */
public interface BarrierPolicy
{
    /** Writes none of its own, and none that is asked for waits. */
    BarrierPolicy NONE = new BarrierPolicy()
    {
        @Override
        public boolean isReady()
        {
            return true;
        }

        @Override
        public boolean isDue(final long lastPosition)
        {
            return false;
        }

        @Override
        public void onBarrier(final long position)
        {
        }
    };

    /**
     * @param lastPosition of the order.
     * @return how many positions may be ordered at once, so that a barrier comes where it is due; at least 1.
     */
    default int mostPositions(final long lastPosition)
    {
        return Integer.MAX_VALUE;
    }

    /**
     * @return false while a checkpoint is still being written, so that another has to wait.
     */
    boolean isReady();

    /**
     * @param lastPosition of the order.
     * @return whether a barrier is due after it.
     */
    boolean isDue(long lastPosition);

    /**
     * A barrier was written.
     *
     * @param position after which it stands.
     */
    void onBarrier(long position);
}
