package io.tidemark.ingest.feed;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What became of all feeds of one ingest command.
 *
 * @param feeds in the order in which they were taken in.
 */
public record ImportResult(List<FeedResult> feeds)
{
    /**
     * Events appended now.
     *
     * @return their number.
     */
    public long appended()
    {
        return feeds.stream().mapToLong(FeedResult::appended).sum();
    }

    /**
     * Events that earlier sessions had appended.
     *
     * @return their number.
     */
    public long alreadyThere()
    {
        return feeds.stream().mapToLong(FeedResult::alreadyThere).sum();
    }

    /**
     * Lines turned away; with any, the command exits with 3.
     *
     * @return their number.
     */
    public long rejected()
    {
        return feeds.stream().mapToLong(FeedResult::rejected).sum();
    }

    /**
     * Whether every feed was read to its end.
     *
     * @return false when the import was stopped.
     */
    public boolean isComplete()
    {
        return feeds.stream().allMatch(FeedResult::isComplete);
    }

    /**
     * Events appended now, by the stream's name, in the order of the configuration.
     *
     * @return the numbers.
     */
    public Map<String, Long> appendedByStream()
    {
        final Map<String, Long> sums = new LinkedHashMap<>();
        for (final FeedResult feed : feeds)
        {
            feed.appendedByStream().forEach((stream, count) -> sums.merge(stream, count, Long::sum));
        }
        return sums;
    }
}
