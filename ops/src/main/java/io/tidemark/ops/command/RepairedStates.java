package io.tidemark.ops.command;

import java.io.File;
import java.util.function.BiConsumer;

import io.tidemark.operator.spec.Times;
import io.tidemark.operator.worker.CountersFile;
import io.tidemark.operator.worker.PipelineCounters;
import io.tidemark.ops.config.Configuration;
import io.tidemark.sink.LateStates;
import io.tidemark.sink.repair.RepairQueue;

/**
 * What repair has done about late events, for the sink's table of them.
 */
final class RepairedStates implements LateStates
{
    private final Configuration configuration;
    private final File candidates;

    RepairedStates(final Configuration configuration)
    {
        this.configuration = configuration;
        candidates = configuration.resultsDirectory().resolve("repair").resolve("candidates").toFile();
    }

    @Override
    public long version()
    {
        return candidates.lastModified();
    }

    /** From the clocks of the partitions; a producer's watermark may run ahead of any time seen. */
    @Override
    public long oldestRepairableTime()
    {
        long largest = Times.MINUS_INFINITY;
        try (CountersFile counters = CountersFile.openReadOnly(configuration.resultsDirectory()))
        {
            for (int source = 0; source < configuration.topology().sources(); source++)
            {
                final long clock =
                    counters.value(PipelineCounters.PARTITION_CLOCK, source, Times.MINUS_INFINITY);
                largest = Times.isFinite(clock) ? Math.max(largest, clock) : largest;
            }
        }
        catch (final IllegalStateException e)
        {
            // The next look may find the file that a run has made anew.
            return Times.MINUS_INFINITY;
        }
        return Times.isFinite(largest) ?
            Times.minus(Times.plus(largest, configuration.spec().watermark().delayNs()),
                configuration.repairHorizonNs()) : largest;
    }

    @Override
    public void forEach(final BiConsumer<Long, String> consumer)
    {
        for (final RepairQueue.Item item : RepairCommand.repairs(configuration).queue().items())
        {
            consumer.accept(item.event().position(), item.state().text());
        }
    }
}
