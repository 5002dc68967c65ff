package io.tidemark.operator;

/**
 * Why an event was rejected in its place in the order (SEMANTICS.md section 1). {@link #code} is what logs store, so
 * codes are never reused.
 */
public enum RejectReason
{
    /** Not rejected. */
    NONE(0, "valid"),
    /** Kind is none of upsert, retract, watermark. */
    UNKNOWN_KIND(1, "its kind is none of upsert, retract and watermark"),
    /** Key or id has no byte. */
    EMPTY_NAME(2, "its key or id is empty"),
    /** Revision below zero. */
    NEGATIVE_REVISION(3, "its revision is negative"),
    /** A time, start or end that stands for an infinity. */
    IMPOSSIBLE_TIME(4, "one of its times is outside the range of times"),
    /** Time too far past arrival. */
    TOO_FAR_AHEAD(5, "its time is more than max_ahead past its arrival"),
    /** Start or end on an event that has none. */
    SPAN_NOT_ALLOWED(6, "start and end belong to upserts of an overlap join only"),
    /** An upsert of an overlap join without start or end. */
    SPAN_MISSING(7, "an upsert of an overlap join needs start and end"),
    /** Start after end. */
    SPAN_REVERSED(8, "its end is before its start"),
    /** Time outside start and end. */
    TIME_OUTSIDE_SPAN(9, "its time is not between start and end"),
    /** Longer than max_length. */
    SPAN_TOO_LONG(10, "end - start is more than max_length"),
    /** Start too long before time. */
    STARTS_TOO_EARLY(11, "time - start is more than max_before"),
    /** The only one that takes state to see. */
    MOVES_TOO_FAR(12, "its time is more than max_move away from the largest time seen for that row");

    private static final RejectReason[] BY_CODE = values();

    private final int code;
    private final String text;

    RejectReason(final int code, final String text)
    {
        this.code = code;
        this.text = text;
    }

    /**
     * What logs store.
     *
     * @return 0 to 255.
     */
    public int code()
    {
        return code;
    }

    /**
     * The reason in words, to follow "rejected: ".
     *
     * @return a clause without a full stop.
     */
    public String text()
    {
        return text;
    }

    /**
     * The reason that a log stored.
     *
     * @param code from the log.
     * @return its reason.
     * @throws IllegalArgumentException for a code that this version does not know.
     */
    public static RejectReason of(final int code)
    {
        if (code < 0 || code >= BY_CODE.length)
        {
            throw new IllegalArgumentException("no reject reason has code " + code);
        }
        return BY_CODE[code];
    }
}
