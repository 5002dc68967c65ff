package io.tidemark.bench;

import java.util.Arrays;

/** Length and position of every record of a log, for a floor to write the same. */
final class RecordSizes
{
    private int[] lengths = new int[1 << 12];
    private int[] positions = new int[1 << 12];
    private int records;
    private int longest;

    void add(final long position, final int length)
    {
        if (records == lengths.length)
        {
            lengths = Arrays.copyOf(lengths, records * 2);
            positions = Arrays.copyOf(positions, records * 2);
        }
        lengths[records] = length;
        positions[records] = Math.toIntExact(position);
        records++;
        longest = Math.max(longest, length);
    }

    int records()
    {
        return records;
    }

    int length(final int i)
    {
        return lengths[i];
    }

    /** Position that a record is of; behind the last record, an end that no position reaches. */
    int position(final int i)
    {
        return i < records ? positions[i] : Integer.MAX_VALUE;
    }

    int longest()
    {
        return longest;
    }
}
