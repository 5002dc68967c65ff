package io.tidemark.ops.command;

import java.io.File;
import java.util.function.BiConsumer;

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

    @Override
    public void forEach(final BiConsumer<Long, String> consumer)
    {
        for (final RepairQueue.Item item : RepairCommand.repairs(configuration).queue().items())
        {
            consumer.accept(item.event().position(), item.state().text());
        }
    }
}
