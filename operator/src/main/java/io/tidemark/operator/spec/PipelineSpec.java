package io.tidemark.operator.spec;

import io.tidemark.ingest.Topology;

/**
 * Everything that decides what a pipeline's results are, besides its input.
 *
 * @param topology    streams and partitions in the order of the configuration.
 * @param leftStream  joins: ordinal of the left stream, the other one is the right one; sessions: of the input, 0.
 * @param rule        a join or sessions.
 * @param watermark   clock settings.
 * @param slots       number of slots, a power of two from 1 to 65,536.
 * @param maxRows     a guard: the worker stops before the event that would hold more rows than this.
 */
public record PipelineSpec(
    Topology topology, int leftStream, Rule rule, WatermarkSpec watermark, int slots, long maxRows)
{
    /** Checks what other code relies on. */
    public PipelineSpec
    {
        if (Integer.bitCount(slots) != 1 || slots > 1 << 16)
        {
            throw new IllegalArgumentException("slots must be a power of two from 1 to 65536: " + slots);
        }
        if (leftStream < 0 || leftStream >= rule.inputs())
        {
            throw new IllegalArgumentException(
                "the rule has " + rule.inputs() + " inputs; none is the stream with ordinal " + leftStream);
        }
    }

    /**
     * The rule of a join pipeline.
     *
     * @return the rule.
     * @throws ClassCastException when it is no join.
     */
    public JoinRule join()
    {
        return (JoinRule)rule;
    }

    /**
     * The rule of a session pipeline.
     *
     * @return the rule.
     * @throws ClassCastException when it is no session rule.
     */
    public SessionRule session()
    {
        return (SessionRule)rule;
    }

    /**
     * The side that a stream is on.
     *
     * @param stream ordinal of a stream.
     * @return {@link JoinRule#LEFT} or {@link JoinRule#RIGHT}; {@link SessionRule#INPUT} for sessions.
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
