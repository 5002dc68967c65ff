package io.tidemark.sink;

import org.agrona.DirectBuffer;

/**
 * A share of the rows of every key, for consumers that cannot hold all at once: pairs by the id of their left row,
 * unmatched rows by their own, sessions by their start.
 *
 * @param share  0 to {@code shares - 1}.
 * @param shares how many there are.
 */
public record RowShare(int share, int shares)
{
    /** All rows. */
    public static final RowShare ALL = new RowShare(0, 1);

    /**
     * Whether a row belongs to this share.
     *
     * @param row of any key.
     * @return true in one of all shares.
     */
    public boolean has(final ResultRow row)
    {
        if (row instanceof final SessionRow session)
        {
            return hasSession(session.start());
        }
        return has((row instanceof final PairRow pair ? pair.left() : ((UnmatchedRow)row).row()).id().hashCode());
    }

    /** Whether a session that starts at a time belongs to this share. */
    boolean hasSession(final long start)
    {
        return has(Utf8.mix(start));
    }

    /** The same, of an id that is still in its record. */
    boolean has(final DirectBuffer buffer, final int idOffset, final int idLength)
    {
        return has(Utf8.hash(buffer, idOffset, idLength));
    }

    private boolean has(final int idHash)
    {
        return Math.floorMod(idHash, shares) == share;
    }
}
