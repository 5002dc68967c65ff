package io.tidemark.bench;

import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;

/** Measures what the thread that starts and stops it does in between. */
final class Stopwatch
{
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private long cpuNs;
    private long userNs;
    private long wallNs;
    private long allocatedBytes;

    void start()
    {
        allocatedBytes = threads.getCurrentThreadAllocatedBytes();
        userNs = threads.getCurrentThreadUserTime();
        wallNs = System.nanoTime();
        cpuNs = threads.getCurrentThreadCpuTime();
    }

    Measure stop(final long events)
    {
        final long cpu = threads.getCurrentThreadCpuTime() - cpuNs;
        final long wall = System.nanoTime() - wallNs;
        final long user = threads.getCurrentThreadUserTime() - userNs;
        final long allocated = threads.getCurrentThreadAllocatedBytes() - allocatedBytes;
        return new Measure(events, cpu, Math.max(0, cpu - user), wall, allocated);
    }
}
