package io.tidemark.ops.command;

import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;

/**
 * Random events for a soak: out of order, twice, corrected, withdrawn, some too late. File after file, arrivals
 * growing from each to the next, so that the order of all is the same however they come in.
 */
final class SoakFeed
{
    private static final int KEYS = 200;
    private static final long STEP_NS = 1_000_000_000L;
    private static final long FIRST_NS = 1_700_000_000_000_000_000L;

    private final Random random;
    private final int eventsPerFile;
    private long written;

    SoakFeed(final long seed, final int eventsPerFile)
    {
        random = new Random(seed);
        this.eventsPerFile = eventsPerFile;
    }

    static String configuration()
    {
        return """
            pipeline: soak
            rule: {version: 1, type: interval-join, left: payments, right: signals, look_back: 47m, look_ahead: 8m,
              lateness: 3m, unmatched: provisional}
            streams:
              payments: {partitions: 2}
              signals: {partitions: 2}
            slots: 64
            checkpoint: {every: 200ms, every_events: 2000, keep: 3}
            """;
    }

    Path next(final Path directory, final int number) throws IOException
    {
        final Path file = directory.resolve("feed-" + number + ".csv");
        try (BufferedWriter out = Files.newBufferedWriter(file))
        {
            out.write("stream,partition,kind,id,revision,key,time,value,arrival\n");
            for (int i = 0; i < eventsPerFile; i++)
            {
                event(out);
            }
        }
        return file;
    }

    long written()
    {
        return written;
    }

    private void event(final BufferedWriter out) throws IOException
    {
        final long arrival = FIRST_NS + written * STEP_NS;
        final long behind = random.nextInt(50) == 0 ? random.nextInt(3_600) : random.nextInt(120);
        final String stream = random.nextBoolean() ? "payments" : "signals";
        out.write(stream + "," + random.nextInt(2) + "," + (random.nextInt(25) == 0 ? "retract" : "upsert") + ",e" +
            Math.max(0, written - random.nextInt(300)) / 2 + "," + random.nextInt(3) + ",k" +
            random.nextInt(random.nextInt(KEYS) + 1) + "," + (arrival - behind * STEP_NS) + "," +
            random.nextInt(10_000) + "," + arrival + "\n");
        written++;
    }
}
