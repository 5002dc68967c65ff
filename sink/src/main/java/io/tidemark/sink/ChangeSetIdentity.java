package io.tidemark.sink;

/**
 * What identifies a change-set (SEMANTICS.md section 9).
 *
 * @param position of the event that caused it, from 1.
 * @param slot     of the key.
 * @param ordinal  0 for the event's direct effect, then 1, 2, ... for rows that became final because of the clock.
 */
public record ChangeSetIdentity(long position, int slot, long ordinal)
{
    /**
     * Whether this is not after another one of the same slot.
     *
     * @param that of the same slot.
     * @return true when a sink that has applied {@code that} skips this.
     */
    public boolean isAtOrBelow(final ChangeSetIdentity that)
    {
        return position < that.position || (position == that.position && ordinal <= that.ordinal);
    }

    @Override
    public String toString()
    {
        return "(" + position + ", " + slot + ", " + ordinal + ")";
    }
}
