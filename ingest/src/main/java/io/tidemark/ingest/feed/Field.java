package io.tidemark.ingest.feed;

/**
 * What a line of a feed can say about an event, by the names of INTERFACE.md.
 */
enum Field
{
    STREAM(0, "stream"),
    PARTITION(1, "partition"),
    KIND(2, "kind"),
    ID(3, "id"),
    REVISION(4, "revision"),
    KEY(5, "key"),
    TIME(6, "time"),
    START(7, "start"),
    END(8, "end"),
    VALUE(9, "value"),
    ARRIVAL(10, "arrival");

    static final int COUNT = 11;

    private final int index;
    private final String column;

    Field(final int index, final String column)
    {
        this.index = index;
        this.column = column;
    }

    /** From 0 up to {@link #COUNT}, for tables by field. */
    int index()
    {
        return index;
    }

    String column()
    {
        return column;
    }
}
