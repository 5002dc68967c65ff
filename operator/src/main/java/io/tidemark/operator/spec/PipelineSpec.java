package io.tidemark.operator.spec;

import io.tidemark.ingest.Topology;

/**
 * Everything that decides what a join pipeline's results are, besides its input.
 *
 * @param topology    streams and partitions in the order of the configuration.
 * @param leftStream  ordinal of the left stream; the other stream is the right one.
 * @param rule        the join rule.
 * @param watermark   clock settings.
 * @param slots       number of slots, a power of two from 1 to 65,536.
 * @param maxRows     a guard: the worker stops before the event that would hold more rows than this.
 */
public record PipelineSpec(
    Topology topology, int leftStream, JoinRule rule, WatermarkSpec watermark, int slots, long maxRows)
{
    /** Checks what other code relies on. */
    public PipelineSpec
    {
        if (Integer.bitCount(slots) != 1 || slots > 1 << 16)
        {
            throw new IllegalArgumentException("slots must be a power of two from 1 to 65536: " + slots);
        }
        if (leftStream < 0 || leftStream > 1)
        {
            throw new IllegalArgumentException("a join has two streams; no left stream with ordinal " + leftStream);
        }
    }

    /**
     * The side that a stream is on.
     *
     * @param stream ordinal of a stream.
     * @return {@link JoinRule#LEFT} or {@link JoinRule#RIGHT}.
     */
    public int side(final int stream)
    {
        return stream == leftStream ? JoinRule.LEFT : JoinRule.RIGHT;
    }

    /**
     * The stream of a side.
     *
     * @param side {@link JoinRule#LEFT} or {@link JoinRule#RIGHT}.
     * @return ordinal of the stream.
     */
    public int stream(final int side)
    {
        return side == JoinRule.LEFT ? leftStream : 1 - leftStream;
    }
}
