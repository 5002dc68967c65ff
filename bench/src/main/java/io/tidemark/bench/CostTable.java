package io.tidemark.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints what an event costs as state grows, for people. */
final class CostTable
{
    private static final String COSTS = "%-14s %12s %11s %13s %13s %9s%n";

    private final PrintStream out;

    CostTable(final PrintStream out)
    {
        this.out = out;
    }

    void print(final List<CostFigures> figures)
    {
        out.println();
        out.println("Thread CPU time of one event that inserts, revises or withdraws a row among so many others, and");
        out.println("what it allocates. Rows are chosen by chance; events come one by one.");
        out.println();
        out.printf(Locale.ROOT, COSTS, "rule", "rows", "keys", "state in MiB", "ns an event", "B heap");
        for (final CostFigures each : figures)
        {
            out.printf(Locale.ROOT, COSTS, each.rule(), whole(each.rows()), whole(each.keys()),
                whole(each.stateBytes() >> 20), whole(Math.round(each.measure().cpuNsPerEvent())),
                String.format(Locale.ROOT, "%.2f", each.measure().allocatedBytesPerEvent()));
        }
    }

    private static String whole(final long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }
}
