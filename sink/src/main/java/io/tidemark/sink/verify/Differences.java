package io.tidemark.sink.verify;

import java.util.ArrayList;
import java.util.List;

/**
 * Counts differences and keeps the first few.
 */
final class Differences
{
    private static final int KEPT = 3;

    private final List<String> first = new ArrayList<>();
    private long count;

    void add(final String difference)
    {
        if (count++ < KEPT)
        {
            first.add(difference);
        }
    }

    Check toCheck(final String what, final String summary)
    {
        return new Check(what, summary, List.copyOf(first), count);
    }
}
