package io.tidemark.sink.sql;

/**
 * A column of a table of ours.
 *
 * @param name in SQL; none is a reserved word of either database.
 * @param type of its values.
 */
record Column(String name, Type type)
{
    /** Plain types that every tool understands. */
    enum Type
    {
        /** Text, ordered by its UTF-8 bytes; NUL, which SQL text cannot hold, stands as U+2400. */
        TEXT,
        /** Whole number, 64 bits. */
        NUMBER,
        /** Event time: nanoseconds since 1970, UTC, 64 bits. */
        TIME,
        /** Whole number of up to 128 bits. */
        WIDE,
        /** True or false. */
        FLAG
    }

    static Column text(final String name)
    {
        return new Column(name, Type.TEXT);
    }

    static Column number(final String name)
    {
        return new Column(name, Type.NUMBER);
    }

    static Column time(final String name)
    {
        return new Column(name, Type.TIME);
    }

    static Column wide(final String name)
    {
        return new Column(name, Type.WIDE);
    }

    static Column flag(final String name)
    {
        return new Column(name, Type.FLAG);
    }
}
