package io.tidemark.bench;

/**
 * What some work cost the thread that did it. Thread time counts only while the thread runs, the kernel's work for it
 * included, so it can be compared on a busy machine where wall time can't.
 *
 * @param events         that the work was for.
 * @param cpuNs          thread time.
 * @param kernelNs       the kernel's part of it, to some 10 ms.
 * @param wallNs         wall time.
 * @param allocatedBytes on the heap, by this thread.
 */
record Measure(long events, long cpuNs, long kernelNs, long wallNs, long allocatedBytes)
{
    double cpuNsPerEvent()
    {
        return (double)cpuNs / events;
    }

    double wallNsPerEvent()
    {
        return (double)wallNs / events;
    }

    double kernelPercent()
    {
        return cpuNs == 0 ? 0 : 100.0 * kernelNs / cpuNs;
    }

    double allocatedBytesPerEvent()
    {
        return (double)allocatedBytes / events;
    }
}
