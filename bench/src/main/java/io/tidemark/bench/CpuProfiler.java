package io.tidemark.bench;

import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Collection;
import java.util.List;

/**
 * Says what an operation costs the threads of JMH in CPU time, since wall time, which JMH shows, counts whatever else a
 * busy machine does. Setting up and tearing down an iteration counts too.
 */
public final class CpuProfiler implements InternalProfiler
{
    private static final String WORKER = "-jmh-worker-";

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long cpuNs;

    @Override
    public void beforeIteration(final BenchmarkParams benchmarkParams, final IterationParams iterationParams)
    {
        cpuNs = cpuNsOfWorkers();
    }

    @Override
    public Collection<? extends Result<?>> afterIteration(
        final BenchmarkParams benchmarkParams, final IterationParams iterationParams, final IterationResult result)
    {
        final double operations = result.getMetadata().getAllOps();
        return List.of(new ScalarResult(
            "cpu.norm", (cpuNsOfWorkers() - cpuNs) / operations, "ns/op", AggregationPolicy.AVG));
    }

    @Override
    public String getDescription()
    {
        return "thread CPU time an operation";
    }

    private long cpuNsOfWorkers()
    {
        long sum = 0;
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            if (thread.getName().contains(WORKER))
            {
                sum += Math.max(0, threads.getThreadCpuTime(thread.getId()));
            }
        }
        return sum;
    }
}
