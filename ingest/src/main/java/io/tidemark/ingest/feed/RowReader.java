package io.tidemark.ingest.feed;

import java.io.IOException;

/**
 * Takes a feed apart into rows, line by line. A line that cannot be taken apart gives a row with a problem, and the
 * next line is read as if nothing had been.
 */
interface RowReader
{
    /**
     * Reads on to the next line that is not blank.
     *
     * @return false at the end of the feed.
     */
    boolean next() throws IOException;

    /** The row that {@link #next()} stopped at; the same object every time. */
    RawRow row();

    /** What the columns of a row mean. */
    Columns columns();

    /** The line as it stands in the feed, capped. */
    String text();
}
