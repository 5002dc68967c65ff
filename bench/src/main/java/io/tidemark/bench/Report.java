package io.tidemark.bench;

import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;

/** The figures of a run, with what one must know to compare them. */
final class Report
{
    private final BenchSettings settings;
    private final double loadAtStart = load();
    private final List<WorkloadFigures> workloads = new ArrayList<>();
    private final List<StateFigures> states = new ArrayList<>();
    private final List<CostFigures> costs = new ArrayList<>();

    Report(final BenchSettings settings)
    {
        this.settings = settings;
    }

    void add(final WorkloadFigures figures)
    {
        workloads.add(figures);
    }

    void add(final StateFigures figures)
    {
        states.add(figures);
    }

    void add(final CostFigures figures)
    {
        costs.add(figures);
    }

    List<CostFigures> costs()
    {
        return costs;
    }

    BenchSettings settings()
    {
        return settings;
    }

    List<WorkloadFigures> workloads()
    {
        return workloads;
    }

    List<StateFigures> states()
    {
        return states;
    }

    double loadAtStart()
    {
        return loadAtStart;
    }

    static String java()
    {
        return Runtime.version().toString();
    }

    static int cores()
    {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Load average of the last minute: what else the machine had to do. */
    static double load()
    {
        return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
    }
}
