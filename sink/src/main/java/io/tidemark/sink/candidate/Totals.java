package io.tidemark.sink.candidate;

import java.math.BigInteger;
import java.util.Collection;

import io.tidemark.sink.PairRow;
import io.tidemark.sink.ResultRow;
import io.tidemark.sink.SessionRow;
import io.tidemark.sink.UnmatchedRow;

/**
 * Counts and exact sums over the results of one region as a candidate leaves them.
 *
 * @param pairs        number of pairs.
 * @param leftSum      values of the pairs' left rows.
 * @param rightSum     values of the pairs' right rows.
 * @param unmatched    number of unmatched rows.
 * @param unmatchedSum their values.
 * @param sessions     number of sessions.
 * @param members      of all of them.
 * @param sessionSum   values of the members.
 */
public record Totals(
    long pairs,
    BigInteger leftSum,
    BigInteger rightSum,
    long unmatched,
    BigInteger unmatchedSum,
    long sessions,
    long members,
    BigInteger sessionSum)
{
    /**
     * Adds up.
     *
     * @param rows all results of a region.
     * @return their totals.
     */
    public static Totals of(final Collection<? extends ResultRow> rows)
    {
        long pairs = 0;
        BigInteger leftSum = BigInteger.ZERO;
        BigInteger rightSum = BigInteger.ZERO;
        long unmatched = 0;
        BigInteger unmatchedSum = BigInteger.ZERO;
        long sessions = 0;
        long members = 0;
        BigInteger sessionSum = BigInteger.ZERO;
        for (final ResultRow row : rows)
        {
            if (row instanceof final PairRow pair)
            {
                pairs++;
                leftSum = leftSum.add(BigInteger.valueOf(pair.left().value()));
                rightSum = rightSum.add(BigInteger.valueOf(pair.right().value()));
            }
            else if (row instanceof final UnmatchedRow alone)
            {
                unmatched++;
                unmatchedSum = unmatchedSum.add(BigInteger.valueOf(alone.row().value()));
            }
            else if (row instanceof final SessionRow session)
            {
                sessions++;
                members += session.count();
                sessionSum = sessionSum.add(session.sum());
            }
        }
        return new Totals(pairs, leftSum, rightSum, unmatched, unmatchedSum, sessions, members, sessionSum);
    }
}
