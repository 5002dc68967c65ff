package io.tidemark.ingest.feed;

/**
 * What one line of a feed says, in fields; key and id are places in the row that it was read from. Reused.
 */
final class FeedEvent
{
    static final long NO_TIME = Long.MIN_VALUE;

    int source;
    int stream;
    int kind;
    byte[] text;
    int keyOffset;
    int keyLength;
    int idOffset;
    int idLength;
    int revision;
    long time;
    long start;
    long end;
    long value;
    /** {@link #NO_TIME} where the clock is to give it. */
    long arrival;
}
