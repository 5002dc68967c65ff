package io.tidemark.bench;

/**
 * All that is measured of a workload.
 *
 * @param workload  that was run.
 * @param events    of a round, prefix included.
 * @param measured  events after the prefix.
 * @param ingest    appending the events to their source logs, once.
 * @param sequencer rounds of merging the source logs.
 * @param pipeline  rounds of the worker.
 * @param floor     rounds of the floor, each after one of the pipeline.
 * @param outputs   of the first round; they are the same in all.
 * @param last      round of the pipeline, for what its state held.
 */
record WorkloadFigures(
    Workload workload,
    int events,
    int measured,
    Measure ingest,
    Rounds sequencer,
    Rounds pipeline,
    Rounds floor,
    OutputSizes outputs,
    PipelineFigures last)
{
    double ratio()
    {
        return pipeline.median().cpuNsPerEvent() / floor.median().cpuNsPerEvent();
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
