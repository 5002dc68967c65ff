package io.tidemark.operator.worker;

/** Is told of the barriers in the order, each in its place: all positions up to it are finished and none after it. */
@FunctionalInterface
public interface BarrierHandler
{
    /** Takes no checkpoints. */
    BarrierHandler NONE = (position, requests) -> {};

    /**
     * A barrier was reached.
     *
     * @param position after which it stands.
     * @param requests how many records of the control log are behind it.
     */
    void onBarrier(long position, long requests);
}
