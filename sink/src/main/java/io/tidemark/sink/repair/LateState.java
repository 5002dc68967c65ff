package io.tidemark.sink.repair;

/**
 * What became of a late event.
 */
public enum LateState
{
    /** Nothing yet. */
    WAITING("waiting"),
    /** A candidate with it was published. */
    REPAIRED("repaired"),
    /** Its candidate was valid and changed nothing: a duplicate, or without effect. */
    NO_CHANGE("no-change"),
    /** Its newest candidate was not valid and is kept for inspection. */
    FAILED("failed"),
    /** It is further back than raw logs are kept for repair. */
    EXPIRED("expired");

    private final String text;

    LateState(final String text)
    {
        this.text = text;
    }

    /**
     * The state as it is exported.
     *
     * @return one word.
     */
    public String text()
    {
        return text;
    }

    /**
     * Whether a repair still has to look at the event.
     *
     * @return false when it is done, or too old.
     */
    public boolean isOpen()
    {
        return this == WAITING || this == FAILED;
    }
}
