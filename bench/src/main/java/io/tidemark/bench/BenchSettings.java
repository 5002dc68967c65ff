package io.tidemark.bench;

import java.io.PrintStream;
import java.nio.file.Path;

/**
 * How benchmarks are run.
 *
 * @param events    of a round, prefix included.
 * @param rounds    of each stage.
 * @param seed      of the events.
 * @param directory on the disk to measure, null for that of temporary files.
 * @param messages  takes a line when something begins that takes long.
 */
record BenchSettings(int events, int rounds, long seed, Path directory, PrintStream messages)
{
    void progress(final String line)
    {
        messages.println(line);
    }
}
