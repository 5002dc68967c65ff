package io.tidemark.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints figures for people. */
final class FigureTable
{
    private static final String COSTS = "%-13s %9s %9s %6s %9s %9s %9s %6s %7s %7s%n";
    private static final String SHAPES = "%-13s %9s %9s %9s %9s %9s %9s %9s %9s %9s%n";

    private final PrintStream out;

    FigureTable(final PrintStream out)
    {
        this.out = out;
    }

    void print(final List<WorkloadFigures> figures)
    {
        out.println("Thread CPU time in ns an event, median of the rounds (least); the floor reads the same logs and");
        out.println("appends records of the same lengths, no logic. One thread, one process, one disk.");
        out.println();
        row(COSTS, "workload", "pipeline", "(least)", "kernel", "floor", "(least)", "ratio", "wall", "heap B", "seq.");
        for (final WorkloadFigures each : figures)
        {
            final Measure pipeline = each.pipeline().median();
            row(COSTS,
                each.workload().name(),
                number("%.0f", pipeline.cpuNsPerEvent()),
                number("(%.0f)", each.pipeline().leastCpuNsPerEvent()),
                number("%.0f%%", pipeline.kernelPercent()),
                number("%.0f", each.floor().median().cpuNsPerEvent()),
                number("(%.0f)", each.floor().leastCpuNsPerEvent()),
                number("%.2f", each.ratio()),
                number("%.0f", pipeline.wallNsPerEvent()),
                number("%.2f", pipeline.allocatedBytesPerEvent()),
                number("%.0f", each.sequencer().median().cpuNsPerEvent()));
        }
        out.println();
        row(SHAPES, "workload", "events", "matches", "unmatched", "B out", "rows", "live rows", "keys", "rows/key",
            "B/row");
        for (final WorkloadFigures each : figures)
        {
            final PipelineFigures state = each.last();
            row(SHAPES,
                each.workload().name(),
                number("%,.0f", each.measured()),
                number("%.2f", each.matchesPerEvent()),
                number("%.2f", each.unmatchedPerEvent()),
                number("%.0f", each.bytesPerEvent()),
                number("%,.0f", state.rows()),
                number("%,.0f", state.liveRows()),
                number("%,.0f", state.keys()),
                number("%.1f", (double)state.rows() / Math.max(1, state.keys())),
                number("%.0f", state.bytesPerRow()));
        }
        out.println();
        printNotes(figures);
    }

    private void printNotes(final List<WorkloadFigures> figures)
    {
        out.println("wall and heap: of the pipeline, an event. matches, unmatched, B out: of the change log, an event.");
        for (final WorkloadFigures each : figures)
        {
            if (each.last().late() > 0)
            {
                out.println(each.workload().name() + ": " + each.last().late() + " events were late, rejected or " +
                    "duplicates, which none should be.");
            }
            if (!each.isWindowFull())
            {
                out.println(each.workload().name() + ": the window was not full when measuring began; give --events " +
                    each.workload().windowEvents() * 2 + " or more.");
            }
        }
    }

    private void row(final String format, final Object... cells)
    {
        out.printf(Locale.ROOT, format, cells);
    }

    static String number(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
