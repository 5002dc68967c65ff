package io.tidemark.ingest.event;

import io.tidemark.ingest.codec.Kind;

/**
 * Kinds of events as small numbers, in the order that decides between equal revisions: a retraction is greater than an
 * upsert (SEMANTICS.md section 4).
 */
public final class EventKind
{
    /** Inserts a row or replaces its revision. */
    public static final int UPSERT = 0;
    /** Withdraws a row. */
    public static final int RETRACT = 1;
    /** The producer's promise of a time. */
    public static final int WATERMARK = 2;

    static
    {
        if (UPSERT != Kind.UPSERT.value() || RETRACT != Kind.RETRACT.value() || WATERMARK != Kind.WATERMARK.value())
        {
            throw new AssertionError("kinds differ from the schema tidemark-log.xml");
        }
    }

    private EventKind()
    {
    }

    /**
     * @param kind one of the constants.
     * @return as feeds and exports write it.
     */
    public static String nameOf(final int kind)
    {
        return switch (kind)
        {
            case UPSERT -> "upsert";
            case RETRACT -> "retract";
            case WATERMARK -> "watermark";
            default -> throw new IllegalArgumentException("no such kind of event: " + kind);
        };
    }

    /**
     * @param name as feeds write it.
     * @return one of the constants, -1 when there is no such kind.
     */
    public static int of(final CharSequence name)
    {
        for (int kind = UPSERT; kind <= WATERMARK; kind++)
        {
            if (nameOf(kind).contentEquals(name))
            {
                return kind;
            }
        }
        return -1;
    }
}
