package io.tidemark.ingest.feed;

import io.tidemark.ingest.fixture.CrashProcess;
import io.tidemark.ingest.fixture.CrashVictims;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Imports that are halted at each of the {@link #PLACES} and repeated lose and double nothing: several at a time, each
 * at another hit.
 */
class ImportCrashTest
{
    private static final int IMPORTS = 3;
    private static final int LINES = 200;
    private static final long SEED = Long.getLong("tidemark.seed", 5);

    /** Each place, and how often an import comes to it at least. */
    private static final Map<String, Integer> PLACES = new LinkedHashMap<>();

    static
    {
        PLACES.put("import.before-begun", 1);
        PLACES.put("import.begun", 1);
        PLACES.put("source.before-append", LINES - LINES / 10);
        PLACES.put("source.after-append", LINES - LINES / 10);
        PLACES.put("import.before-rejected", LINES / 10);
        PLACES.put("import.rejected", LINES / 10);
        PLACES.put("import.before-ended", 1);
        PLACES.put("import.ended", 1);
    }

    @TempDir
    private Path directory;

    /** The process that is halted. */
    static final class Child
    {
        private Child()
        {
        }

        /**
         * Runs.
         *
         * @param args of each import in turn its directory, its feed and its place.
         */
        public static void main(final String[] args)
        {
            final CrashVictims victims = new CrashVictims();
            for (int i = 0; i < args.length; i += 3)
            {
                final FeedPipeline pipeline = new FeedPipeline(Path.of(args[i]));
                final String feed = args[i + 1];
                victims.add(args[i + 2], () -> pipeline.take(feed));
            }
            victims.runAndHalt();
        }
    }

    @Test
    void shouldLoseAndDoubleNothingWhereverItsProcessIsHalted() throws IOException, InterruptedException
    {
        final Random random = new Random(SEED);
        final List<FeedPipeline> halted = new ArrayList<>();
        final FeedPipeline undisturbed = new FeedPipeline(Files.createDirectory(directory.resolve("undisturbed")));
        for (int i = 0; i < IMPORTS; i++)
        {
            halted.add(new FeedPipeline(Files.createDirectory(directory.resolve("halted-" + i))));
        }
        int number = 0;
        for (final Map.Entry<String, Integer> place : PLACES.entrySet())
        {
            final String feed =
                Files.writeString(directory.resolve("feed-" + number + ".csv"), feed(random, number)).toString();
            number++;
            final List<String> arguments = new ArrayList<>();
            for (final FeedPipeline pipeline : halted)
            {
                arguments.addAll(List.of(pipeline.data().getParent().toString(), feed,
                    place.getKey() + ":" + (1 + random.nextInt(place.getValue()))));
            }
            assertEquals(List.of(true, true, true),
                CrashProcess.run(directory.resolve("child.log"), Child.class, arguments), place.getKey());
            undisturbed.take(feed);
            for (final FeedPipeline pipeline : halted)
            {
                pipeline.take(feed);
                assertTrue(undisturbed.records().equals(pipeline.records()), arguments::toString);
                assertTrue(undisturbed.rejects().equals(pipeline.rejects()), arguments::toString);
                assertEquals(0, pipeline.take(feed).appended());
            }
        }
    }

    /** Upserts, each tenth of which is no event. */
    private static String feed(final Random random, final int number)
    {
        final StringBuilder feed = new StringBuilder(FeedPipeline.HEADER);
        for (int i = 0; i < LINES; i++)
        {
            final String stream = random.nextBoolean() ? "payments," + random.nextInt(2) : "signals,0";
            feed.append(stream).append(i % 10 == 9 ? ",nonsense" : ",upsert").append(",i").append(random.nextInt(1_000))
                .append(',').append(random.nextInt(3)).append(",k").append(random.nextInt(20)).append(',')
                .append(random.nextInt(10_000)).append(",,,").append(i).append(',').append(number * 100_000 + i)
                .append('\n');
        }
        return feed.toString();
    }
}
