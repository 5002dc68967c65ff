package io.tidemark.ingest.order;

import java.util.Arrays;

/**
 * Finds the source whose head has the smallest arrival, ties going to the smaller ordinal: a tournament in which each
 * inner node remembers its loser, so that a new head plays one match a level.
 */
final class ArrivalMerge
{
    /**
     * The arrival of a source that has no head: no event has it, ingest refuses the infinities.
     */
    static final long NO_HEAD = Long.MAX_VALUE;

    private final int leaves;
    private final long[] arrivals;
    private final int[] losers;
    private int winner;

    ArrivalMerge(final int sources)
    {
        leaves = Integer.max(2, Integer.highestOneBit((sources - 1) | 1) << 1);
        arrivals = new long[leaves];
        losers = new int[leaves];
        Arrays.fill(arrivals, NO_HEAD);
        play();
    }

    /**
     * @return the source whose head goes first, -1 when none has one.
     */
    int first()
    {
        return arrivals[winner] == NO_HEAD ? -1 : winner;
    }

    long firstArrival()
    {
        return arrivals[winner];
    }

    boolean hasHead(final int source)
    {
        return arrivals[source] != NO_HEAD;
    }

    /**
     * A source that had no head has one. {@link #play()} is due before the merge is asked anything.
     */
    void head(final int source, final long arrival)
    {
        arrivals[source] = arrival;
    }

    /**
     * Plays all matches.
     */
    void play()
    {
        winner = play(1);
    }

    /**
     * The head of {@link #first()} was taken.
     *
     * @param arrival of the source's next head, or {@link #NO_HEAD}.
     */
    void replaceFirst(final long arrival)
    {
        arrivals[winner] = arrival;
        int champion = winner;
        for (int node = (leaves + champion) >> 1; node > 0; node >>= 1)
        {
            final int challenger = losers[node];
            if (beats(challenger, champion))
            {
                losers[node] = champion;
                champion = challenger;
            }
        }
        winner = champion;
    }

    private int play(final int node)
    {
        if (node >= leaves)
        {
            return node - leaves;
        }
        final int left = play(2 * node);
        final int right = play(2 * node + 1);
        final boolean leftWins = beats(left, right);
        losers[node] = leftWins ? right : left;
        return leftWins ? left : right;
    }

    private boolean beats(final int a, final int b)
    {
        final long arrivalA = arrivals[a];
        final long arrivalB = arrivals[b];
        return arrivalA < arrivalB || (arrivalA == arrivalB && a < b);
    }
}
