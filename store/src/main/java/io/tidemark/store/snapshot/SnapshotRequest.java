package io.tidemark.store.snapshot;

import io.tidemark.store.PageCapture;
import java.util.List;

/**
 * All that a checkpoint is made of, as it stood at a barrier.
 *
 * @param position  after which it stands.
 * @param takenMs   milliseconds since the epoch.
 * @param requests  how many requests were dealt with up to there.
 * @param madeWith  the settings that decide results.
 * @param registers what the operator keeps beside its slots.
 * @param logs      where each log stands.
 * @param capture   the pages; closed by the writer.
 * @param isAll     whether the capture has all pages, or those changed since the one before.
 * @param pages     how many pages each slot has.
 */
public record SnapshotRequest(
    long position,
    long takenMs,
    long requests,
    String madeWith,
    Manifest.Bytes registers,
    List<LogMark> logs,
    PageCapture capture,
    boolean isAll,
    PageCounts pages) implements AutoCloseable
{
    /** Pages of each slot. */
    public static final class PageCounts
    {
        private final int[] counts;

        /**
         * Copies them.
         *
         * @param counts by slot; 0 for a slot that does not exist.
         */
        public PageCounts(final int[] counts)
        {
            this.counts = counts.clone();
        }

        int slots()
        {
            return counts.length;
        }

        int of(final int slot)
        {
            return counts[slot];
        }

        long total()
        {
            long total = 0;
            for (final int count : counts)
            {
                total += count;
            }
            return total;
        }
    }

    /** Closes the capture. */
    @Override
    public void close()
    {
        capture.close();
    }
}
