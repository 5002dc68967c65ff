package io.tidemark.sink;

/**
 * What a row id is built from besides the key (INTERFACE.md, "Row ids"): within one key, two rows have the same row
 * id exactly when these are equal.
 */
public sealed interface RowId
{
    /**
     * Identity of a pair.
     *
     * @param rule          rule version.
     * @param leftId        id of the left row.
     * @param leftRevision  its revision.
     * @param rightId       id of the right row.
     * @param rightRevision its revision.
     */
    record OfPair(int rule, Utf8 leftId, int leftRevision, Utf8 rightId, int rightRevision) implements RowId
    {
        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final OfPair that && rule == that.rule && leftRevision == that.leftRevision &&
                rightRevision == that.rightRevision && leftId.equals(that.leftId) && rightId.equals(that.rightId);
        }

        @Override
        public int hashCode()
        {
            return Utf8.mix(((long)leftId.hashCode() << 32) ^ rightId.hashCode() ^ ((long)leftRevision << 16) ^
                rightRevision);
        }
    }

    /**
     * Identity of an unmatched row.
     *
     * @param rule     rule version.
     * @param side     0 left, 1 right.
     * @param id       id of the row.
     * @param revision its revision.
     */
    record OfUnmatched(int rule, int side, Utf8 id, int revision) implements RowId
    {
    }

    /**
     * Identity of a session.
     *
     * @param rule  rule version.
     * @param start time of its first member.
     */
    record OfSession(int rule, long start) implements RowId
    {
        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final OfSession that && rule == that.rule && start == that.start;
        }

        @Override
        public int hashCode()
        {
            return Utf8.mix(start ^ rule);
        }
    }
}
