package io.tidemark.ingest.feed;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Imports that are killed with SIGKILL, again and again, at moments nobody chose.
 */
@Timeout(1_200)
class ImportKillTest
{
    private static final int KILLS = 20;
    private static final int KILLS_PER_ROUND = 10;
    private static final int LINES = 20_000;
    private static final List<String> QUICK_START = List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC");

    @TempDir
    private Path directory;

    @Test
    void shouldEndWithTheSameLogsHoweverOftenItIsKilled() throws IOException, InterruptedException
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final FeedPipeline whole = new FeedPipeline(directory.resolve("whole"));
        final Path csv = Files.writeString(directory.resolve("a.csv"), csv());
        final Path json = Files.write(directory.resolve("b.jsonl.gz"), FeedPipeline.gzip(json()));
        final List<String> feeds = List.of(csv.toString(), json.toString());
        for (final String feed : feeds)
        {
            FeedPipeline.take(whole.context(), Feed.of(feed));
        }
        final List<String> expected = whole.records();
        final List<String> expectedRejects = whole.rejects();

        int kills = 0;
        int killsInside = 0;
        for (int round = 0; kills < KILLS; round++)
        {
            final FeedPipeline killed = new FeedPipeline(Files.createDirectories(directory.resolve("round" + round)));
            for (int i = 0; i < KILLS_PER_ROUND && kills < KILLS && kill(killed.data(), feeds, random); i++)
            {
                kills++;
                final List<String> journal = killed.journal();
                killsInside += !journal.isEmpty() && journal.get(journal.size() - 1).contains("begin") ? 1 : 0;
            }
            finish(killed.data(), feeds);
            assertTrue(expected.equals(killed.records()), "logs differ: seed=" + seed + ", round=" + round);
            assertEquals(expectedRejects, killed.rejects(), "seed=" + seed + ", round=" + round);
        }
        System.out.println("import killed " + kills + " times, " + killsInside + " times in the middle of it");
        assertTrue(killsInside > 0, "no kill was in the middle of an import: seed=" + seed);
    }

    /** Kills an import some time after it has begun; false where it was faster. */
    private static boolean kill(final Path data, final List<String> feeds, final Random random)
        throws IOException, InterruptedException
    {
        final long journalSize = journalSize(data);
        final Process child = ChildImport.start(QUICK_START, data, feeds);
        try (BufferedReader out = child.inputReader(StandardCharsets.UTF_8))
        {
            assertEquals("go", out.readLine());
            boolean isFinished = false;
            long longestMs = 1_000;
            if (random.nextInt(4) != 0)
            {
                // Most times aim at the appending, which begins with an entry in the journal.
                while (!isFinished && journalSize(data) == journalSize)
                {
                    isFinished = child.waitFor(1, TimeUnit.MILLISECONDS);
                }
                longestMs = random.nextBoolean() ? 5 : 200;
            }
            final long delayNs = random.nextLong(TimeUnit.MILLISECONDS.toNanos(longestMs));
            isFinished |= child.waitFor(delayNs, TimeUnit.NANOSECONDS);
            child.destroyForcibly();
            return child.waitFor() != 0 && !isFinished;
        }
    }

    private static long journalSize(final Path data) throws IOException
    {
        final Path journal = data.resolve(ImportJournal.NAME);
        return Files.exists(journal) ? Files.size(journal) : 0;
    }

    private static void finish(final Path data, final List<String> feeds) throws IOException, InterruptedException
    {
        final Process child = ChildImport.start(QUICK_START, data, feeds);
        child.getInputStream().readAllBytes();
        assertEquals(0, child.waitFor(), () -> read(data.resolveSibling("child.err")));
    }

    private static String read(final Path path)
    {
        try
        {
            return Files.readString(path);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }

    private static String csv()
    {
        final StringBuilder text = new StringBuilder(FeedPipeline.HEADER);
        for (int i = 0; i < LINES; i++)
        {
            text.append(i % 3 == 0 ? "signals,0" : "payments," + i % 2)
                .append(i % 1_000 == 999 ? ",insert,i" : ",upsert,i").append(i).append(",0,k").append(i % 977)
                .append(',').append(i).append(",,,").append(i).append(',').append(i / 2 * 10).append('\n');
        }
        return text.toString();
    }

    private static String json()
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < LINES; i++)
        {
            text.append("{\"stream\":\"payments\",\"partition\":").append(i % 2).append(",\"id\":\"j").append(i)
                .append("\",\"key\":\"k").append(i % 977).append("\",\"time\":").append(i % 500 == 0 ? "1.5" : i)
                .append(",\"arrival\":").append(i).append("}\n");
        }
        return text.toString();
    }
}
