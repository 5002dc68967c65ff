package io.tidemark.bench;

/**
 * All that is measured of a workload.
 *
 * @param workload       that was run.
 * @param events         of a round, prefix included.
 * @param measured       events after the prefix.
 * @param ingest         appending the events to their source logs, once.
 * @param sequencer      rounds of merging the source logs into an order log.
 * @param sequencerFloor rounds of its floor.
 * @param worker         rounds of joining what is ordered.
 * @param workerFloor    rounds of its floor.
 * @param outputs        of the first round; they are the same in all.
 * @param last           round of the worker, for what its state held.
 */
record WorkloadFigures(
    Workload workload,
    int events,
    int measured,
    Measure ingest,
    Rounds sequencer,
    Rounds sequencerFloor,
    Rounds worker,
    Rounds workerFloor,
    OutputSizes outputs,
    PipelineFigures last)
{
    /** What an event costs in the pipeline, from source logs to change log. */
    double cpuNsPerEvent()
    {
        return sequencer.median().cpuNsPerEvent() + worker.median().cpuNsPerEvent();
    }

    /** The same of reading the same logs and appending records of the same lengths. */
    double floorCpuNsPerEvent()
    {
        return sequencerFloor.median().cpuNsPerEvent() + workerFloor.median().cpuNsPerEvent();
    }

    double ratio()
    {
        return cpuNsPerEvent() / floorCpuNsPerEvent();
    }

    double workerRatio()
    {
        return worker.median().cpuNsPerEvent() / workerFloor.median().cpuNsPerEvent();
    }

    double matchesPerEvent()
    {
        return (double)outputs.measuredPairs() / measured;
    }

    double unmatchedPerEvent()
    {
        return (double)outputs.measuredUnmatched() / measured;
    }

    double bytesPerEvent()
    {
        return (double)outputs.measuredBytes() / measured;
    }

    boolean isWindowFull()
    {
        return events - measured >= workload.windowEvents();
    }
}
