package io.tidemark.ingest.feed;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What the journal knows of one import: which feed it is of, and the stretches of the logs that its sessions may have
 * appended to. An import has one session, and one more for every time that it was taken up again.
 */
final class ImportRecord
{
    final int number;
    final String feedName;
    final String path;
    final String stream;
    final String headDigest;
    final int headLength;
    final String at;
    final List<Session> sessions = new ArrayList<>();
    boolean isFinished;
    boolean isChanged;

    ImportRecord(
        final int number,
        final Feed feed,
        final String headDigest,
        final int headLength,
        final String at)
    {
        this(number, feed.identity(), feed.isFile() ? feed.path().toString() : null, feed.stream(),
            headDigest, headLength, at);
    }

    ImportRecord(
        final int number,
        final String feedName,
        final String path,
        final String stream,
        final String headDigest,
        final int headLength,
        final String at)
    {
        this.number = number;
        this.feedName = feedName;
        this.path = path;
        this.stream = stream;
        this.headDigest = headDigest;
        this.headLength = headLength;
        this.at = at;
    }

    /**
     * From where to where, by record number, a session may have appended to each source log (by name), and where in the
     * file of rejects its reports may be. What comes after it bounds it; the last one is still open.
     */
    static final class Session
    {
        final Map<String, Long> fromNumbers = new LinkedHashMap<>();
        final Map<String, Long> toNumbers = new LinkedHashMap<>();
        final long rejectsFrom;
        long rejectsTo = Long.MAX_VALUE;

        Session(final long rejectsFrom)
        {
            this.rejectsFrom = rejectsFrom;
        }

        /** Nothing of this session is at or after these numbers. */
        void endBefore(final Map<String, Long> numbers)
        {
            numbers.forEach((source, number) -> toNumbers.merge(source, number, Math::min));
        }

        long from(final String source)
        {
            return fromNumbers.getOrDefault(source, 0L);
        }

        long to(final String source)
        {
            return toNumbers.getOrDefault(source, Long.MAX_VALUE);
        }
    }
}
