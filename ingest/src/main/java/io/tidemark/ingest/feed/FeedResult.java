package io.tidemark.ingest.feed;

import java.util.List;
import java.util.Map;

/**
 * What became of the lines of one feed.
 *
 * @param feed             as the user named it.
 * @param appended         events appended now.
 * @param alreadyThere     events that an earlier session of the same import had appended.
 * @param rejected         lines turned away, those reported by earlier sessions included: each is in the report once.
 * @param isComplete       whether the feed was read to its end; false when it was stopped before.
 * @param appendedByStream events appended now, by the stream's name, in the order of the configuration.
 * @param notes            sentences for the user: that an import was taken up again, or there was nothing to do.
 */
public record FeedResult(
    String feed,
    long appended,
    long alreadyThere,
    long rejected,
    boolean isComplete,
    Map<String, Long> appendedByStream,
    List<String> notes)
{
}
