package io.tidemark.bench;

import java.nio.file.Path;

/**
 * Runs a workload: writes its source logs once, then some rounds of sequencer and worker, each with its floor, one
 * after the other in one thread, so that whatever else the machine does hits all of them.
 */
final class WorkloadRun
{
    private WorkloadRun()
    {
    }

    /** Events that are not measured: a quarter, or more where the window needs more to fill, but never over a half. */
    static int prefix(final Workload workload, final int events)
    {
        return Math.min(events / 2, Math.max(events / 4, workload.windowEvents()));
    }

    /**
     * Runs it.
     *
     * @param workload to run.
     * @param settings of the run.
     * @return the figures.
     */
    static WorkloadFigures run(final Workload workload, final BenchSettings settings)
    {
        final int events = settings.events();
        final int prefix = prefix(workload, events);
        final Rounds sequencer = new Rounds();
        final Rounds sequencerFloor = new Rounds();
        final Rounds worker = new Rounds();
        final Rounds workerFloor = new Rounds();
        OutputSizes outputs = null;
        PipelineFigures last = null;
        try (ScratchDirectory scratch = new ScratchDirectory(settings.directory()))
        {
            final Path dataDirectory = scratch.path();
            settings.progress(workload.name() + ": writing " + events + " events to source logs");
            final Measure ingest = SourceWriter.write(workload, settings.seed(), events, dataDirectory);
            final Stages stages = new Stages(workload, dataDirectory, events, prefix);
            for (int round = 1; round <= settings.rounds(); round++)
            {
                settings.progress(workload.name() + ": round " + round + " of " + settings.rounds());
                sequencer.add(stages.sequence());
                sequencerFloor.add(stages.sequenceFloor());
                last = stages.join();
                worker.add(last.measure());
                final OutputSizes written = stages.takeOutputs();
                requireSame(outputs, written);
                outputs = written;
                workerFloor.add(stages.joinFloor(outputs));
            }
            return new WorkloadFigures(
                workload, events, events - prefix, ingest, sequencer, sequencerFloor, worker, workerFloor, outputs,
                last);
        }
    }

    private static void requireSame(final OutputSizes before, final OutputSizes now)
    {
        if (before != null && (before.records().records() != now.records().records() ||
            before.measuredBytes() != now.measuredBytes()))
        {
            throw new IllegalStateException("two rounds over the same logs wrote different change logs");
        }
    }
}
