package io.tidemark.sink;

/**
 * Keeps a current table up with the change log of a pipeline, and its repair queue with the late log (SEMANTICS.md
 * section 10). What it has applied is kept in the same step as the rows, so that it goes on from there after any end.
 * <p>
 * One thread works; {@link #progress()} is for any thread. When {@link #work} throws, the sink is of no more use: the
 * log does not fit the table. That a database is gone is no such failure: the sink tries again by itself.
 */
public interface TableSink extends AutoCloseable
{
    /**
     * Applies what the logs have, up to some thousand changes, whole change-sets only.
     *
     * @param nowMs milliseconds since the epoch, for the time between two tries.
     * @return change-sets and late events applied, skipped or refused; 0 at the end of the logs and between two tries.
     * @throws TableException when a change-set does not fit the table.
     */
    int work(long nowMs);

    /**
     * How far it is.
     *
     * @return updated by {@link #work}.
     */
    SinkProgress progress();

    /** Ends a call to a database that hangs, from another thread; {@link #work} then fails like any that lost it. */
    void abort();

    @Override
    void close();
}
