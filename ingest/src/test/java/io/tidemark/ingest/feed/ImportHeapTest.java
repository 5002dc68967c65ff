package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A feed of any length is taken in with the same heap.
 */
@Timeout(1_200)
class ImportHeapTest
{
    private static final int EVENTS = 1_000_000;

    @TempDir
    private Path directory;

    @Test
    void shouldUseNoMoreHeapAfterAMillionEventsThanAfterAFifthOfThem()
    {
        final GeneratedFeed feed = new GeneratedFeed();
        final FeedResult result = new FeedPipeline(directory).takeInput(feed);
        assertEquals(EVENTS, result.appended());
        final long grownBytes = feed.usedAtEnd - feed.usedAtFifth;
        System.out.println("heap in use after 200,000 events " + feed.usedAtFifth + " bytes, after 1,000,000 " +
            grownBytes + " more");
        assertTrue(grownBytes < 1 << 20, "heap grew by bytes: " + grownBytes);
    }

    @Test
    void shouldTakeInAMillionEventsWith64MegabytesOfHeap() throws IOException, InterruptedException
    {
        final Path csv = directory.resolve("feed.csv");
        try (BufferedWriter out = Files.newBufferedWriter(csv))
        {
            out.write(FeedPipeline.HEADER);
            for (int i = 0; i < EVENTS; i++)
            {
                out.write(line(i));
            }
        }
        final Path data = directory.resolve("data");
        final Process child = ChildImport.start(List.of("-Xmx64m"), data, List.of(csv.toString()));
        final String out = new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, child.waitFor(), () -> "see child.err, output: " + out);
        assertTrue(out.contains(EVENTS + " 0 "), out);
        final long elapsedNs = Long.parseLong(out.trim().substring(out.trim().lastIndexOf(' ') + 1));
        System.out.println("1,000,000 CSV events with 64 MiB of heap: " + elapsedNs / 1_000_000 + " ms");
    }

    private static String line(final int i)
    {
        return (i % 2 == 0 ? "signals,0,upsert,id-" : "payments,1,upsert,id-") + i + ",0,merchant-" + i % 977 + "," +
            (1_791_284_400_000_000_000L + i) + ",,," + i + "," + (1_791_284_400_000_000_000L + i) + "\n";
    }

    /** A million lines that never exist all at once; looks at the heap on the way. */
    private static final class GeneratedFeed extends InputStream
    {
        private byte[] line = FeedPipeline.HEADER.getBytes(StandardCharsets.UTF_8);
        private int at;
        private int count;
        private long usedAtFifth;
        private long usedAtEnd;

        @Override
        public int read()
        {
            throw new AssertionError("one byte at a time");
        }

        @Override
        public int read(final byte[] bytes, final int offset, final int length)
        {
            if (at == line.length)
            {
                if (count == EVENTS / 5)
                {
                    usedAtFifth = usedHeap();
                }
                if (count == EVENTS)
                {
                    usedAtEnd = usedHeap();
                    return -1;
                }
                line = line(count++).getBytes(StandardCharsets.UTF_8);
                at = 0;
            }
            final int n = Math.min(length, line.length - at);
            System.arraycopy(line, at, bytes, offset, n);
            at += n;
            return n;
        }

        private static long usedHeap()
        {
            for (int i = 0; i < 3; i++)
            {
                System.gc();
            }
            return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
        }
    }
}
