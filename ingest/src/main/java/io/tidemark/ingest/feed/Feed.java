package io.tidemark.ingest.feed;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;

/**
 * A feed that a user has named.
 *
 * @param name   as the user wrote it; {@code -} is standard input. Reports name it like that.
 * @param path   of the file, absolute and normalized; null for standard input.
 * @param stream that all its lines belong to, or null where they say it themselves.
 * @param format of the feed, or null to go by the file's name, else by the first character (a brace begins JSON Lines).
 */
public record Feed(String name, Path path, String stream, FeedFormat format)
{
    /**
     * Name of standard input.
     */
    public static final String STANDARD_INPUT = "-";

    /**
     * A feed by its name alone: the rest is seen.
     *
     * @param name a file, or {@code -}.
     * @return the feed.
     */
    public static Feed of(final String name)
    {
        return of(name, null, null);
    }

    /**
     * A feed with what the user has said of it.
     *
     * @param name   a file, or {@code -}.
     * @param stream of all its lines, or null.
     * @param format or null.
     * @return the feed.
     */
    public static Feed of(final String name, final String stream, final FeedFormat format)
    {
        final Path path = STANDARD_INPUT.equals(name) ? null : Path.of(name).toAbsolutePath().normalize();
        return new Feed(name, path, stream, format);
    }

    /**
     * Whether it is standard input.
     *
     * @return true for {@code -}.
     */
    public boolean isStandardInput()
    {
        return path == null;
    }

    /** How messages begin that speak of it. */
    String title()
    {
        return isStandardInput() ? "Standard input" : name;
    }

    /** Whether it lies there, has a size, and can be read again; a pipe does not, whatever its name. */
    boolean isFile()
    {
        return !isStandardInput() && Files.isRegularFile(path);
    }

    /** What it is known by: a file's name without the folders it happens to be in; pipes have none. */
    String identity()
    {
        return isFile() ? path.getFileName().toString() : STANDARD_INPUT;
    }

    /** The format that was said, or that the file's name says, or null. */
    FeedFormat knownFormat()
    {
        if (format != null || isStandardInput())
        {
            return format;
        }
        final String lower = path.getFileName().toString().toLowerCase(Locale.ROOT);
        final String plain = lower.endsWith(".gz") ? lower.substring(0, lower.length() - 3) : lower;
        if (plain.endsWith(".jsonl") || plain.endsWith(".ndjson"))
        {
            return FeedFormat.JSON_LINES;
        }
        return plain.endsWith(".csv") ? FeedFormat.CSV : null;
    }
}
