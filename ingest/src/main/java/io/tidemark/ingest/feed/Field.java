package io.tidemark.ingest.feed;

/**
 * What a line of a feed can say about an event, by the names of INTERFACE.md.
 */
enum Field
{
    STREAM("stream"),
    PARTITION("partition"),
    KIND("kind"),
    ID("id"),
    REVISION("revision"),
    KEY("key"),
    TIME("time"),
    START("start"),
    END("end"),
    VALUE("value"),
    ARRIVAL("arrival");

    static final int COUNT = 11;
    private static final Field[] FIELDS = values();

    private final String column;

    Field(final String column)
    {
        this.column = column;
    }

    String column()
    {
        return column;
    }

    static Field get(final int ordinal)
    {
        return FIELDS[ordinal];
    }
}
