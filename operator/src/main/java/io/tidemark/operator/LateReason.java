package io.tidemark.operator;

/**
 * Which condition of SEMANTICS.md section 4, step 3 sent an event to the repair queue. {@link #code} is what the late
 * log stores, so codes are never reused.
 */
public enum LateReason
{
    /** No record, or a tombstone, and {@code time < A(s) - L}. */
    BEFORE_ACCEPTANCE_CLOCK(0, "before the acceptance clock"),
    /** The row is known and no longer open. */
    ROW_NOT_OPEN(1, "its row is no longer open"),
    /** An open row gets another interval and {@code time < A(s) - L}. */
    MOVED_BEFORE_ACCEPTANCE_CLOCK(2, "moved to a time before the acceptance clock");

    private static final LateReason[] BY_CODE = values();

    private final int code;
    private final String text;

    LateReason(final int code, final String text)
    {
        this.code = code;
        this.text = text;
    }

    /**
     * What the late log stores.
     *
     * @return 0 to 255.
     */
    public int code()
    {
        return code;
    }

    /**
     * The reason in words, as exported.
     *
     * @return a clause without a full stop.
     */
    public String text()
    {
        return text;
    }

    /**
     * The reason that the late log stored.
     *
     * @param code from the log.
     * @return its reason.
     * @throws IllegalArgumentException for a code that this version does not know.
     */
    public static LateReason of(final int code)
    {
        if (code < 0 || code >= BY_CODE.length)
        {
            throw new IllegalArgumentException("no late reason has code " + code);
        }
        return BY_CODE[code];
    }
}
