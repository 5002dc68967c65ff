package io.tidemark.ingest.feed;

import io.tidemark.ingest.event.SourceLogs;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * An import that is run again: what is there stays, what is missing comes, and nothing comes twice.
 */
class ImportResumeTest
{
    private static final String NO_ARRIVALS = "stream,partition,kind,id,key,time,value\n";

    @TempDir
    private Path directory;
    private FeedPipeline pipeline;

    @BeforeEach
    void createPipeline()
    {
        pipeline = new FeedPipeline(directory);
    }

    @Test
    void shouldAppendNothingWhenAFinishedImportIsRunAgain()
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final List<String> before = pipeline.records();
        final List<String> journal = pipeline.journal();

        final FeedResult result = pipeline.take("feed.csv");

        assertEquals(0, result.appended());
        assertEquals(18, result.alreadyThere());
        assertEquals(2, result.rejected());
        assertEquals(before, pipeline.records());
        assertEquals(journal, pipeline.journal());
        assertEquals(2, pipeline.rejects().size());
        assertTrue(result.notes().get(0).endsWith("feed.csv is already there, since 2026-10-06T11:00:00Z: " +
            "nothing was appended. Use --again to append all of it once more."), result.notes().toString());
    }

    @Test
    void shouldAppendAllOnceMoreWhenToldTo()
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final FeedResult again = pipeline.takeAgain("feed.csv");
        assertEquals(18, again.appended());
        assertEquals(36, pipeline.events().size());
        assertEquals(4, pipeline.rejects().size());
        assertEquals(0, pipeline.take("feed.csv").appended());
    }

    @Test
    void shouldGoOnWhereverAnImportOfGivenArrivalsBroke()
    {
        final String feed = feed(12);
        final FeedPipeline whole = new FeedPipeline(directory.resolve("whole"));
        whole.takeInput(feed);
        for (int length = 1; length < feed.length(); length += 43)
        {
            final FeedPipeline broken = new FeedPipeline(directory.resolve("broken" + length));
            breakAfter(broken, feed, length);
            breakAfter(broken, feed, Math.min(feed.length(), length + 100));
            broken.takeInput(feed);
            assertEquals(whole.records(), broken.records(), "broken after " + length + " characters");
            assertEquals(whole.rejects(), broken.rejects(), "broken after " + length + " characters");
        }
    }

    @Test
    void shouldGoOnWhereverAnImportOfTheClocksArrivalsBroke()
    {
        final StringBuilder text = new StringBuilder(NO_ARRIVALS);
        for (int i = 0; i < 10; i++)
        {
            text.append(i % 3 == 0 ? "signals,0" : "payments," + i % 2).append(",upsert,i").append(i)
                .append(",k,1,").append(i).append('\n');
        }
        pipeline.write("feed.csv", text.toString());
        for (int calls = 1; calls <= 10; calls++)
        {
            final FeedPipeline broken = new FeedPipeline(directory.resolve("broken" + calls));
            broken.write("feed.csv", text.toString());
            final int[] left = {calls};
            broken.withArrivals(() ->
            {
                if (left[0]-- == 0)
                {
                    throw new IllegalStateException("the process dies here");
                }
                return 1_000;
            });
            if (calls < 10)
            {
                assertThrows(IllegalStateException.class, () -> broken.take("feed.csv"));
            }
            else
            {
                broken.take("feed.csv");
            }
            broken.withArrivals(() -> 500);
            final FeedResult result = broken.take("feed.csv");
            assertEquals(calls, result.alreadyThere());
            assertEquals(10 - calls, result.appended());
            final List<String> arrivals = new ArrayList<>();
            broken.events().forEach((event) -> arrivals.add(event.substring(event.indexOf('@'))));
            assertEquals(10, arrivals.stream().distinct().count(), "arrivals that do not grow: " + arrivals);
            assertTrue(arrivals.contains("@1000") && arrivals.contains("@1009"), arrivals.toString());
        }
    }

    @Test
    void shouldFindItsEventsBetweenThoseOfOtherImports()
    {
        final String feed = feed(30);
        breakAfter(pipeline, feed, 400);
        pipeline.write("other.csv", "stream,key,id,time,arrival\npayments,x,x,1,1\nsignals,x,x,1,2\n");
        pipeline.take("other.csv");
        breakAfter(pipeline, feed, 900);
        pipeline.takeAgain("other.csv");
        final FeedResult result = pipeline.takeInput(feed);
        assertTrue(result.alreadyThere() > 0);
        assertEquals(27, result.alreadyThere() + result.appended());
        assertEquals(27 + 4, pipeline.events().size());
        assertEquals(27, pipeline.takeInput(feed).alreadyThere());
    }

    @Test
    void shouldRunEndOfInputBetweenTwoSessions()
    {
        final String feed = feed(30);
        breakAfter(pipeline, feed, 600);
        try (SourceLogs logs = SourceLogs.open(pipeline.data(), FeedPipeline.TOPOLOGY))
        {
            logs.appendEndOfInput();
        }
        pipeline.takeInput(feed);
        assertEquals(27 + 3, pipeline.events().size());
        assertEquals(0, pipeline.takeInput(feed).appended());
    }

    @Test
    void shouldRefuseAFeedOfTheSameNameThatBeginsOtherwise()
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final List<String> before = pipeline.records();
        pipeline.write("feed.csv", feed(20).replace("k0", "kk"));
        final FeedException refused = assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
        assertTrue(refused.getMessage().endsWith("feed.csv is not what it was when it was ingested on " +
            "2026-10-06T11:00:00Z. Nothing was appended; give what is new a name of its own, or append the whole " +
            "with --again."), refused.getMessage());
        assertEquals(before, pipeline.records());
        assertEquals(18, pipeline.takeAgain("feed.csv").appended());
        assertEquals(0, pipeline.take("feed.csv").appended());
    }

    @Test
    void shouldRefuseAFeedThatChangedFarBehindItsBeginning()
    {
        final String feed = feed(5_000);
        pipeline.write("feed.csv", feed);
        pipeline.take("feed.csv");
        final List<String> before = pipeline.records();
        pipeline.write("feed.csv", feed.replace("i4321,", "i9999,"));
        final FeedException refused = assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
        assertTrue(refused.getMessage().contains(": line 4323 is not record 1152 of log payments-1, which was " +
            "appended in its place (unless another producer has appended that). Nothing was appended; "),
            refused.getMessage());
        assertEquals(before, pipeline.records());

        pipeline.write("feed.csv", feed);
        assertEquals(0, pipeline.take("feed.csv").appended());
        pipeline.write("feed.csv", feed.replace("i4321,", "i9999,"));
        assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
        assertEquals(4_500, pipeline.takeAgain("feed.csv").appended());
    }

    @Test
    void shouldRefuseAnUnfinishedFeedThatChangedAndTakeItWholeWhenToldTo()
    {
        final String feed = feed(5_000);
        pipeline.write("feed.csv", feed);
        final int[] events = {0};
        final FeedImport[] running = new FeedImport[1];
        running[0] = new FeedImport(pipeline.context().clocks(() -> 1_791_284_400_000L, () -> 1, () ->
        {
            // Progress asks the clock now and then: that is a moment to stop at.
            if (events[0]++ == 15)
            {
                running[0].stop();
            }
            return 1;
        }));
        running[0].run(List.of(Feed.of(pipeline.path("feed.csv").toString())));
        final int before = pipeline.events().size();
        assertTrue(before > 2_000 && before < 4_500, "events: " + before);

        pipeline.write("feed.csv", feed.replace("i2000,", "i9999,"));
        assertThrows(FeedException.class, () -> pipeline.takeAgain("feed.csv"));
        assertEquals(before, pipeline.events().size());
        assertEquals(4_500, pipeline.takeAgain("feed.csv").appended());
    }

    @Test
    void shouldRefuseAFeedThatHasLostItsEnd()
    {
        final String feed = feed(5_000);
        pipeline.write("feed.csv", feed);
        pipeline.take("feed.csv");
        pipeline.write("feed.csv", feed.substring(0, feed.indexOf("i4000,")).replaceFirst("[^\n]*$", ""));
        final FeedException refused = assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
        assertTrue(refused.getMessage().contains("is of no line of it"), refused.getMessage());
    }

    @Test
    void shouldAppendWhatAFeedHasGrownBy()
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        pipeline.write("feed.csv", feed(50));
        final FeedResult result = pipeline.take("feed.csv");
        assertEquals(18, result.alreadyThere());
        assertEquals(27, result.appended());
        assertEquals(5, pipeline.rejects().size());
        final FeedPipeline whole = new FeedPipeline(directory.resolve("whole"));
        whole.takeInput(feed(50));
        assertEquals(whole.records(), pipeline.records());
    }

    @Test
    void shouldKnowAFileThatWasMovedOrPackedUnderItsName()
    {
        pipeline.write("a/feed.csv", feed(20));
        pipeline.take("a/feed.csv");
        pipeline.write("b/feed.csv", feed(20));
        assertEquals(0, pipeline.take("b/feed.csv").appended());
        pipeline.write("b/feed.csv", FeedPipeline.gzip(feed(20)));
        assertEquals(0, pipeline.take("b/feed.csv").appended());
    }

    @Test
    void shouldTakeOtherContentFromAnotherFolder()
    {
        pipeline.write("monday/part-0.csv", feed(20));
        pipeline.write("tuesday/part-0.csv", feed(20).replace("k0", "t0"));
        pipeline.take("monday/part-0.csv");
        assertEquals(18, pipeline.take("tuesday/part-0.csv").appended());
        assertEquals(0, pipeline.take("monday/part-0.csv").appended());
        assertEquals(0, pipeline.take("tuesday/part-0.csv").appended());
    }

    @Test
    void shouldTakeOneFileForTwoStreams()
    {
        pipeline.write("feed.csv", "key,id,time,arrival\nk,i,1,1\n");
        assertEquals(1, pipeline.take("feed.csv", "payments").appended());
        assertEquals(1, pipeline.take("feed.csv", "signals").appended());
        assertEquals(0, pipeline.take("feed.csv", "signals").appended());
    }

    @Test
    void shouldTakeOtherStandardInputAsAnotherFeed()
    {
        assertEquals(18, pipeline.takeInput(feed(20)).appended());
        assertEquals(18, pipeline.takeInput(feed(20).replace("k0", "t0")).appended());
        assertEquals(0, pipeline.takeInput(feed(20)).appended());
    }

    @Test
    void shouldBeginAnewWhenTheProcessDiedBetweenTheJournalAndTheFirstEvent() throws IOException
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final String begin = pipeline.journal().get(0);
        final FeedPipeline other = new FeedPipeline(directory.resolve("other"));
        other.write("feed.csv", feed(20));
        Files.createDirectories(other.data());
        Files.writeString(other.data().resolve(ImportJournal.NAME), begin + "\n");
        final FeedResult result = other.take("feed.csv");
        assertEquals(0, result.alreadyThere());
        assertEquals(18, result.appended());
        assertEquals(pipeline.records(), other.records());
    }

    @Test
    void shouldFinishWhenTheProcessDiedBetweenTheLastEventAndTheJournal() throws IOException
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final Path journal = pipeline.data().resolve(ImportJournal.NAME);
        final String begin = pipeline.journal().get(0);
        // Half of the second entry, too.
        Files.writeString(journal, begin + "\n{\"entry\":\"en");
        final FeedResult result = pipeline.take("feed.csv");
        assertEquals(18, result.alreadyThere());
        assertEquals(0, result.appended());
        assertEquals(2, pipeline.journal().size());
        assertTrue(result.notes().get(0).contains("was taken up again: 18 of its events were already there"),
            result.notes().toString());
        assertTrue(pipeline.take("feed.csv").notes().get(0).contains("is already there"));
    }

    @Test
    void shouldCutOffHalfAReportAndWriteItAgain() throws IOException
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        final List<String> whole = pipeline.rejects();
        final Path rejects = pipeline.data().resolve(RejectsFile.NAME);
        Files.writeString(rejects, whole.get(0) + "\n" + whole.get(1).substring(0, 30));
        assertEquals(2, pipeline.take("feed.csv").rejected());
        assertEquals(whole, pipeline.rejects());
    }

    @Test
    void shouldReportAnewWhenTheReportWasTakenAway() throws IOException
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        Files.delete(pipeline.data().resolve(RejectsFile.NAME));
        pipeline.take("feed.csv");
        assertEquals(2, pipeline.rejects().size());
    }

    @Test
    void shouldSayWhenTheJournalIsDamaged() throws IOException
    {
        pipeline.write("feed.csv", feed(20));
        pipeline.take("feed.csv");
        Files.writeString(pipeline.data().resolve(ImportJournal.NAME), "{\"entry\":\"what\"}\n",
            StandardOpenOption.APPEND);
        final FeedException damaged = assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
        assertTrue(damaged.getMessage().contains("imports.jsonl is damaged in line 3"), damaged.getMessage());
    }

    @Test
    void shouldAppendWhatALogLostAfterTheImportWasFinished() throws IOException
    {
        // As a power failure may leave it: one log misses its end, the others do not.
        final String feed = feed(30);
        breakAfter(pipeline, feed, 700);
        final String begin = pipeline.journal().get(0);
        final FeedPipeline whole = new FeedPipeline(directory.resolve("whole"));
        whole.takeInput(feed);
        assertFalse(whole.journal().isEmpty());
        final String end = whole.journal().get(1);
        Files.writeString(pipeline.data().resolve(ImportJournal.NAME), begin + "\n" + end + "\n");
        assertTrue(pipeline.takeInput(feed).appended() > 0);
        assertEquals(whole.records(), pipeline.records());
    }

    private static void breakAfter(final FeedPipeline pipeline, final String text, final int length)
    {
        final byte[] part = text.substring(0, length).getBytes(StandardCharsets.UTF_8);
        final InputStream broken = new InputStream()
        {
            @Override
            public int read() throws IOException
            {
                throw new IOException("the process dies here");
            }

            @Override
            public int read(final byte[] bytes, final int offset, final int count) throws IOException
            {
                throw new IOException("the process dies here");
            }
        };
        final InputStream in = new SequenceInputStream(new ByteArrayInputStream(part), broken);
        assertThrows(FeedException.class, () -> pipeline.takeInput(in));
    }

    /** Lines of all sources with given arrivals; every tenth is no event. */
    private static String feed(final int lines)
    {
        final StringBuilder text = new StringBuilder(FeedPipeline.HEADER);
        for (int i = 0; i < lines; i++)
        {
            text.append(i % 3 == 0 ? "signals,0" : "payments," + i % 2)
                .append(i % 10 == 9 ? ",insert,i" : ",upsert,i").append(i).append(",0,k").append(i % 7).append(',')
                .append(1_000 - i).append(",,,").append(i).append(',').append(i / 2 * 10).append('\n');
        }
        return text.toString();
    }
}
