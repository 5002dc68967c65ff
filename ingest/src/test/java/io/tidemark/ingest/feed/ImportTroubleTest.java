package io.tidemark.ingest.feed;

import io.tidemark.ingest.log.FreeSpace;
import io.tidemark.ingest.log.LogException;
import io.tidemark.ingest.log.LogFullException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What users and machines do to an import.
 */
@Timeout(1_200)
class ImportTroubleTest
{
    private static final String HEADER = "stream,key,id,time\n";
    private static final Path NULL = Path.of("/dev/null");

    @TempDir
    private Path directory;
    private FeedPipeline pipeline;

    @BeforeEach
    void createPipeline()
    {
        pipeline = new FeedPipeline(directory);
    }

    @Test
    void shouldAppendAFeedOnceThatIsNamedTwice()
    {
        final String path = pipeline.write("feed.csv", HEADER + "payments,k,a,1\npayments,k,b,2\n").toString();
        final ImportResult result =
            new FeedImport(pipeline.context()).run(List.of(Feed.of(path), Feed.of(path)));
        assertEquals(2, result.appended());
        assertEquals(2, result.feeds().get(1).alreadyThere());
        assertEquals(2, pipeline.events().size());
    }

    @Test
    void shouldRefuseStandardInputTwiceBeforeAnythingIsAppended()
    {
        final FeedImport feedImport = new FeedImport(pipeline.context());
        final List<Feed> feeds = List.of(Feed.of("-"), Feed.of("-"));
        final FeedException refused = assertThrows(FeedException.class, () -> feedImport.run(feeds));
        assertEquals("Standard input can be read once only; name it once.", refused.getMessage());
        assertTrue(refused.usage());
    }

    @Test
    void shouldAppendNothingWhenADirectoryIsAmongTheFeeds() throws IOException
    {
        final Path feed = pipeline.write("feed.csv", HEADER + "payments,k,a,1\n");
        final Path folder = Files.createDirectory(pipeline.path("folder"));
        final FeedImport feedImport = new FeedImport(pipeline.context());
        final List<Feed> feeds = List.of(Feed.of(feed.toString()), Feed.of(folder.toString()));
        final FeedException refused = assertThrows(FeedException.class, () -> feedImport.run(feeds));
        assertEquals(folder + " is a directory; name the files in it.", refused.getMessage());
        assertFalse(Files.exists(pipeline.data()));
    }

    @Test
    @EnabledIf("hasNullDevice")
    void shouldCallTheNullDeviceEmpty()
    {
        final FeedImport feedImport = new FeedImport(pipeline.context());
        final List<Feed> feeds = List.of(Feed.of(NULL.toString()));
        assertEquals("/dev/null is empty.",
            assertThrows(FeedException.class, () -> feedImport.run(feeds)).getMessage());
        assertFalse(Files.exists(pipeline.data()));
    }

    @Test
    void shouldLeaveOutTheLastLineOfAFileThatIsBeingWritten()
    {
        final Path feed = pipeline.write("feed.csv", HEADER + "payments,k,a,1\npayments,k,b");
        final List<String> rest = new ArrayList<>(List.of("b,2\npayments,k,c,3", "3\n"));
        pipeline.withArrivals(() ->
        {
            // The other program writes on while the first event is appended.
            if (rest.size() == 2)
            {
                append(feed, rest.remove(0));
            }
            return 1;
        });
        final FeedResult growing = pipeline.take("feed.csv");
        assertEquals(2, growing.appended());
        assertEquals(List.of(feed + " is being written to: its last line, 4, has no end yet and was left out. " +
            "Ingest it again once it is whole."), growing.notes());
        append(feed, rest.remove(0));
        final FeedResult whole = pipeline.take("feed.csv");
        assertEquals(2, whole.alreadyThere());
        assertEquals(1, whole.appended());
        assertTrue(pipeline.events().get(2).startsWith("payments-0 upsert k c 0 33 "), pipeline.events().toString());
    }

    @Test
    void shouldNameTheProcessThatImportsIntoTheSameData() throws IOException, InterruptedException
    {
        pipeline.write("feed.csv", HEADER + "payments,k,a,1\n");
        final Process other = ChildImport.start(List.of(), pipeline.data(), List.of("-"));
        try (OutputStream feed = other.getOutputStream())
        {
            feed.write((HEADER + "payments,k,other,1\n").getBytes(StandardCharsets.UTF_8));
            feed.flush();
            while (pipeline.journal().isEmpty())
            {
                assertFalse(other.waitFor(1, TimeUnit.MILLISECONDS), "the other import ended");
            }
            final LogException refused = assertThrows(LogException.class, () -> pipeline.take("feed.csv"));
            assertTrue(refused.getMessage().contains(
                "is in use by another process (pid " + other.pid() + ", started "), refused.getMessage());
        }
        assertEquals(0, other.waitFor());
        assertEquals(1, pipeline.take("feed.csv").appended());
        assertEquals(2, pipeline.events().size());
    }

    @Test
    void shouldKeepTheDiskFromFillingWithReports()
    {
        final Path report = pipeline.path("rejects.jsonl");
        try (RejectsFile rejects = new RejectsFile(report, new FreeSpace(directory, Long.MAX_VALUE)))
        {
            assertThrows(LogFullException.class, () -> rejects.append("feed.csv", 1, "no time", ""));
            assertEquals(0, rejects.size());
        }
    }

    @Test
    void shouldNotReadALineOfJsonInAnotherEncoding()
    {
        final byte[] utf16 = "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"b\",\"time\":1}"
            .getBytes(StandardCharsets.UTF_16BE);
        final String line = new String(utf16, StandardCharsets.ISO_8859_1);
        pipeline.write("feed.jsonl", "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"a\",\"time\":1}\n" + line +
            "\n\0\0\0{\0\0\0}\n");
        final FeedResult result = pipeline.take("feed.jsonl");
        assertEquals(1, result.appended());
        assertEquals(2, result.rejected());
    }

    @Test
    void shouldReportAnEndlessNameInAFewWords()
    {
        final String name = "x".repeat(40_000);
        pipeline.write("feed.jsonl", "{\"stream\":\"payments\",\"key\":\"k\",\"id\":\"a\",\"time\":1}\n{\"" + name +
            "\":1}\n");
        pipeline.write("other.jsonl", "{\"" + name + "\":1}\n");
        pipeline.take("feed.jsonl");
        assertTrue(pipeline.rejects().get(0).contains("\"unknown name " + "x".repeat(60) + "...\""));
        final FeedException refused = assertThrows(FeedException.class, () -> pipeline.take("other.jsonl"));
        assertTrue(refused.getMessage().length() < 500, () -> "length: " + refused.getMessage().length());
    }

    @Test
    void shouldRefuseAJournalThatSomebodyHasWrittenIn() throws IOException
    {
        pipeline.write("feed.csv", HEADER + "payments,k,a,1\n");
        pipeline.take("feed.csv");
        final Path journal = pipeline.data().resolve(ImportJournal.NAME);
        final String good = Files.readString(journal);
        for (final String line : List.of("5", "[]", "{\"entry\":\"begin\"}", "{", "{\"entry\":\"end\",\"import\":9}"))
        {
            Files.writeString(journal, line + "\n" + good);
            final FeedException damaged = assertThrows(FeedException.class, () -> pipeline.take("feed.csv"));
            assertTrue(damaged.getMessage().contains(" is damaged in line "), damaged.getMessage());
        }
        Files.writeString(journal, good);
        assertEquals(0, pipeline.take("feed.csv").appended());
    }

    static boolean hasNullDevice()
    {
        return Files.exists(NULL);
    }

    private static void append(final Path file, final String text)
    {
        try
        {
            Files.writeString(file, text, StandardOpenOption.APPEND);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
