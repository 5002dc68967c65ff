package io.tidemark.sink;

import java.math.BigInteger;

/**
 * A session of a key.
 *
 * @param rule        rule version.
 * @param key         its key.
 * @param start       time of the first member, nanoseconds since the epoch.
 * @param end         time of the last member.
 * @param count       number of members, by distinct ids.
 * @param sum         of their values, exact.
 * @param min         smallest value.
 * @param max         largest value.
 * @param isFinal     whether it can still change (provisional) or not any more (final).
 * @param publication position at which the row was published.
 */
public record SessionRow(
    int rule,
    Utf8 key,
    long start,
    long end,
    long count,
    BigInteger sum,
    long min,
    long max,
    boolean isFinal,
    long publication) implements ResultRow
{
    @Override
    public RowId id()
    {
        return new RowId.OfSession(rule, start);
    }
}
