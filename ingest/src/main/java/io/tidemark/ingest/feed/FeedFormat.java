package io.tidemark.ingest.feed;

/**
 * How a feed is written.
 */
public enum FeedFormat
{
    /**
     * Comma-separated values with a header line.
     */
    CSV,
    /**
     * One JSON object a line.
     */
    JSON_LINES;

    static final String KNOWN = "csv or jsonl";

    /**
     * The format that an option names.
     *
     * @param name {@code csv} or {@code jsonl}.
     * @return the format.
     * @throws IllegalArgumentException for another name.
     */
    public static FeedFormat named(final String name)
    {
        return switch (name)
        {
            case "csv" -> CSV;
            case "jsonl" -> JSON_LINES;
            default -> throw new IllegalArgumentException("There is no format " + name + "; a feed is " + KNOWN + ".");
        };
    }
}
