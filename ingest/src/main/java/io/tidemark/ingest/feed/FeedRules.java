package io.tidemark.ingest.feed;

/**
 * What the pipeline's rule says about the events of its streams, as far as ingest has to know.
 *
 * @param spans whether upserts carry {@code start} and {@code end}: those of overlap joins, and only those.
 */
public record FeedRules(boolean spans)
{
}
