package io.tidemark.sink.candidate;

import java.util.List;

/**
 * A draft that was judged, as it is kept in {@code data/repair/candidates}, whatever became of it.
 *
 * @param number         names it in commands, from 1.
 * @param position       as of which it was built.
 * @param leftClock      {@code A(left)} at that position, of sessions {@code A}.
 * @param rightClock     {@code A(right)}; minus infinity for sessions.
 * @param baseGeneration newest generation that it builds on.
 * @param rule           version of the rule.
 * @param read           what was read of the source logs.
 * @param draft          what it changes.
 * @param complaints     what the second opinion says is wrong with it; empty when it is valid.
 * @param digest         of what would be published, in hexadecimal digits.
 */
public record Candidate(
    long number,
    long position,
    long leftClock,
    long rightClock,
    long baseGeneration,
    int rule,
    List<SourceRange> read,
    Draft draft,
    List<String> complaints,
    String digest)
{
    /** Copies the lists. */
    public Candidate
    {
        read = List.copyOf(read);
        complaints = List.copyOf(complaints);
    }

    /**
     * Whether it may be published.
     *
     * @return false when the second opinion differs.
     */
    public boolean isValid()
    {
        return complaints.isEmpty();
    }

    /**
     * Whether it is valid and there is nothing to publish: its late events are closed without a change.
     *
     * @return true when it changes nothing.
     */
    public boolean closesWithoutChange()
    {
        return isValid() && draft.isEmpty();
    }
}
