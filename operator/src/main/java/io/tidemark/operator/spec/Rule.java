package io.tidemark.operator.spec;

/** What a pipeline makes of its events: a join or sessions. All durations are nanoseconds, not negative. */
public sealed interface Rule permits JoinRule, SessionRule
{
    /**
     * The rule's version, part of every row id.
     *
     * @return at least 0.
     */
    int version();

    /**
     * The accepted lateness, {@code L}.
     *
     * @return nanoseconds.
     */
    long latenessNs();

    /**
     * Whether both inputs are judged by the smaller of their watermarks; of no meaning where there is one.
     *
     * @return true when they are.
     */
    boolean joint();

    /**
     * How far apart the times of one row's revisions may lie.
     *
     * @return nanoseconds.
     */
    long maxMoveNs();

    /**
     * How many streams the rule reads.
     *
     * @return two for a join, one for sessions.
     */
    int inputs();
}
