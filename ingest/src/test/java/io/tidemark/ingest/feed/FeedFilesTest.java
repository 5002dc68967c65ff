package io.tidemark.ingest.feed;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * What is said of a file that is no feed. The sentence is all that a user sees.
 */
class FeedFilesTest
{
    @TempDir
    private Path directory;
    private FeedPipeline pipeline;

    @BeforeEach
    void createPipeline()
    {
        pipeline = new FeedPipeline(directory);
    }

    @Test
    void shouldNameAFileThatIsNotThere()
    {
        assertSentence("none.csv", "There is no file FILE.");
        assertTrue(assertThrows(FeedException.class, () -> pipeline.take("none.csv")).usage());
    }

    @Test
    void shouldRefuseADirectory() throws IOException
    {
        Files.createDirectory(pipeline.path("feeds"));
        assertSentence("feeds", "FILE is a directory; name the files in it.");
    }

    @Test
    void shouldRefuseAnEmptyFeed()
    {
        pipeline.write("a.csv", "");
        pipeline.write("b.csv.gz", FeedPipeline.gzip(""));
        pipeline.write("c.csv", "\ufeff");
        assertSentence("a.csv", "FILE is empty.");
        assertSentence("b.csv.gz", "FILE is empty.");
        assertSentence("c.csv", "FILE is empty.");
    }

    @Test
    void shouldRefuseBinaryFilesAndOtherEncodings()
    {
        final String sentence = "FILE is no text in UTF-8: a feed is CSV with a header, or JSON Lines, " +
            "each perhaps packed with gzip.";
        pipeline.write("zip.csv", new byte[] {'P', 'K', 3, 4, 20, 0, 0, 0});
        pipeline.write("utf16.csv", FeedPipeline.HEADER.getBytes(StandardCharsets.UTF_16));
        pipeline.write("latin1.csv", "stream,cl\u00e9,time\n".getBytes(StandardCharsets.ISO_8859_1));
        assertSentence("zip.csv", sentence);
        assertSentence("utf16.csv", sentence);
        assertSentence("latin1.csv", sentence);
    }

    @Test
    void shouldRefuseWhatIsNoTable()
    {
        pipeline.write("a.csv", "\nstream,key\n");
        pipeline.write("b.csv", "x".repeat(70_000));
        pipeline.write("c.csv", "stream,key\rpayments,k\r");
        pipeline.write("d.json", "[{\"stream\":\"payments\"}]");
        pipeline.write("e.csv", "stream,\"key\n");
        assertSentence("a.csv",
            "FILE has no header in its first line; a CSV feed begins with the names of its columns.");
        assertSentence("b.csv",
            "FILE has a first line of more than 65536 bytes; a feed is CSV with a header, or JSON Lines.");
        assertSentence("c.csv",
            "FILE ends its lines in carriage returns alone; a feed ends them in LF or CR LF.");
        assertSentence("d.json", "FILE begins like a JSON array; a feed has one JSON object a line.");
        assertSentence("e.csv",
            "FILE has a header that cannot be read: a quote that is opened here is not closed.");
    }

    @Test
    void shouldNameAColumnThatIsNotKnownAndTheNearest()
    {
        pipeline.write("a.csv", "stream,kay,id,time\n");
        pipeline.write("b.csv", "stream,key,id,time,colour\n");
        pipeline.write("c.jsonl", "{\"stream\":\"payments\",\"kay\":\"k\"}\n");
        pipeline.write("d.csv", "stream,key,id,time,marchant\n");
        assertSentence("a.csv", "FILE has a column kay that is not known here (key is the nearest that is); " +
            "rename it, or map it under ingest: columns in the configuration of its stream.");
        assertSentence("b.csv", "FILE has a column colour that is not known here; " +
            "rename it, or map it under ingest: columns in the configuration of its stream.");
        assertSentence("c.jsonl", "FILE has a column kay that is not known here (key is the nearest that is); " +
            "rename it, or map it under ingest: columns in the configuration of its stream.");
        pipeline.withPayments(ColumnMapping.of(Map.of("key", "merchant")));
        assertSentence("d.csv", "FILE has a column marchant that is not known here (merchant is the nearest that " +
            "is); rename it, or map it under ingest: columns in the configuration of its stream.");
    }

    @Test
    void shouldNameAColumnThatIsMissing()
    {
        pipeline.write("a.csv", "key,id,time\n");
        pipeline.write("b.csv", "stream,key,id,value\n");
        pipeline.write("c.csv", "stream,key,time\n");
        pipeline.write("d.csv", "stream,key,id,time\n");
        assertSentence("a.csv", "FILE has no column stream in its header; add one, or name the stream with --stream.");
        assertSentence("b.csv", "FILE has no column time in its header; every line needs one. " +
            "If it has another name, map it under ingest: columns.");
        assertSentence("c.csv", "FILE has no column id in its header; every line needs one. " +
            "If it has another name, map it under ingest: columns.");
        pipeline.withSpans();
        assertSentence("d.csv", "FILE has no column start in its header; every line needs one. " +
            "If it has another name, map it under ingest: columns.");
    }

    @Test
    void shouldTakeAFeedOfWatermarksWithoutKeysAndIds()
    {
        pipeline.write("feed.csv", "stream,kind,time,arrival\nsignals,watermark,9,1\n");
        assertEquals(0, pipeline.take("feed.csv").rejected());
        assertEquals(List.of("signals-0 watermark   0 9 0 @1"), pipeline.events());
    }

    @Test
    void shouldRefuseColumnsThatAreThereTwiceOrHaveNoName()
    {
        pipeline.write("a.csv", "stream,key,id,time,key\n");
        pipeline.write("b.csv", "stream,key,,time\n");
        assertSentence("a.csv", "FILE has two columns named key in its header.");
        assertSentence("b.csv", "FILE has a column without a name in its header.");
    }

    @Test
    void shouldRefuseBothNamesOfAColumn()
    {
        pipeline.withPayments(ColumnMapping.of(Map.of("key", "merchant")));
        pipeline.write("feed.csv", "merchant,key,id,time\n");
        final FeedException refused =
            assertThrows(FeedException.class, () -> pipeline.take("feed.csv", "payments"));
        assertTrue(refused.getMessage().contains("has a column key that is not known here"), refused.getMessage());
    }

    @Test
    void shouldRefuseMappingsThatMakeNoSense()
    {
        assertMapping(Map.of("kee", "merchant"), "There is no field kee to map a column to; key is the nearest.");
        assertMapping(Map.of("key", ""), "The column for key has no name.");
        final FeedImportContext context = pipeline.context().mapping("paymints", ColumnMapping.NONE);
        assertEquals("Columns are mapped for a stream paymints that there is not.",
            assertThrows(FeedException.class, context::conclude).getMessage());
        assertEquals("There is no stream paymints; there are payments, signals.",
            assertThrows(FeedException.class, () -> pipeline.take("none.csv", "paymints")).getMessage());
    }

    @Test
    void shouldKeepWhatCameBeforeTheBreakOfACutOffGzipAndTakeTheRestFromTheWholeOne()
    {
        final StringBuilder text = new StringBuilder(FeedPipeline.HEADER);
        for (int i = 0; i < 20_000; i++)
        {
            text.append("payments,0,upsert,i").append(Integer.toHexString(i * 0x9E3779B9)).append(",0,k,")
                .append(i).append(",,,").append(i * 31).append(',').append(i).append('\n');
        }
        final byte[] packed = FeedPipeline.gzip(text.toString());
        pipeline.write("feed.csv.gz", Arrays.copyOf(packed, packed.length / 2));
        final String message = assertThrows(FeedException.class, () -> pipeline.take("feed.csv.gz")).getMessage();
        assertTrue(message.matches(".*feed.csv.gz is a gzip file that is cut off after line \\d+\\. " +
            "Get the whole file and ingest it again: what was appended is recognised\\."), message);
        final int before = pipeline.events().size();
        assertTrue(before > 0 && before < 20_000, "events: " + before);

        pipeline.write("feed.csv.gz", packed);
        final FeedResult result = pipeline.take("feed.csv.gz");
        assertEquals(before, result.alreadyThere());
        assertEquals(20_000, pipeline.events().size());
    }

    @Test
    void shouldRefuseADamagedGzip()
    {
        final byte[] packed = FeedPipeline.gzip(FeedPipeline.HEADER);
        packed[20] ^= 0x55;
        pipeline.write("feed.csv.gz", packed);
        final String message = assertThrows(FeedException.class, () -> pipeline.take("feed.csv.gz")).getMessage();
        assertTrue(message.contains("feed.csv.gz is a damaged gzip file ("), message);
    }

    @Test
    void shouldAppendNothingWhenAnyOfSeveralFeedsIsNone()
    {
        pipeline.write("good.csv", "stream,key,id,time\npayments,k,i,1\n");
        pipeline.write("bad.csv", "stream,key,id,tiem\npayments,k,i,1\n");
        final List<Feed> feeds = List.of(
            Feed.of(pipeline.path("good.csv").toString()), Feed.of(pipeline.path("bad.csv").toString()));
        final FeedImport feedImport = new FeedImport(pipeline.context());
        assertThrows(FeedException.class, () -> feedImport.run(feeds));
        assertFalse(Files.exists(pipeline.data()));
    }

    private void assertMapping(final Map<String, String> mapping, final String sentence)
    {
        assertEquals(sentence,
            assertThrows(IllegalArgumentException.class, () -> ColumnMapping.of(mapping)).getMessage());
    }

    private void assertSentence(final String file, final String sentence)
    {
        final FeedException refused = assertThrows(FeedException.class, () -> pipeline.take(file));
        assertEquals(sentence.replace("FILE", pipeline.path(file).toString()), refused.getMessage());
        assertFalse(Files.exists(pipeline.data().resolve(RejectsFile.NAME)));
    }
}
