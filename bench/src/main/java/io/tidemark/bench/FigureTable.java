package io.tidemark.bench;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/** Prints a report for people. */
final class FigureTable
{
    private static final String COSTS = "%-13s %9s %9s %7s %9s %9s %6s %9s %6s %9s %9s %6s %9s %10s%n";
    private static final String SHAPES = "%-13s %9s %9s %9s %7s %9s %9s %9s %8s %7s%n";
    private static final String STATES = "%9s %11s %10s %13s %7s %11s %12s %12s%n";
    private static final String ROUNDED = "%,.0f";

    private final PrintStream out;

    FigureTable(final PrintStream out)
    {
        this.out = out;
    }

    void print(final Report report)
    {
        final BenchSettings settings = report.settings();
        row("Java %s, %d cores, load average %.1f at the start and %.1f now, seed %d%n",
            Report.java(), Report.cores(), report.loadAtStart(), Report.load(), settings.seed());
        if (!report.workloads().isEmpty())
        {
            printCosts(report.workloads());
            printShapes(report.workloads());
            printNotes(report.workloads());
        }
        if (!report.states().isEmpty())
        {
            printStates(report.states());
        }
        if (!report.costs().isEmpty())
        {
            new CostTable(out).print(report.costs());
        }
    }

    private void printCosts(final List<WorkloadFigures> figures)
    {
        out.println();
        out.println("Thread CPU time in ns an event: median of the rounds (least). The floor reads the same logs and");
        out.println("appends records of the same lengths without any logic, in turns with the sequencer, which orders");
        out.println("events, and the worker, which joins them. The pipeline is both.");
        out.println();
        row(COSTS, "workload", "worker", "(least)", "kernel", "floor", "(least)", "ratio", "sequencer", "floor",
            "pipeline", "floor", "ratio", "wall", "floor wall");
        for (final WorkloadFigures each : figures)
        {
            final Measure worker = each.worker().median();
            final Measure workerFloor = each.workerFloor().median();
            final Measure sequencer = each.sequencer().median();
            final Measure sequencerFloor = each.sequencerFloor().median();
            row(COSTS,
                each.workload().name(),
                number(ROUNDED, worker.cpuNsPerEvent()),
                number("(%,.0f)", each.worker().leastCpuNsPerEvent()),
                number("%.0f%%", worker.kernelPercent()),
                number(ROUNDED, workerFloor.cpuNsPerEvent()),
                number("(%,.0f)", each.workerFloor().leastCpuNsPerEvent()),
                number("%.2f", each.workerRatio()),
                number(ROUNDED, sequencer.cpuNsPerEvent()),
                number(ROUNDED, sequencerFloor.cpuNsPerEvent()),
                number(ROUNDED, each.cpuNsPerEvent()),
                number(ROUNDED, each.floorCpuNsPerEvent()),
                number("%.2f", each.ratio()),
                number(ROUNDED, sequencer.wallNsPerEvent() + worker.wallNsPerEvent()),
                number(ROUNDED, sequencerFloor.wallNsPerEvent() + workerFloor.wallNsPerEvent()));
        }
    }

    private void printShapes(final List<WorkloadFigures> figures)
    {
        out.println();
        out.println("What the events measured did, each, and what the state held at the end.");
        out.println();
        row(SHAPES, "workload", "events", "matches", "unmatched", "B out", "rows", "live rows", "keys", "rows/key",
            "B/row");
        for (final WorkloadFigures each : figures)
        {
            final PipelineFigures state = each.last();
            row(SHAPES,
                each.workload().name(),
                whole(each.measured()),
                number("%.2f", each.matchesPerEvent()),
                number("%.2f", each.unmatchedPerEvent()),
                number(ROUNDED, each.bytesPerEvent()),
                whole(state.rows()),
                whole(state.liveRows()),
                whole(state.keys()),
                number("%.1f", (double)state.rows() / Math.max(1, state.keys())),
                number("%.0f", state.bytesPerRow()));
        }
    }

    private void printNotes(final List<WorkloadFigures> figures)
    {
        out.println();
        for (final WorkloadFigures each : figures)
        {
            final String name = each.workload().name();
            row("%s: %.2f bytes an event allocated on the heap, by the floor %.2f%n", name,
                each.worker().median().allocatedBytesPerEvent(),
                each.workerFloor().median().allocatedBytesPerEvent());
            if (each.last().refused() > 0)
            {
                row("%s: %d events were late, rejected or duplicates, which none should be%n", name,
                    each.last().refused());
            }
            if (!each.isWindowFull())
            {
                row("%s: the window was not full when measuring began, give --events %d or more%n", name,
                    each.workload().windowEvents() * 2);
            }
        }
    }

    private void printStates(final List<StateFigures> figures)
    {
        out.println();
        out.println("Rows of a payment each that all stay in the window. The heap is looked at after a collection,");
        out.println("before the state was made and with all rows in it.");
        out.println();
        row(STATES, "unmatched", "keys", "rows", "bytes", "B/row", "ns/row", "heap before", "heap after");
        for (final StateFigures each : figures)
        {
            row(STATES,
                each.unmatched().name().toLowerCase(Locale.ROOT),
                whole(each.keys()),
                whole(each.rows()),
                whole(each.stateBytes()),
                number("%.1f", each.bytesPerRow()),
                number(ROUNDED, each.measure().cpuNsPerEvent()),
                whole(each.heapBefore()),
                whole(each.heapAfter()));
        }
    }

    private void row(final String format, final Object... cells)
    {
        out.printf(Locale.ROOT, format, cells);
    }

    private static String whole(final long value)
    {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String number(final String format, final double value)
    {
        return String.format(Locale.ROOT, format, value);
    }
}
